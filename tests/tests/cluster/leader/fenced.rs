//! A leader that cannot renew writes nothing after its deadline.

use operatorkit::{k8s_openapi::api::core::v1::Namespace, kube::api::PostParams};
use operatorkit_testing::apiserver::fault::{Effect, Fault};

use super::*;

/// Whatever keeps it from renewing.
#[tokio::test(start_paused = true)]
async fn a_leader_that_cannot_renew_stops_before_another_starts() {
    let effects = [
        ("hang", Effect::Hang),
        ("unavailable", Effect::unavailable()),
        ("dropped", Effect::Drop),
        ("unanswered", Effect::DoneButHangs),
    ];
    for (name, effect) in effects {
        let replicas = Replicas::alone(name).await;
        let (leader, running) = replicas.leader().await;
        replicas.task("x", "0", 0).await;
        let _ready: Task = replicas.scene.ready("x").await;
        let (candidate, waiting) = replicas.candidate().await;
        let cut = replicas.scene.cluster.audit().mark().await;
        replicas
            .faults()
            .add(Fault::new(Replicas::about_leases(&leader), effect.clone()));
        let since = Instant::now();

        // There is always something to write.
        let busy = async {
            for n in 1.. {
                replicas.note("x", &n.to_string()).await;
                sleep(SECOND / 4).await;
            }
        };
        let ended = async {
            let err = running.ended().await.expect_err("the leadership was lost");
            (format!("{err:#}"), since.elapsed())
        };
        let (err, held) = tokio::select! { () = busy => unreachable!(), ended = ended => ended };
        assert!(
            err.contains("the leadership was lost") && err.contains("within 10s"),
            "{name}: {err}"
        );
        // What was done without an answer is a renewal that the leader cannot count on, and others can.
        assert!(
            held >= 8 * SECOND && held <= 10 * SECOND + SECOND / 10,
            "{name}: {held:?}"
        );

        replicas.note("x", "last").await;
        replicas.noted("x", "last").await;
        let log = replicas.scene.cluster.audit().since(cut).await;
        let of = |who: &str| log.clone().by_user(who).writes().filter(|it| it.resource() != "leases");
        let (before, after) = (of(&leader), of(&candidate));
        assert!(before.len() > 20, "{name}: it was busy until then: {before}");
        let (last, first) = (
            before.last().expect("some").received,
            after.first().expect("some").received,
        );
        let apart = Duration::try_from(first.duration_since(last)).expect("later");
        assert!(apart + SECOND / 10 >= 5 * SECOND, "{name}: {apart:?} apart");
        waiting.stop().await;
    }
}

/// A write that is under way when the leadership ends does not arrive when another leads.
#[tokio::test(start_paused = true)]
async fn a_write_under_way_does_not_arrive_after_another_leads() {
    let replicas = Replicas::alone("late").await;
    let (leader, running) = replicas.leader().await;
    replicas.task("x", "one", 0).await;
    let _ready: Task = replicas.scene.ready("x").await;
    let (_candidate, waiting) = replicas.candidate().await;
    // What the old leader writes takes half a minute to be done.
    let slow = Matching::writes().resource("configmaps").user(&leader);
    replicas.faults().add(Fault::new(slow, Effect::Delay(30 * SECOND)));
    replicas
        .faults()
        .add(Fault::new(Replicas::about_leases(&leader), Effect::Hang));
    replicas.note("x", "from the old leader").await;
    let _lost = running.ended().await.expect_err("the leadership was lost");
    replicas.note("x", "from the new leader").await;
    replicas.noted("x", "from the new leader").await;
    sleep(60 * SECOND).await;
    replicas.noted("x", "from the new leader").await;
    waiting.stop().await;
}

/// A set-up runs on candidates, too.
#[tokio::test(start_paused = true)]
async fn a_candidates_set_up_writes_nothing_before_it_leads() {
    let replicas = Replicas::alone("set-up").await;
    let (_leader, running) = replicas.leader().await;
    let scene = &replicas.scene;
    let app = |waits: bool, name: &'static str| {
        let (who, done) = ("set-up".to_owned(), replicas.done.clone());
        App::new("tasks").operator(move |env| async move {
            if waits {
                env.leading().await;
            }
            let mut namespace = Namespace::default();
            namespace.metadata.name = Some(name.to_owned());
            let _made = Api::all(env.client())
                .create(&PostParams::default(), &namespace)
                .await?;
            Ok(TaskResources {
                note: Note,
                work: Work { who, done },
            })
        })
    };
    let settings = replicas.settings();
    let hasty = scene.start_as(&scene.cluster.new_admin(), app(false, "hasty"), settings.clone());
    let err = format!("{:#}", hasty.ended().await.expect_err("it does not lead"));
    assert!(
        err.contains("does not lead: `POST /api/v1/namespaces` was not sent"),
        "{err}"
    );

    let patient = scene.start_as(&scene.cluster.new_admin(), app(true, "patient"), settings);
    let namespaces: Api<Namespace> = Api::all(scene.client.clone());
    sleep(60 * SECOND).await;
    assert!(namespaces.get_opt("patient").await.expect("an answer").is_none());
    running.stop().await;
    let _made = eventually(&namespaces, "patient", "is made", PATIENCE, |_| true).await;
    assert!(namespaces.get_opt("hasty").await.expect("an answer").is_none());
    patient.stop().await;
}
