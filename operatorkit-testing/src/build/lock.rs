//! One build at a time on this machine, also across processes.

use std::{
    fs::{File, TryLockError},
    path::Path,
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result};

use crate::console::{Progress, Say};

/// Held until dropped; the kernel lets go of it when the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other process has the lock, and says so meanwhile.
    pub(super) fn take(path: &Path, say: Say) -> Result<Self> {
        let what = || format!("lock {}", path.display());
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .with_context(what)?;
        let mut progress = Progress::new(
            format!(
                "waiting for another process that builds the control plane ({})",
                path.display()
            ),
            say,
        );
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) => progress.tick(),
                Err(TryLockError::Error(error)) => return Err(error).with_context(what),
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}
