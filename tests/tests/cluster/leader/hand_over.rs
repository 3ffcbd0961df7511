//! A graceful end: the Lease is kept until all is done, and then given up.

use super::*;

#[tokio::test(start_paused = true)]
async fn the_lease_is_given_up_after_the_running_passes() {
    let replicas = Replicas::alone("end").await;
    let (leader, running) = replicas.leader().await;
    let (candidate, waiting) = replicas.candidate().await;
    replicas.task("x", "one", 20).await;
    let begun = |who: &str| replicas.done().iter().any(|it| it.0 == who && it.1 == "begins");
    wait_for("its step begins", PATIENCE, async || {
        ensure!(begun(&leader), "not yet");
        Ok(())
    })
    .await;
    // Longer than the lease duration: it is renewed while the end is under way.
    let stopping = Instant::now();
    running.stop().await;
    let stopped = stopping.elapsed();
    assert!(stopped >= 19 * SECOND && stopped <= 22 * SECOND, "{stopped:?}");
    let (_, what, ended) = replicas.done().into_iter().rfind(|it| it.0 == leader).expect("done");
    assert_eq!(what, "ends");
    let (holder, transitions) = replicas.holder().await.expect("a Lease");
    assert!(holder.is_empty() && transitions == 0, "{holder} {transitions}");

    wait_for("the other one works", PATIENCE, async || {
        ensure!(begun(&candidate), "not yet");
        Ok(())
    })
    .await;
    let (.., next) = replicas.done().into_iter().find(|it| it.0 == candidate).expect("begun");
    let between = next.duration_since(ended);
    assert!(
        between <= LOOK + SECOND,
        "{between:?}: nobody waits for the Lease to expire"
    );
    assert_eq!(replicas.holder().await.expect("a Lease").1, 1);
    waiting.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_candidate_that_ends_leaves_the_lease_alone() {
    let replicas = Replicas::alone("candidate").await;
    let (_leader, running) = replicas.leader().await;
    let (candidate, waiting) = replicas.candidate().await;
    let (holder, _) = replicas.holder().await.expect("a Lease");
    waiting.stop().await;
    assert_eq!(replicas.writes(&candidate).await, 0);
    assert_eq!(replicas.holder().await.expect("a Lease").0, holder);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_lease_whose_passes_were_cut_off_is_left_to_expire() {
    let replicas = Replicas::alone("cut").await;
    let who = replicas.scene.cluster.new_admin();
    let settings = RunSettings {
        shutdown_timeout: SECOND,
        ..replicas.settings()
    };
    let running = replicas.scene.start_as(&who, replicas.app(&who), settings);
    replicas.task("x", "one", 20).await;
    wait_for("its step begins", PATIENCE, async || {
        ensure!(!replicas.done().is_empty(), "not yet");
        Ok(())
    })
    .await;
    let (candidate, waiting) = replicas.candidate().await;
    running.stop().await;
    let stopped = Instant::now();
    assert!(!replicas.holder().await.expect("a Lease").0.is_empty());
    wait_for("the other one works", PATIENCE, async || {
        ensure!(replicas.done().iter().any(|it| it.0 == candidate), "not yet");
        Ok(())
    })
    .await;
    let waited = stopped.elapsed();
    assert!(
        waited >= 12 * SECOND,
        "{waited:?}: what was cut off may still have an effect"
    );
    waiting.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_the_election_asks_is_counted() {
    let replicas = Replicas::alone("counted").await;
    let who = replicas.scene.cluster.new_admin();
    let app = replicas.app(&who);
    let scraper = app.scraper();
    let name = "operatorkit_controller_rest_client_requests_total{controller=\"<leader-election>\"";
    assert!(!scraper.scrape().contains(name), "there is none without an election");
    let running = replicas.scene.start_as(&who, app, replicas.settings());
    let count = |verb: &str, code: &str| {
        let sample = format!("{name},verb=\"{verb}\",code=\"{code}\"}} ");
        let text = scraper.scrape();
        let value = text.lines().find_map(|line| line.strip_prefix(&sample));
        value.map(|value| value.parse::<usize>().expect("a number"))
    };
    wait_for("it renews", PATIENCE, async || {
        ensure!(count("update", "200") >= Some(3), "{:?}", count("update", "200"));
        Ok(())
    })
    .await;
    assert_eq!(
        (count("get", "404"), count("create", "201"), count("update", "<error>")),
        (Some(1), Some(1), Some(0))
    );
    running.stop().await;
    let log = replicas.scene.cluster.audit().since(replicas.start).await.by_user(&who);
    let asked = |verb: &str| {
        log.iter()
            .filter(|it| it.verb == verb && it.resource() == "leases")
            .count()
    };
    let counted = ["get", "create", "update"].map(|verb| {
        [count(verb, "200"), count(verb, "201"), count(verb, "404")]
            .into_iter()
            .flatten()
            .sum::<usize>()
    });
    assert_eq!(counted, ["get", "create", "update"].map(asked));
}
