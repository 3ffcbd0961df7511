//! A case by its number, and the smallest one in it that still differs.

use std::time::{Duration, Instant};

use proptest::{
    strategy::{Strategy as _, ValueTree as _},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use super::{
    play::{Difference, play},
    smaller,
    step::{Step, steps},
};
use crate::server::Server;

/// How long a case is made smaller.
const PATIENCE: Duration = Duration::from_mins(1);

/// Plays case `at` of a seed; if it differs, the smallest found in it that does.
///
/// Requests take time, so it is not proptest that makes them fewer: it tries one at a time, from the first on.
pub(super) async fn case(real: &Server, embedded: &Server, seed: u64, at: u64) -> Result<(), Box<Difference>> {
    let steps = drawn(seed, at);
    let Err(found) = play(real, embedded, &steps).await else {
        return Ok(());
    };
    let mut shrinking = Shrinking {
        real,
        embedded,
        steps,
        found,
        start: Instant::now(),
    };
    shrinking.shrink().await;
    Err(shrinking.found)
}

struct Shrinking<'a> {
    real: &'a Server,
    embedded: &'a Server,
    steps: Vec<Step>,
    found: Box<Difference>,
    start: Instant,
}

impl Shrinking<'_> {
    async fn shrink(&mut self) {
        if let Some(at) = self.found.step {
            self.take(self.steps[..=at].to_vec()).await;
        }
        for chunk in smaller::chunks(self.steps.len()) {
            // What is at this place now has not been tried in this size.
            if chunk.end <= self.steps.len() {
                let mut fewer = self.steps.clone();
                fewer.drain(chunk);
                self.take(fewer).await;
            }
        }
        for at in 0..self.steps.len() {
            let mut tried = 0;
            while let Some(simpler) = smaller::simpler(&self.steps[at]).get(tried) {
                let mut steps = self.steps.clone();
                steps[at] = simpler.clone();
                if !self.take(steps).await {
                    tried += 1;
                }
            }
        }
    }

    /// Goes on with these steps if they still differ in the same way.
    async fn take(&mut self, steps: Vec<Step>) -> bool {
        if self.start.elapsed() > PATIENCE {
            return false;
        }
        match play(self.real, self.embedded, &steps).await {
            Err(found) if found.sign() == self.found.sign() => {
                self.steps = steps;
                self.found = found;
                true
            }
            _ => false,
        }
    }
}

fn drawn(seed: u64, at: u64) -> Vec<Step> {
    let bytes: Vec<u8> = [seed, at, 0, 0].into_iter().flat_map(u64::to_le_bytes).collect();
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    steps().new_tree(&mut runner).expect("steps").current()
}
