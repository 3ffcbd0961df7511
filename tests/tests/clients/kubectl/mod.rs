//! kubectl as a client: one list of commands, run against the embedded server and the real one, that must answer alike.
//!
//! The commands stand in `scenarios/*.txt` ([`script`] has the form), the objects in `manifests`. Each scenario has a namespace
//! of its own, and they run side by side. Without the real control plane, whose kubectl it is, there is nothing to compare.
//!
//! | module | what |
//! |---|---|
//! | [`script`] | a scenario as it is written |
//! | [`words`] | a line as a shell would take it apart |
//! | [`side`] | a server, and kubectl against it |
//! | [`follow`] | a command that does not end by itself |
//! | [`play`] | a scenario on both servers |
//! | [`normal`] | what differs from run to run, taken out of texts |
//! | [`explained`] | what `explain` says, without its prose |

mod explained;
mod follow;
mod normal;
mod play;
mod script;
mod side;
mod words;

macro_rules! scenarios {
    ($($name:ident),+ $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                play::scenario(stringify!($name)).await;
            }
        )+
    };
}

scenarios! {
    access,
    apply,
    apply_server_side,
    create,
    custom,
    delete,
    describe,
    discovery,
    edit,
    explain,
    get,
    rollout,
    wait,
    watch,
    workloads,
}
