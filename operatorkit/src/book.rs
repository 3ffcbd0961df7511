//! The book: how operators are written, run, watched and mended with operatorkit.
//!
#![doc = include_str!("book/contents.md")]

macro_rules! chapters {
    ($($name:ident),+ $(,)?) => {
        $(
            #[doc = include_str!(concat!("book/", stringify!($name), ".md"))]
            pub mod $name {}
        )+
    };
}

chapters! {
    layout,
    control_flow,
    short_loops,
    status,
    deletion,
    events,
    external,
    policies,
    yaml,
    reads,
    pause,
    testing,
    layers,
    commands,
    client,
    metrics,
    leader_election,
    troubleshooting,
    from_go_operatorkit,
    from_controller_runtime,
}
