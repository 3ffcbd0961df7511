//! `docs/parity.md`: each line of its tables names tests, and each of them exists.

use std::collections::BTreeSet;

use crate::table::{document, lines, wrong};

#[test]
fn every_line_names_tests_that_exist() {
    let (folder, document) = document("parity.md");
    assert_eq!(wrong(&folder, &document), Vec::<String>::new());
}

/// What people have there, as the first cells of the lines say it: of v7.4.0.
const CAPABILITIES: [&str; 32] = [
    "`controller.Config`: `Name`, `NewRuntimeObjectFunc`, `Resources`",
    "`controller.Config`: `Selector`, `Namespace`",
    "`controller.Config`: `ResyncPeriod` 5m",
    "`controller.Config`: `Pause`",
    "`controller.Config`: `InitCtx`",
    "`controller.Config`: `SentryDSN`, `SentryTags`; the error is captured",
    "a controller name that is used twice",
    "custom resources, and any built-in kind",
    "`resource.Interface{EnsureCreated, EnsureDeleted, Name}`",
    "`crud.Resource` and its steps",
    "`configmapresource`, `secretresource` with allowed labels",
    "`retryresource`, `metricsresource`",
    "`resourcecanceledcontext`",
    "`reconciliationcanceledcontext`",
    "`finalizerskeptcontext`",
    "repetition by the resync",
    "`updateallowedcontext`, `cachekeycontext`",
    "the finalizer `operatorkit.giantswarm.io/<name>`",
    "pause annotations",
    "a Warning Event for an error with Kind and Desc",
    "metrics under `operatorkit_controller_…`",
    "client configuration: kubeconfig",
    "client configuration: in-cluster",
    "client configuration: address, TLS from files",
    "client configuration: TLS from raw PEM bytes, which win over files",
    "logs as JSON",
    "`GetFinalizerName()`",
    "`Booted()`",
    "`Stop(ctx)`",
    "`Reconcile(ctx, req)` without booting",
    "docs: control flow, file structure, short loops, status subresource, metrics provider, pause, troubleshooting, finalizers, events",
    "integration tests in a kind cluster",
];

/// What the passes of a deletion come to.
const DELETIONS: [&str; 7] = [
    "all ok",
    "one resource cancels itself",
    "keep finalizers",
    "reconciliation cancelled",
    "error",
    "paused",
    "finalizer absent",
];

const METRICS: [&str; 7] = [
    "errors_total",
    "event",
    "last_reconciled",
    "creation_timestamp",
    "deletion_timestamp",
    "operation_total",
    "operation",
];

const LOG_KEYS: [&str; 7] = [
    "controller",
    "event",
    "loop",
    "object",
    "resource",
    "version",
    "function",
];

const INTEGRATION_TESTS: [&str; 9] = [
    "basic",
    "control flow",
    "error",
    "event",
    "finalizer",
    "parallel",
    "pause",
    "reconciliation",
    "status update",
];

const UNIT_TESTS: [&str; 11] = [
    "the finalizer patch, none set",
    "the finalizer patch, set",
    "the finalizer patch, being deleted",
    "the finalizer patch, others set",
    "the pause matrix: `true`, `false`, empty, other key, other case",
    "control-flow marks that are set never, once, three times",
    "an empty resource list",
    "a cancel in the third of five resources",
    "a skip in the third of five resources",
    "a cancel in the middle of an `External`'s steps",
    "a retry once and twice at a single step",
];

/// The numbers of the traps: those that are not there are no traps of Go operatorkit's that touch us.
fn traps() -> impl Iterator<Item = String> {
    let numbers = (1..=29).filter(|number| ![4, 15, 24].contains(number));
    numbers.map(|number| format!("T{number}"))
}

#[test]
fn no_line_is_left_out() {
    let (_, document) = document("parity.md");
    let lines = lines(&document);
    let subjects: BTreeSet<_> = lines.iter().map(|line| line.subject.as_str()).collect();
    assert_eq!(subjects.len(), lines.len(), "each line stands once");
    let all = traps()
        .chain(CAPABILITIES.map(str::to_owned))
        .chain(DELETIONS.map(|it| format!("deletion, {it}")))
        .chain(METRICS.map(|it| format!("`operatorkit_controller_{it}`")))
        .chain(LOG_KEYS.map(|it| format!("log key `{it}`")))
        .chain(INTEGRATION_TESTS.map(|it| format!("*{it}*")))
        .chain(UNIT_TESTS.map(str::to_owned));
    let left_out: Vec<_> = all.filter(|subject| !subjects.contains(subject.as_str())).collect();
    assert_eq!(left_out, Vec::<String>::new());
}
