//! Child processes that cannot outlive this one, however it ends.
//!
//! Static destructors do not run, `Drop` does not run after `SIGKILL`, and `unsafe` (`atexit`, `prctl`) is forbidden here. But
//! the kernel closes our pipes in every case: so each program is the child of a small `sh` that reads a pipe from us, and
//! kills the program when the pipe ends. The same pipe carries signals, which needs neither a process id nor `unsafe`.

use std::{
    ffi::OsStr,
    io::{BufRead as _, BufReader, Write as _},
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
};

use anyhow::{Context as _, Result};

/// Runs `$2…` with its output in the file `$1`, says the process id, and sends it the signals named by the lines of stdin.
/// Ends with the program's exit code (128 plus the signal's number if a signal ended it).
const SUPERVISOR: &str = r#"
log=$1; shift
exec 3<&0
"$@" </dev/null >>"$log" 2>&1 3<&- &
program=$!
echo "$program"
exec >&-
(
  while read -r signal; do kill -s "$signal" "$program"; done <&3
  kill -s KILL "$program"
) 2>/dev/null &
watcher=$!
wait "$program"; code=$?
kill -s KILL "$watcher"
exit "$code"
"#;

/// Removes the folder `$1` when stdin ends; again for a while, since programs that are being killed may still write there.
const KEEPER: &str = r#"
while read -r _; do :; done
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  rm -rf -- "$1" && exit 0
  sleep 0.1
done
"#;

/// A program under a supervisor. Dropping it kills the program and waits for its end.
#[derive(Debug)]
pub(crate) struct Supervised {
    shell: Child,
    // `None` once the program is told to end by closing the pipe.
    signals: Option<ChildStdin>,
    id: u32,
}

impl Supervised {
    /// Starts `command` (its program, arguments, changes of the environment and directory count; its redirections and `env_clear`
    /// do not).
    pub(crate) fn spawn(command: &Command, log: &Path) -> Result<Self> {
        let what = || format!("start {} through sh", command.get_program().display());
        let mut shell = script(
            SUPERVISOR,
            "operatorkit-supervisor",
            [log.as_os_str(), command.get_program()],
        );
        shell.args(command.get_args()).stdout(Stdio::piped());
        for (key, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(key, value),
                None => shell.env_remove(key),
            };
        }
        if let Some(dir) = command.get_current_dir() {
            shell.current_dir(dir);
        }
        let mut shell = shell.spawn().with_context(what)?;
        let signals = shell.stdin.take();
        let mut id = String::new();
        if let Some(out) = shell.stdout.take() {
            BufReader::new(out).read_line(&mut id).with_context(what)?;
        }
        let id = id
            .trim()
            .parse()
            .with_context(|| format!("the process id of {}", command.get_program().display()))?;
        Ok(Self { shell, signals, id })
    }

    /// The process id of the program itself.
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// Sends a signal, by its name without `SIG`. Nothing happens if the program has ended.
    pub(crate) fn signal(&mut self, name: &str) {
        if let Some(pipe) = &mut self.signals {
            // A broken pipe means that the program has ended.
            let _ = writeln!(pipe, "{name}");
        }
    }

    /// How the program ended, if it did.
    pub(crate) fn exited(&mut self) -> Result<Option<ExitStatus>> {
        self.shell.try_wait().context("ask whether a program has ended")
    }

    /// Kills the program, and waits until it is gone.
    pub(crate) fn kill(&mut self) {
        drop(self.signals.take());
        // It can only fail if somebody else has waited for the process, and then it is gone too.
        let _ = self.shell.wait();
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Removes a folder when this process ends without having done so itself.
#[derive(Debug)]
pub(crate) struct Keeper {
    shell: Child,
}

impl Keeper {
    /// Keeps `folder` from outliving this process.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let shell = script(KEEPER, "operatorkit-keeper", [folder.as_os_str()])
            .stdout(Stdio::null())
            .spawn()
            .context("start sh, which removes the control plane's folder at the end")?;
        Ok(Self { shell })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

/// A shell in a process group of its own, so that Ctrl-C in a terminal reaches only us.
fn script<'a>(text: &str, name: &str, args: impl IntoIterator<Item = &'a OsStr>) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", text, name])
        .args(args)
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0);
    shell
}
