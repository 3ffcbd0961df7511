//! A graceful end: what runs is finished.

use std::{
    io::{self, Read as _, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use operatorkit::{
    anyhow::ensure,
    k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap},
};
use operatorkit_testing::{PATIENCE, Process, wait_for};

use crate::webapps::WebApps;

/// Stands between an operator and the API server, and can hold back what the operator says.
struct Gate {
    port: u16,
    lock: Arc<Lock>,
}

#[derive(Default)]
struct Lock {
    closed: Mutex<bool>,
    opened: Condvar,
    held: AtomicUsize,
}

impl Gate {
    fn before(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let lock = Arc::<Lock>::default();
        let gate = Self {
            port,
            lock: lock.clone(),
        };
        let _serving = thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(("127.0.0.1", server)).expect("the API server");
                let lock = lock.clone();
                let _passing = thread::spawn(move || lock.pass(&client, &server));
            }
        });
        gate
    }

    fn close(&self) {
        *self.lock.closed.lock().expect("no panic") = true;
    }

    fn open(&self) {
        *self.lock.closed.lock().expect("no panic") = false;
        self.lock.opened.notify_all();
    }

    /// Runs the example through this gate.
    fn run(&self, webapps: &WebApps) -> Process {
        webapps.run(&["--kubeconfig", &webapps.kubeconfig_for(self.port)])
    }
}

impl Lock {
    /// Passes bytes in both directions; to the server only while the gate is open.
    fn pass(&self, mut client: &TcpStream, mut server: &TcpStream) {
        let (mut from, mut to) = (
            server.try_clone().expect("a socket"),
            client.try_clone().expect("a socket"),
        );
        let _back = thread::spawn(move || io::copy(&mut from, &mut to));
        let mut bytes = vec![0; 16 * 1024];
        while let Ok(count @ 1..) = client.read(&mut bytes) {
            let mut closed = self.closed.lock().expect("no panic");
            if *closed {
                let _before = self.held.fetch_add(count, Ordering::Relaxed);
            }
            while *closed {
                closed = self.opened.wait(closed).expect("no panic");
            }
            drop(closed);
            if server.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        let _closed = server.shutdown(Shutdown::Both);
    }
}

#[tokio::test]
async fn sigterm_waits_for_the_pass_that_runs() {
    let webapps = WebApps::new("sigterm").await;
    let scene = &webapps.scene;
    let gate = Gate::before(scene.cluster.port());
    let mut running = gate.run(&webapps);
    running.wait_for_log("running", PATIENCE).await;

    gate.close();
    webapps.create("x").await;
    wait_for("a pass has sent its first request", PATIENCE, async || {
        ensure!(gate.lock.held.load(Ordering::Relaxed) > 0, "nothing is held back");
        Ok(())
    })
    .await;
    running.terminate();
    running.wait_for_log("stopping", PATIENCE).await;
    assert!(
        running.exited().expect("an answer").is_none(),
        "it does not end before the pass has"
    );
    gate.open();
    let status = running.wait(PATIENCE).await;
    assert_eq!(status.code(), Some(0), "{}", running.log());

    // The pass went on to its end.
    assert!(
        scene
            .api::<ConfigMap>()
            .get_opt("x-settings")
            .await
            .expect("an answer")
            .is_some()
    );
    assert!(
        scene
            .api::<Deployment>()
            .get_opt("x")
            .await
            .expect("an answer")
            .is_some(),
        "{}",
        running.log()
    );
}

#[tokio::test]
async fn sigterm_ends_at_once_what_only_waits() {
    let webapps = WebApps::new("signals").await;
    let gate = Gate::before(webapps.scene.cluster.port());
    // An API server that accepts connections and says nothing.
    gate.close();
    let mut running = gate.run(&webapps);
    running.wait_for_log("starting", PATIENCE).await;
    running.terminate();
    let status = running.wait(PATIENCE).await;
    assert_eq!(
        status.code(),
        Some(0),
        "an operator that only waits ends at once: {}",
        running.log()
    );
}
