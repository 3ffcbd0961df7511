//! The program in a process of its own: this benchmark, run again as what it measures.

use std::{
    env, fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use http::Method;
use operatorkit::kube::{
    Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
};
use operatorkit_apiserver::ApiServer;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{door::Door, memory};

/// Says in the environment which part a process plays.
pub(crate) const PART: &str = "OPERATORKIT_BENCHMARK_PART";

const FIRST: &str = "/api/v1/namespaces/default";

/// The program, serving with TLS.
pub(crate) struct Program {
    child: Child,
    pub(crate) door: Door,
    /// From its start until it had answered.
    pub(crate) started: Duration,
    _folder: TempDir,
}

impl Program {
    pub(crate) fn start(runtime: &Runtime) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("kubeconfig");
        let begin = Instant::now();
        let child = this("serve")
            .arg("--kubeconfig")
            .arg(&path)
            .args(["--log", "error"])
            .spawn();
        let child = child.expect("this benchmark runs again");
        let limit = begin + Duration::from_secs(10);
        // It is written whole, and when the port is open.
        let text = loop {
            match fs::read_to_string(&path) {
                Ok(text) => break text,
                Err(error) => assert!(Instant::now() < limit, "no kubeconfig: {error}"),
            }
            thread::sleep(Duration::from_micros(200));
        };
        let door = runtime.block_on(async {
            let config = Kubeconfig::from_yaml(&text).expect("a kubeconfig");
            let config = Config::from_custom_kubeconfig(config, &KubeConfigOptions::default()).await;
            let client = Client::try_from(config.expect("a configuration")).expect("a client");
            let door = Door::Client("over loopback", client);
            door.ask(Method::GET, FIRST, "", Vec::new()).await;
            door
        });
        Self {
            child,
            door,
            started: begin.elapsed(),
            _folder: folder,
        }
    }

    pub(crate) fn resident(&self) -> u64 {
        memory::resident(self.child.id())
    }

    /// The most that it held since [`forget_peak`](Self::forget_peak).
    pub(crate) fn peak(&self) -> u64 {
        memory::peak(self.child.id())
    }

    pub(crate) fn forget_peak(&self) {
        memory::forget_peak(self.child.id());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The time from the start of `main` to the first answer of the service, in a fresh process.
pub(crate) fn start_in_process() -> Duration {
    let output = this("start")
        .stdout(Stdio::piped())
        .output()
        .expect("this benchmark runs again");
    let text = String::from_utf8(output.stdout).expect("a number");
    Duration::from_nanos(text.trim().parse().expect("a number"))
}

/// What [`start_in_process`] reads.
pub(crate) fn print_start(begin: Instant) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let door = Door::Service(ApiServer::start().service());
        door.ask(Method::GET, FIRST, "", Vec::new()).await;
    });
    println!("{}", begin.elapsed().as_nanos());
}

fn this(part: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("the path of this benchmark"));
    command.env(PART, part);
    command
}
