//! The control plane that the tests of one process share.

use std::{env, sync::OnceLock, thread};

use super::{ControlPlane, Options};
use crate::{build::NoTools, console};

/// Set to `1`, tests that need a control plane fail where they would be skipped.
const REQUIRE: &str = "OPERATORKIT_REQUIRE_CONTROL_PLANE";

// Never dropped: what ends the servers is the end of this process.
static SHARED: OnceLock<Result<ControlPlane, Failure>> = OnceLock::new();

#[derive(Debug)]
struct Failure {
    text: String,
    no_tools: bool,
}

impl ControlPlane {
    /// The one control plane of this process, started by the first caller (which blocks, see [`start`](Self::start)) and
    /// stopped when the process ends. `None` where it cannot be had, without Go and without `KUBEBUILDER_ASSETS`: after a line
    /// on standard error, past the test harness's capture, that names the test and the reason.
    ///
    /// # Panics
    /// If it does not start; and instead of `None` if `OPERATORKIT_REQUIRE_CONTROL_PLANE` is `1`.
    #[track_caller]
    pub fn shared() -> Option<&'static ControlPlane> {
        let started = SHARED.get_or_init(|| {
            Self::start(&Options::default()).map_err(|error| Failure {
                no_tools: error.downcast_ref::<NoTools>().is_some(),
                text: format!("{error:#}"),
            })
        });
        let failure = match started {
            Ok(running) => return Some(running),
            Err(failure) => failure,
        };
        // The harness names a test's thread after the test.
        let thread = thread::current();
        let test = thread.name().unwrap_or("a test");
        let required = env::var_os(REQUIRE).is_some_and(|value| value == "1");
        assert!(failure.no_tools, "{test} has no control plane: {}", failure.text);
        assert!(
            !required,
            "{test} has no control plane, and {REQUIRE}=1 asks for one: {}",
            failure.text
        );
        console::say(&format!("skipped {test}: no control plane: {}", failure.text));
        None
    }
}
