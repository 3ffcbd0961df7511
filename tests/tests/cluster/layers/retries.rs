//! A retry repeats the operation that failed, and no other; `create` never blindly.

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use operatorkit::{
    layer::{Layer, Next, Operation, Retry, Timeout, Verb},
    prelude::*,
    serde_json::json,
};
use operatorkit_testing::{PATIENCE, eventually_gone};
use tokio::time::Instant;

use super::thing::{Provider, Thing, app};
use crate::{
    flow::script::{Answer, Failing, Script},
    scene::Scene,
};

async fn things(name: &'static str) -> (Scene, Arc<Provider>) {
    let scene = Scene::alone(name).await;
    scene.install::<Thing>().await;
    (scene, Provider::new())
}

/// `calls`, with one of them so many times more.
fn repeated(calls: &[&'static str], one: &str, more: usize) -> Vec<&'static str> {
    let times = |call: &str| if call == one { 1 + more } else { 1 };
    calls
        .iter()
        .flat_map(|call| std::iter::repeat_n(*call, times(call)))
        .collect()
}

/// Go operatorkit's tests of its `retryresource`: once and twice at a single step.
#[tokio::test(start_paused = true)]
async fn a_retry_once_and_twice_at_a_single_step_repeats_only_that_step() {
    let (scene, provider) = things("layers-retry").await;
    let running = scene.start(app(&provider));
    scene.thing("x").await;
    let _ready: Thing = scene.ready("x").await;
    let mut size = 1;
    for times in [1, 2] {
        for step in ["wanted", "observe", "update"] {
            size += 1;
            provider.fail(step, times);
            provider.forget_calls();
            scene.patch::<Thing>("x", json!({ "spec": { "size": size } })).await;
            let calls = repeated(&["wanted", "observe", "update"], step, times as usize);
            provider.called(&calls).await;
            let _ready: Thing = scene.ready("x").await;
            assert_eq!(provider.sizes(), [size]);
        }
    }
    provider.fail("delete", 2);
    provider.forget_calls();
    scene.delete::<Thing>("x").await;
    eventually_gone(&scene.api::<Thing>(), "x", PATIENCE).await;
    assert_eq!(provider.calls(), ["delete", "delete", "delete"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn after_the_last_attempt_the_object_is_left_to_its_backoff() {
    let (scene, provider) = things("layers-last").await;
    let running = scene.start(app(&provider));
    scene.thing("x").await;
    let _ready: Thing = scene.ready("x").await;
    provider.fail("observe", 3);
    provider.forget_calls();
    scene.patch::<Thing>("x", json!({ "spec": { "size": 2 } })).await;
    provider
        .called(&["wanted", "observe", "observe", "observe", "wanted", "observe", "update"])
        .await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_create_that_failed_is_looked_for_before_it_is_tried_again() {
    let (scene, provider) = things("layers-create").await;
    let running = scene.start(app(&provider));
    provider.fail("create", 2);
    scene.thing("x").await;
    provider
        .called(&["wanted", "create", "find", "create", "find", "create"])
        .await;
    let _ready: Thing = scene.ready("x").await;
    assert_eq!(provider.sizes(), [1]);

    // Made, and told as failed: it is found, and not made twice.
    provider.fail_after("create");
    provider.forget_calls();
    scene.thing("y").await;
    provider.called(&["wanted", "create", "find"]).await;
    let _ready: Thing = scene.ready("y").await;
    assert_eq!((provider.count("create"), provider.sizes().len()), (1, 2));
    running.stop().await;
}

/// Runs everything twice, whatever it answers.
struct Twice;

impl Layer for Twice {
    fn call<'a>(&'a self, _operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(async move {
            let _first = next.run().await;
            next.run().await
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_layer_that_runs_create_twice_makes_one_thing() {
    let (scene, provider) = things("layers-twice").await;
    let running = scene.start(app(&provider).layer(Twice));
    scene.thing("x").await;
    let _ready: Thing = scene.ready("x").await;
    assert_eq!((provider.count("create"), provider.sizes().len()), (1, 1));
    running.stop().await;
}

/// A thing whose provider cannot be asked.
#[operator(
    group = "layers.test",
    version = "v1",
    kind = "Blind",
    namespaced,
    resources(Untagged),
    layers(Retry::new(3))
)]
pub(crate) struct BlindSpec {}

#[resource(recover = "manual")]
pub(crate) struct Untagged(Arc<Provider>);

impl External for Untagged {
    type Operator = Blind;
    type State = usize;
    async fn find(&self, token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<usize>> {
        self.0.find(token.as_str())
    }
    async fn observe(&self, _blind: &Blind, state: &usize, _cx: &Cx<Self>) -> Result<Flow<Observed<usize>>> {
        Ok(Observed::Matches(*state).into())
    }
    async fn create(&self, _blind: &Blind, token: &Token, _cx: &Cx<Self>) -> Result<Flow<usize>> {
        Ok(self.0.create(token.as_str(), 1)?.into())
    }
    async fn update(&self, _blind: &Blind, state: &usize, _cx: &Cx<Self>) -> Result<Flow<usize>> {
        Ok((*state).into())
    }
    async fn delete(&self, _state: &usize, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        Ok(Flow::Ready(()))
    }
}

fn blind(provider: &Arc<Provider>) -> App {
    let provider = provider.clone();
    App::new("blinds").operator(|_env| async {
        Ok(BlindResources {
            untagged: Untagged(provider),
        })
    })
}

#[tokio::test(start_paused = true)]
async fn where_the_provider_cannot_be_asked_create_is_not_tried_again() {
    let scene = Scene::alone("layers-manual").await;
    scene.install::<Blind>().await;
    for (name, twice) in [("retry", false), ("layer", true)] {
        let provider = Provider::new();
        let app = blind(&provider);
        let running = scene.start(if twice { app.layer(Twice) } else { app });
        provider.fail_after("create");
        scene.create(&Blind::new(name, BlindSpec {})).await;
        let _waiting: Blind = scene.condition(name, "Ready", "False", "DecisionNeeded").await;
        assert_eq!((provider.calls(), provider.sizes().len()), (vec!["create"], 1));
        running.stop().await;
    }
}

/// Waits long between its attempts.
#[operator(group = "layers.test", version = "v1", kind = "Slow", namespaced, resources(Fails), layers(Retry::new(9).wait(LONG)))]
pub(crate) struct SlowSpec {}

const LONG: Duration = Duration::from_secs(25);

#[resource]
pub(crate) struct Fails(Arc<Script>);

impl Step for Fails {
    type Operator = Slow;
    type Output = ();
    async fn ensure_created(&self, _slow: &Slow, _cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.call("create", |_| {})
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_waits_ends_at_the_shutdown() {
    let scene = Scene::alone("layers-stop").await;
    scene.install::<Slow>().await;
    let script = Script::new();
    script.on("create", Answer::Fail(Failing::default()));
    let failing = Fails(script.clone());
    let running = scene.start(App::new("slow").operator(|_env| async { Ok(SlowResources { fails: failing }) }));
    scene.create(&Slow::new("x", SlowSpec {})).await;
    script.called("create", 1).await;
    let start = Instant::now();
    running.stop().await;
    let took = start.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(script.count("create"), 1, "no attempt begins at the shutdown");
}

#[tokio::test(start_paused = true)]
async fn a_timeout_drops_a_create_and_what_it_made_is_found() {
    let (scene, provider) = things("layers-timeout").await;
    let hangs = Arc::new(Hangs);
    let limit = Duration::from_secs(2);
    let running = scene.start(app(&provider).layer(Timeout::after(limit)).layer(hangs));
    scene.thing("x").await;
    let failed: Thing = scene.condition("x", "Ready", "False", "TimedOut").await;
    let failed = operatorkit::serde_json::to_value(failed).expect("JSON");
    let message = &crate::scene::line(&failed, "net")["message"];
    assert_eq!(message, "`create` did not end within 2s");
    // The next pass asks the provider first.
    let _ready: Thing = scene.ready("x").await;
    assert_eq!(
        (provider.count("create"), provider.count("find"), provider.sizes().len()),
        (1, 1, 1)
    );
    running.stop().await;
}

/// Lets `create` do its work, and never answers.
struct Hangs;

impl Layer for Hangs {
    fn call<'a>(&'a self, operation: &'a Operation<'a>, next: Next<'a>) -> BoxFuture<'a, Result<Flow<()>>> {
        Box::pin(async move {
            let answer = next.run().await;
            if operation.verb == Verb::Create {
                std::future::pending::<()>().await;
            }
            answer
        })
    }
}
