//! Users of a control plane, and what acts as one: kubeconfig, client, program.

use std::{ffi::OsStr, path::PathBuf, process::Command};

use anyhow::Result;
use kube::{Client, client::ClientBuilder};

use super::ControlPlane;
use crate::recorder::Recorder;

impl ControlPlane {
    /// A user with every right whom no other test has, so that the audit log tells their requests apart.
    ///
    /// # Panics
    /// When 200 of them have been handed out.
    pub fn new_admin(&self) -> String {
        self.users.admin()
    }

    /// A user without any rights whom no other test has: the test grants what it wants by RBAC, to the `User` of this name.
    ///
    /// # Panics
    /// When 200 of them have been handed out.
    pub fn new_stranger(&self) -> String {
        self.users.stranger()
    }

    /// The path of a kubeconfig that acts as `user`, in the namespace `default`.
    ///
    /// # Panics
    /// If there is no such user.
    #[track_caller]
    pub fn kubeconfig(&self, user: &str) -> PathBuf {
        let path = self
            .users
            .check(user)
            .and_then(|()| self.endpoint.write_kubeconfig(self.folder.path(), user));
        expect(path)
    }

    /// The client configuration of `user`, without retries.
    ///
    /// # Panics
    /// If there is no such user.
    #[track_caller]
    pub fn config(&self, user: &str) -> kube::Config {
        expect(self.users.check(user).and_then(|()| self.endpoint.config(user)))
    }

    /// A client that acts as `user`. It lives as long as the runtime it is made on: each test makes its own.
    ///
    /// # Panics
    /// If there is no such user, or outside of a tokio runtime.
    #[track_caller]
    pub fn client(&self, user: &str) -> Client {
        expect(self.users.check(user).and_then(|()| self.endpoint.client(user)))
    }

    /// Like [`client`](Self::client), with a [`Recorder`] of what it sends.
    ///
    /// # Panics
    /// If there is no such user, or outside of a tokio runtime.
    #[track_caller]
    pub fn recorded_client(&self, user: &str) -> (Client, Recorder) {
        let recorder = Recorder::default();
        let builder = ClientBuilder::try_from(self.config(user));
        (
            expect(builder.map_err(Into::into))
                .with_layer(&recorder.layer())
                .build(),
            recorder,
        )
    }

    /// `program`, to be run with the kubeconfig of `user` in `KUBECONFIG`.
    ///
    /// # Panics
    /// If there is no such user.
    #[track_caller]
    pub fn command(&self, program: impl AsRef<OsStr>, user: &str) -> Command {
        let mut command = Command::new(program);
        command.env("KUBECONFIG", self.kubeconfig(user));
        command
    }

    /// The kubectl of this control plane, as `admin`.
    pub fn kubectl(&self) -> Command {
        self.command(self.bin.join("kubectl"), "admin")
    }
}

#[track_caller]
fn expect<T>(result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error:#}"),
    }
}
