//! Users of a server, and what acts as one: kubeconfig, client, program.

use std::{ffi::OsStr, path::PathBuf, process::Command};

use anyhow::Result;
use kube::Client;

use super::Cluster;
use crate::recorder::Recorder;

impl Cluster {
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
        let known = self.users.check(user);
        expect(known.and_then(|()| self.door.endpoint()?.write_kubeconfig(self.folder(), user)))
    }

    /// The client configuration of `user`, without retries.
    ///
    /// # Panics
    /// If there is no such user.
    #[track_caller]
    pub fn config(&self, user: &str) -> kube::Config {
        expect(self.users.check(user).and_then(|()| self.door.endpoint()?.config(user)))
    }

    /// A client that acts as `user`; of the embedded server without a port. It lives as long as the runtime it is made on: each
    /// test makes its own.
    ///
    /// # Panics
    /// If there is no such user, or outside of a tokio runtime.
    #[track_caller]
    pub fn client(&self, user: &str) -> Client {
        expect(self.users.check(user).and_then(|()| self.door.client(user, None)))
    }

    /// Like [`client`](Self::client), with a [`Recorder`] of what it sends.
    ///
    /// # Panics
    /// If there is no such user, or outside of a tokio runtime.
    #[track_caller]
    pub fn recorded_client(&self, user: &str) -> (Client, Recorder) {
        let recorder = Recorder::default();
        let client = self
            .users
            .check(user)
            .and_then(|()| self.door.client(user, Some(&recorder)));
        (expect(client), recorder)
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
}

#[track_caller]
pub(super) fn expect<T>(result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error:#}"),
    }
}
