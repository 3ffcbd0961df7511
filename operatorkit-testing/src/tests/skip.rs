//! A machine without Go.

use std::process::Output;

use super::this_binary;

const TEST: &str = "tests::process::a_dropped_program_is_gone";
const REASON: &str = "there is no `go` in PATH: install Go 1.26";

fn without_go(require: &str) -> Output {
    let nothing = tempfile::tempdir().unwrap();
    let mut command = this_binary(TEST);
    command
        .env("PATH", nothing.path())
        .env("OPERATORKIT_CACHE", nothing.path())
        .env_remove("KUBEBUILDER_ASSETS");
    command
        .env("OPERATORKIT_REQUIRE_CONTROL_PLANE", require)
        .output()
        .unwrap()
}

#[test]
fn a_test_is_skipped_in_one_line_that_says_why() {
    let output = without_go("0");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains(&format!("skipped {TEST}: no control plane: {REASON}")),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_required_control_plane_fails_the_test() {
    let output = without_go("1");
    assert!(!output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains(REASON) && said.contains("OPERATORKIT_REQUIRE_CONTROL_PLANE=1"),
        "{said}"
    );
}
