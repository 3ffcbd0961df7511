//! How long an object waits after an error: exponential, with jitter and a cap.
//!
//! Not `backon`, whose `ExponentialBackoff` is meant to live as long as one retried call: its jitter adds up to the whole delay on top
//! of the cap, it takes 120 bytes per object, and neither a hint nor the object's generation can enter it. What is left is one line.

use std::time::Duration;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The first delay; each further one is twice as long.
pub(crate) const FIRST: Duration = Duration::from_millis(500);
/// The longest delay, and that of permanent errors.
pub(crate) const CAP: Duration = Duration::from_mins(5);

/// The backoff of one object.
///
/// Delays are shortened by up to a fifth, so that objects that failed together do not come back together and none waits longer than the cap.
/// The jitter depends on the UID and on how many delays were drawn, and on nothing else.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    seed: u64,
    drawn: u32,
    failures: u32,
    generation: Option<i64>,
}

/// What an error says of the next try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RetryHint {
    /// Not to be hurried: straight to the cap.
    pub(crate) permanent: bool,
    /// Exactly this long, whatever else is said.
    pub(crate) retry_after: Option<Duration>,
}

impl Backoff {
    pub(crate) fn for_object(uid: &str) -> Self {
        Self {
            seed: xxh3_64(uid.as_bytes()),
            drawn: 0,
            failures: 0,
            generation: None,
        }
    }

    /// The delay after one more failure. A generation that is not the last one, a new spec, begins anew.
    ///
    /// Only failures without a hint make the next delay longer.
    pub(crate) fn next(&mut self, generation: Option<i64>, hint: RetryHint) -> Duration {
        if self.generation != generation {
            self.generation = generation;
            self.reset();
        }
        if let Some(after) = hint.retry_after {
            return after;
        }
        if hint.permanent {
            return self.jittered(CAP);
        }
        let delay = FIRST.saturating_mul(2_u32.saturating_pow(self.failures)).min(CAP);
        self.failures = self.failures.saturating_add(1);
        self.jittered(delay)
    }

    /// Begins anew, after a success.
    pub(crate) fn reset(&mut self) {
        self.failures = 0;
    }

    /// The delay, shortened by up to a fifth; also for the resync, so that objects that came together spread out.
    pub(crate) fn jittered(&mut self, delay: Duration) -> Duration {
        self.drawn = self.drawn.wrapping_add(1);
        let [.., a, b] = xxh3_64_with_seed(&self.drawn.to_le_bytes(), self.seed).to_le_bytes();
        let share = f64::from(u16::from_le_bytes([a, b])) / f64::from(u16::MAX);
        delay.mul_f64(1.0 - 0.2 * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_HINT: RetryHint = RetryHint {
        permanent: false,
        retry_after: None,
    };

    fn assert_about(delay: Duration, wanted: Duration) {
        assert!(
            delay <= wanted && delay >= wanted.mul_f64(0.79),
            "{delay:?} is not about {wanted:?}"
        );
    }

    #[test]
    fn doubles_up_to_the_cap() {
        let mut backoff = Backoff::for_object("a");
        for exponent in 0..10 {
            assert_about(backoff.next(Some(1), NO_HINT), FIRST * 2_u32.pow(exponent));
        }
        for _ in 0..100 {
            assert_about(backoff.next(Some(1), NO_HINT), CAP);
        }
    }

    #[test]
    fn a_success_and_a_new_spec_begin_anew() {
        let mut backoff = Backoff::for_object("a");
        let fail = |backoff: &mut Backoff, generation| (0..5).map(|_| backoff.next(generation, NO_HINT)).last();
        assert_about(fail(&mut backoff, Some(1)).unwrap(), FIRST * 16);
        assert_about(backoff.next(Some(2), NO_HINT), FIRST);
        fail(&mut backoff, Some(2));
        backoff.reset();
        assert_about(backoff.next(Some(2), NO_HINT), FIRST);
    }

    #[test]
    fn hints_are_followed_and_lengthen_nothing() {
        let mut backoff = Backoff::for_object("a");
        let permanent = RetryHint {
            permanent: true,
            retry_after: None,
        };
        assert_about(backoff.next(None, permanent), CAP);
        let after = Duration::from_secs(7);
        assert_eq!(
            backoff.next(
                None,
                RetryHint {
                    retry_after: Some(after),
                    ..permanent
                }
            ),
            after
        );
        assert_about(backoff.next(None, NO_HINT), FIRST);
    }

    #[test]
    fn the_jitter_differs_by_object_and_is_the_same_each_time() {
        let draw = |uid: &str| {
            let mut backoff = Backoff::for_object(uid);
            (0..50).map(|_| backoff.jittered(CAP)).collect::<Vec<_>>()
        };
        assert_eq!(draw("a"), draw("a"));
        assert_ne!(draw("a"), draw("b"));
        let (least, most) = (
            draw("a").into_iter().min().unwrap(),
            draw("a").into_iter().max().unwrap(),
        );
        assert!(
            most > least + CAP.mul_f64(0.1),
            "{least:?} to {most:?} is hardly a spread"
        );
    }
}
