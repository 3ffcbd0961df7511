//! Resyncs: each object in its time, and not all at once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use operatorkit::{RunSettings, Trigger, anyhow::ensure, prelude::*};
use operatorkit_testing::{PATIENCE, wait_for};
use tokio::time::Instant;

use crate::scene::Scene;

#[operator(group = "resync.test", version = "v1", kind = "Clock", namespaced, resources(Tick))]
pub(crate) struct ClockSpec {}

/// When each object had its passes, and which of them were resyncs.
type Ticks = Arc<Mutex<BTreeMap<String, Vec<(Instant, bool)>>>>;

#[resource]
pub(crate) struct Tick(Ticks);

impl Step for Tick {
    type Operator = Clock;
    type Output = ();
    async fn ensure_created(&self, _clock: &Clock, cx: &Cx<Self>) -> Result<Flow<()>> {
        let resync = cx.triggers() == Trigger::Resync.into();
        let mut ticks = self.0.lock().expect("no panic");
        let of_object = ticks.entry(cx.name().to_owned()).or_default();
        of_object.push((Instant::now(), resync));
        Ok(().into())
    }
}

const RESYNC: Duration = Duration::from_secs(100);
const OBJECTS: usize = 30;

#[tokio::test(start_paused = true)]
async fn objects_that_came_together_are_resynced_apart() {
    let scene = Scene::alone("resync").await;
    scene.install::<Clock>().await;
    for n in 0..OBJECTS {
        scene.create(&Clock::new(&format!("x-{n}"), ClockSpec {})).await;
    }
    let ticks = Ticks::default();
    let made = ticks.clone();
    let app = App::new("clocks").operator(|_env| async { Ok(ClockResources { tick: Tick(made) }) });
    let settings = RunSettings {
        namespaces: vec![scene.namespace.clone()],
        resync: RESYNC,
        ..RunSettings::default()
    };
    let running = scene.start_with(app, settings);
    wait_for("all had a pass", PATIENCE, async || {
        ensure!(ticks.lock().expect("no panic").len() == OBJECTS);
        Ok(())
    })
    .await;
    tokio::time::sleep(RESYNC * 4).await;
    running.stop().await;
    let ticks = ticks.lock().expect("no panic");
    let mut first = Vec::new();
    for (name, ticks) in ticks.iter() {
        let resyncs: Vec<_> = ticks.windows(2).filter(|pair| pair[1].1).collect();
        assert!((3..=5).contains(&resyncs.len()), "{name}: {ticks:?}");
        for pair in &resyncs {
            // A fifth sooner at most, and never later; what a pass itself takes is little.
            let waited = pair[1].0 - pair[0].0;
            let shortest = RESYNC.mul_f64(0.8);
            assert!(
                (shortest..=RESYNC + Duration::from_secs(1)).contains(&waited),
                "{name}: {waited:?}"
            );
        }
        first.push(resyncs[0][1].0);
    }
    let (earliest, latest) = (first.iter().min().expect("some"), first.iter().max().expect("some"));
    let spread = *latest - *earliest;
    assert!(spread > RESYNC.mul_f64(0.1), "{spread:?} is hardly a spread");
}
