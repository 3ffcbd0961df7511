//! Who leads, and when that changes.

use operatorkit::{
    k8s_openapi::{
        api::{
            coordination::v1::LeaseSpec,
            rbac::v1::{ClusterRole, ClusterRoleBinding},
        },
        apimachinery::pkg::apis::meta::v1::MicroTime,
        jiff::Timestamp,
    },
    kube::api::{DeleteParams, ObjectMeta, Patch, PatchParams, PostParams},
    serde_json::from_value,
};

use super::*;
use crate::{logs::Logs, servers::on_both};

#[tokio::test(start_paused = true)]
async fn without_an_election_nothing_is_asked_about_leases() {
    let replicas = Replicas::alone("off").await;
    let settings = RunSettings {
        leader_election: None,
        ..replicas.settings()
    };
    let user = replicas.scene.user.clone();
    let running = replicas.scene.start_as(&user, replicas.app("me"), settings);
    replicas.task("x", "one", 0).await;
    let _ready: Task = replicas.scene.ready("x").await;
    sleep(60 * SECOND).await;
    let requests = replicas
        .scene
        .cluster
        .audit()
        .since(replicas.start)
        .await
        .by_user(&user);
    assert!(requests.iter().all(|it| it.resource() != "leases"), "{requests}");
    assert!(
        requests.clone().writes().iter().all(|it| !it.uri.contains("timeout=")),
        "{requests}"
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_candidate_is_warm_and_takes_over_after_a_crash_but_not_before_the_lease_has_expired() {
    let replicas = Replicas::alone("crash").await;
    let (leader, running) = replicas.leader().await;
    replicas.task("x", "one", 0).await;
    let _ready: Task = replicas.scene.ready("x").await;
    let (candidate, waiting) = replicas.candidate().await;
    // Longer than any of the times.
    sleep(120 * SECOND).await;
    replicas.task("y", "one", 0).await;
    let _ready: Task = replicas.scene.ready("y").await;
    assert_eq!(replicas.writes(&candidate).await, 0);
    let (holder, transitions) = replicas.holder().await.expect("a Lease");
    assert_eq!(transitions, 0);

    drop(running);
    let crashed = Instant::now();
    replicas.note("x", "two").await;
    let reads = replicas.scene.cluster.audit().mark().await;
    replicas.noted("x", "two").await;
    let waited = crashed.elapsed();
    // The last renewal was at most a retry period before the crash; the candidate saw it at its next look.
    assert!(
        waited >= 13 * SECOND && waited <= 15 * SECOND + LOOK + SECOND,
        "{waited:?}"
    );
    let (next, transitions) = replicas.holder().await.expect("a Lease");
    assert_eq!(transitions, 1);
    assert_ne!(next, holder);
    // It was warm: nothing was listed again.
    let requests = replicas.scene.cluster.audit().since(reads).await.by_user(&candidate);
    assert!(requests.iter().all(|it| it.verb != "list"), "{requests}");
    assert!(replicas.done().iter().any(|(who, ..)| *who == candidate));
    assert!(leader != candidate);
    waiting.stop().await;
}

#[tokio::test(start_paused = true)]
async fn times_in_the_lease_do_not_matter_only_what_the_candidate_saw() {
    for (name, renewed) in [("past", "1970-01-02T00:00:00Z"), ("future", "2970-01-01T00:00:00Z")] {
        let replicas = Replicas::alone(name).await;
        let time: Timestamp = renewed.parse().expect("a time");
        let lease = Lease {
            metadata: ObjectMeta {
                name: Some("tasks".to_owned()),
                ..ObjectMeta::default()
            },
            spec: Some(LeaseSpec {
                holder_identity: Some("ghost".to_owned()),
                lease_duration_seconds: Some(15),
                renew_time: Some(MicroTime(time)),
                acquire_time: Some(MicroTime(time)),
                lease_transitions: Some(41),
                ..LeaseSpec::default()
            }),
        };
        replicas
            .leases()
            .create(&PostParams::default(), &lease)
            .await
            .expect("created");
        let start = Instant::now();
        let (_who, running) = replicas.leader().await;
        let waited = start.elapsed();
        assert!(
            waited >= 15 * SECOND && waited <= 15 * SECOND + LOOK,
            "{name}: {waited:?}"
        );
        assert_eq!(replicas.holder().await.expect("a Lease").1, 42);
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_somebody_deletes_or_annotates_stays_with_its_leader() {
    let replicas = Replicas::alone("deleted").await;
    let (leader, running) = replicas.leader().await;
    let (candidate, waiting) = replicas.candidate().await;
    let (holder, _) = replicas.holder().await.expect("a Lease");
    let note = Patch::Merge(json!({ "metadata": { "annotations": { "a": "b" } } }));
    let noted = replicas.leases().patch("tasks", &PatchParams::default(), &note).await;
    noted.expect("annotated");
    sleep(60 * SECOND).await;
    let found = replicas.leases().get("tasks").await.expect("a Lease");
    assert_eq!(
        found.metadata.annotations.expect("annotations")["a"],
        "b",
        "what others wrote stays"
    );

    let deleted = replicas.leases().delete("tasks", &DeleteParams::default()).await;
    let _deleted = deleted.expect("deleted");
    sleep(60 * SECOND).await;
    replicas.task("x", "one", 0).await;
    replicas.noted("x", "one").await;
    assert_eq!(replicas.holder().await.expect("made again").0, holder);
    assert_eq!(replicas.writes(&candidate).await, 0);
    assert!(replicas.writes(&leader).await > 0);
    running.stop().await;
    waiting.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_leader_whose_lease_another_took_ends_at_once() {
    let replicas = Replicas::alone("taken").await;
    let (_leader, running) = replicas.leader().await;
    let taken = Patch::Merge(json!({ "spec": { "holderIdentity": "thief" } }));
    let taken = replicas.leases().patch("tasks", &PatchParams::default(), &taken).await;
    taken.expect("taken");
    let since = Instant::now();
    let err = running.ended().await.expect_err("the leadership was lost");
    assert!(since.elapsed() < 3 * SECOND, "{:?}", since.elapsed());
    let err = format!("{err:#}");
    assert!(
        err.contains("leadership was lost") && err.contains("`thief` holds it"),
        "{err}"
    );
    assert_eq!(replicas.holder().await.expect("a Lease").0, "thief");
}

/// Those of the documentation, and nothing else about Leases.
#[tokio::test(start_paused = true)]
async fn three_verbs_are_all_the_rights_it_takes() {
    let replicas = Replicas::alone("rights").await;
    let scene = &replicas.scene;
    let who = scene.cluster.new_stranger();
    let subject = json!([{ "kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": who }]);
    let rights = |name: &str, rules: operatorkit::serde_json::Value| {
        let role: ClusterRole = from_value(json!({ "metadata": { "name": name }, "rules": rules })).expect("a role");
        let binding: ClusterRoleBinding = from_value(json!({
            "metadata": { "name": name }, "subjects": subject,
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name },
        }))
        .expect("a binding");
        let client = scene.client.clone();
        async move {
            let params = PostParams::default();
            let _role = Api::all(client.clone()).create(&params, &role).await.expect("created");
            let _binding = Api::all(client).create(&params, &binding).await.expect("created");
        }
    };
    let others = json!([{ "apiGroups": ["leader.test", "", "events.k8s.io"], "resources": ["*"], "verbs": ["*"] }]);
    rights("all-but-leases", others).await;
    let logs = Logs::capture();
    let running = scene.start_as(&who, replicas.app(&who), replicas.settings());
    replicas.task("x", "one", 0).await;
    let remedy = "grant `get` on `leases.coordination.k8s.io`";
    let _line = logs.wait_for(&["WARN", remedy], PATIENCE).await;
    assert!(
        replicas
            .scene
            .api::<ConfigMap>()
            .get_opt("x")
            .await
            .expect("an answer")
            .is_none()
    );

    let lease = |resource_names: &[&str], verbs: &[&str]| json!({ "apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "resourceNames": resource_names, "verbs": verbs });
    let leases = json!([lease(&[], &["create"]), lease(&["tasks"], &["get", "update"])]);
    rights("leases", leases).await;
    let _ready: Task = scene.ready("x").await;
    running.stop().await;
    assert_eq!(replicas.holder().await.expect("a Lease").0, "", "it could be given up");
}

async fn one_leads_then_the_other(cluster: &'static Cluster) {
    let election = LeaderElection {
        lease_duration: 4 * SECOND,
        renew_deadline: 3 * SECOND,
        retry_period: Duration::from_millis(500),
        ..LeaderElection::new()
    };
    let replicas = Replicas::on(cluster, "replicas", election).await;
    let (first, running) = replicas.leader().await;
    replicas.task("x", "one", 0).await;
    let _ready: Task = replicas.scene.ready("x").await;
    let (second, waiting) = replicas.candidate().await;
    let (third, also_waiting) = replicas.candidate().await;
    assert_eq!(replicas.writes(&second).await + replicas.writes(&third).await, 0);

    // A graceful end hands over; a crash does not.
    running.stop().await;
    replicas.note("x", "two").await;
    replicas.noted("x", "two").await;
    assert_eq!(replicas.holder().await.expect("a Lease").1, 1);
    let second_leads = replicas.writes(&second).await > 0;
    let (crashing, left) = if second_leads {
        (waiting, also_waiting)
    } else {
        (also_waiting, waiting)
    };
    drop(crashing);
    replicas.note("x", "three").await;
    replicas.noted("x", "three").await;
    assert_eq!(replicas.holder().await.expect("a Lease").1, 2);
    assert!(
        replicas.writes(&first).await > 0 && replicas.writes(&second).await > 0 && replicas.writes(&third).await > 0
    );
    left.stop().await;
}

on_both!(one_leads_then_the_other);
