//! `replace = "recreate"`: a child that cannot be changed is deleted, and made again once it is gone.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use anyhow::anyhow;
use tokio::time::Instant;

use super::{Pass, creation::Wanted, removal};
use crate::{
    cluster::Failure,
    error::{ErrorExt as _, Result},
    flow::{Flow, Wait},
    operator::Operator,
    record::{HASH_ANNOTATION, Mark},
    store::ChildEntry,
};

/// How long after a deletion the child that was made again is deleted at the earliest; each further time twice as long.
const FIRST: Duration = Duration::from_secs(1);
const CAP: Duration = Duration::from_mins(5);
/// After this time without a deletion, the next one is the first again.
const CALM: Duration = Duration::from_mins(10);

/// Removes a child whose change was refused for nothing but fields that cannot be changed. `Ready`: it is gone, and can be made.
///
/// No loop comes of it: a child that was made of exactly what is refused now would come out the same, so it is left alone, also after
/// a restart; where what is desired is another thing each time, the deletions back off.
pub(super) async fn remove<O: Operator>(
    pass: &Pass<O>,
    wanted: &Wanted<'_>,
    entry: Arc<ChildEntry>,
    failure: &Failure,
) -> Result<Flow<()>> {
    let refused = |remedy: &str| Err(anyhow!("{failure}. {remedy}").reason(failure.reason()).permanent());
    if !wanted.settings.recreate {
        return refused(
            "Say `replace = \"recreate\"` in the #[resource(..)] to have it deleted and made again, delete it, or desire what it has there",
        );
    }
    let kept = Mark::on(&entry.meta()).is_some_and(|mark| mark.keep);
    if kept || wanted.keep {
        return refused("It is to be left behind (`keep_on_delete`), so it is not deleted to make it again either");
    }
    let hash = entry.value()["metadata"]["annotations"][HASH_ANNOTATION].clone();
    if hash == wanted.hash {
        return refused(
            "It was made of exactly this, so making it again would not help: something changes it as it is made",
        );
    }
    let place = entry.key.to_string();
    let now = Instant::now();
    let early = pass
        .running
        .remember(&pass.uid, |memory| memory.recreations.early(&place, now));
    if let Some(again) = early {
        let message = format!("{} cannot be changed, and was made again only just now", entry.key);
        return Ok(Flow::Wait(
            Wait::new(message).with_reason("Recreating").with_again(again),
        ));
    }
    let uid = entry.uid.clone();
    let removed = removal::delete(pass, entry, wanted.settings.delete_propagation).await?;
    let news = pass
        .running
        .remember(&pass.uid, |memory| memory.recreations.begun(place, uid, now));
    if news {
        let message = format!("{} is deleted and made again: {failure}", wanted.key);
        pass.scope.events.normal("Recreated", message);
    }
    Ok(removed)
}

/// When the children of an object were made again last.
#[derive(Debug, Default)]
pub(super) struct Recreations(BTreeMap<String, Recreation>);

#[derive(Debug)]
struct Recreation {
    /// The child that was deleted.
    uid: Arc<str>,
    at: Instant,
    /// How long no other is deleted.
    stays: Duration,
}

impl Recreations {
    /// How long it is too early to make a child again.
    fn early(&self, place: &str, now: Instant) -> Option<Duration> {
        let last = self.0.get(place)?;
        let left = last.stays.saturating_sub(now - last.at);
        (!left.is_zero()).then_some(left)
    }

    /// Notes a deletion; whether it is the first of this child.
    fn begun(&mut self, place: String, uid: Arc<str>, now: Instant) -> bool {
        self.0.retain(|_, last| now - last.at < CALM);
        let last = self.0.get(&place);
        if last.is_some_and(|last| last.uid == uid) {
            return false;
        }
        let stays = last.map_or(FIRST, |last| (last.stays * 2).min(CAP));
        self.0.insert(place, Recreation { uid, at: now, stays });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_again_and_again_stays_longer_each_time() {
        let mut recreations = Recreations::default();
        let mut now = Instant::now();
        assert_eq!(recreations.early("x", now), None);
        for seconds in [1, 2, 4] {
            assert!(recreations.begun("x".into(), now_uid(now), now));
            assert_eq!(recreations.early("x", now), Some(Duration::from_secs(seconds)));
            assert_eq!(recreations.early("y", now), None);
            now += Duration::from_secs(seconds);
            assert_eq!(recreations.early("x", now), None);
        }
        for _ in 0..20 {
            now += CAP;
            assert!(recreations.begun("x".into(), now_uid(now), now));
        }
        assert_eq!(recreations.early("x", now), Some(CAP));
        now += CALM;
        assert!(recreations.begun("x".into(), now_uid(now), now));
        assert_eq!(recreations.early("x", now), Some(FIRST));
    }

    #[test]
    fn one_deletion_that_takes_time_counts_once() {
        let mut recreations = Recreations::default();
        let now = Instant::now();
        assert!(recreations.begun("x".into(), "1".into(), now));
        assert!(!recreations.begun("x".into(), "1".into(), now + FIRST));
    }

    fn now_uid(now: Instant) -> Arc<str> {
        format!("{now:?}").into()
    }
}
