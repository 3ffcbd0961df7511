//! `dev --once`: a life on a server of its own, as it is shown.

use std::{fs, process::Command};

use operatorkit_testing::example_binary;

/// What `<example> dev --once …` says, and whether it ended well.
fn dev(example: &str, args: &[&str], env: &[(&str, &str)]) -> (String, String, bool) {
    let mut command = Command::new(example_binary(example).expect("the example"));
    command.args(["dev", "--once"]).args(args).envs(env.iter().copied());
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.success())
}

/// The lines of one direction, without reasons.
fn lines(said: &str, way: &str) -> Vec<String> {
    let lines = said.lines().filter(|line| line.split_whitespace().next() == Some(way));
    lines
        .map(|line| line.split_whitespace().skip(1).take(3).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn webapp_goes_up_in_one_order_and_down_in_another() {
    let (said, errors, well) = dev("webapp", &[], &[]);
    assert!(well, "{said}{errors}");
    assert_eq!(errors, "");
    let up = lines(&said, "up");
    assert_eq!(
        up,
        ["1 settings Ready", "2 traffic Ready", "3 web Waiting", "3 web Ready"],
        "{said}"
    );
    let mut down = lines(&said, "down");
    down.retain(|line| line.ends_with("Deleted"));
    assert_eq!(
        down,
        ["1 traffic Deleted", "2 web Deleted", "3 settings Deleted"],
        "{said}"
    );
    let at = |text: &str| said.find(text).unwrap_or_else(|| panic!("no {text:?} in {said}"));
    assert!(
        at("WebApp default/hello is ready") < at("deleting WebApp hello"),
        "{said}"
    );
    assert!(
        at("deleting WebApp hello") < at("WebApp default/hello is gone"),
        "{said}"
    );
    let kubeconfig = said
        .split_whitespace()
        .find(|word| word.ends_with(".kubeconfig"))
        .expect("a kubeconfig");
    assert!(!fs::exists(kubeconfig).expect("an answer"), "it is removed at the end");
}

#[test]
fn things_outside_and_existing_kinds_are_shown_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (said, errors, well) = dev(
        "buckets",
        &[],
        &[("BUCKETS_DIR", folder.path().to_str().expect("UTF-8"))],
    );
    assert!(well, "{said}{errors}");
    assert_eq!(
        lines(&said, "up"),
        ["1 store Ready", "2 policy Ready", "3 index Ready"],
        "{said}"
    );
    let down = lines(&said, "down");
    assert_eq!(
        down,
        ["1 index Deleted", "2 store Deleted", "3 policy Deleted"],
        "{said}"
    );

    let (said, errors, well) = dev("mirror", &[], &[]);
    assert!(well, "{said}{errors}");
    assert_eq!(
        (lines(&said, "up"), lines(&said, "down")),
        (vec!["1 copy Ready".into()], vec!["1 copy Deleted".into()])
    );
}

#[test]
fn what_does_not_become_ready_in_time_is_an_error_that_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("webapp.yaml");
    let webapp = "apiVersion: demo.operatorkit.dev/v1\nkind: WebApp\nmetadata: { name: bad }\n\
                  spec: { image: '', replicas: 1, message: hi }\n";
    fs::write(&file, webapp).expect("written");
    let (said, errors, well) = dev(
        "webapp",
        &["--timeout", "2s", "--file", file.to_str().expect("UTF-8")],
        &[],
    );
    assert!(!well, "{said}");
    let last = errors.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("webapp-operator: not ready within 2s: WebApp default/bad: "),
        "{errors}"
    );
    assert!(last.contains("image: Required value"), "{errors}");
    assert_eq!(
        lines(&said, "up")[..2],
        ["1 settings Ready", "2 traffic Ready"],
        "{said}"
    );

    let (_, errors, well) = dev("buckets", &[], &[]);
    assert!(!well && errors.contains("set BUCKETS_DIR"), "{errors}");
}
