//! The signals that end the process.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM and SIGINT; Ctrl-C where there are no signals.
#[derive(Debug)]
pub(super) struct Signals {
    #[cfg(unix)]
    terminate: Signal,
    #[cfg(unix)]
    interrupt: Signal,
}

impl Signals {
    /// From now on they do not end the process by themselves.
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// The name of the next one.
    #[cfg(unix)]
    pub(super) async fn next(&mut self) -> &'static str {
        let Self { terminate, interrupt } = self;
        tokio::select! {
            Some(()) = terminate.recv() => "SIGTERM",
            Some(()) = interrupt.recv() => "SIGINT",
            else => std::future::pending().await,
        }
    }

    /// From now on Ctrl-C does not end the process by itself.
    #[cfg(not(unix))]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// The name of the next one.
    #[cfg(not(unix))]
    pub(super) async fn next(&mut self) -> &'static str {
        match tokio::signal::ctrl_c().await {
            Ok(()) => "Ctrl-C",
            Err(_) => std::future::pending().await,
        }
    }
}
