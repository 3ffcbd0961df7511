//! The promises of the queue under random use.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    time::Duration,
};

use proptest::prelude::*;
use tokio::time::Instant;

use super::super::{Uid, state::State};
use crate::context::Trigger;

#[derive(Clone, Debug)]
enum Use {
    Add(usize),
    AddAfter(usize, u64),
    Start,
    Done(usize, Option<u64>),
    Forget(usize),
    Pass(u64),
}

fn uses() -> impl Strategy<Value = Vec<Use>> {
    let uid = 0..5_usize;
    let one = prop_oneof![
        3 => uid.clone().prop_map(Use::Add),
        2 => (uid.clone(), 0..6_u64).prop_map(|(uid, after)| Use::AddAfter(uid, after)),
        4 => Just(Use::Start),
        4 => (0..8_usize, proptest::option::of(0..6_u64)).prop_map(|(place, after)| Use::Done(place, after)),
        1 => uid.prop_map(Use::Forget),
        2 => (0..4_u64).prop_map(Use::Pass),
    ];
    proptest::collection::vec(one, 0..80)
}

/// The promises, told a second time in the simplest way: a line of UIDs and a table of what each one has coming.
#[derive(Debug, Default)]
struct Model {
    line: VecDeque<usize>,
    running: Vec<usize>,
    again: Vec<usize>,
    forgotten: Vec<usize>,
    /// UID to when, and the order in which the delays were made.
    delays: BTreeMap<usize, (u64, usize)>,
    made: usize,
}

impl Model {
    fn add(&mut self, uid: usize) {
        self.delays.remove(&uid);
        self.forgotten.retain(|other| *other != uid);
        if self.line.contains(&uid) || self.again.contains(&uid) {
            return;
        }
        if self.running.contains(&uid) {
            self.again.push(uid);
        } else {
            self.line.push_back(uid);
        }
    }

    fn add_after(&mut self, uid: usize, now: u64, after: u64) {
        if after == 0 {
            return self.add(uid);
        }
        self.forgotten.retain(|other| *other != uid);
        if self.line.contains(&uid)
            || self.again.contains(&uid)
            || self.delays.get(&uid).is_some_and(|(due, _)| *due <= now + after)
        {
            return;
        }
        self.made += 1;
        self.delays.insert(uid, (now + after, self.made));
    }

    fn start(&mut self, now: u64) -> Option<usize> {
        let mut due: Vec<_> = self
            .delays
            .iter()
            .filter(|(_, (due, _))| *due <= now)
            .map(|(uid, order)| (*order, *uid))
            .collect();
        due.sort_unstable();
        for (_, uid) in due {
            self.add(uid);
        }
        let uid = self.line.pop_front()?;
        self.running.push(uid);
        Some(uid)
    }

    fn done(&mut self, uid: usize, now: u64, after: Option<u64>) {
        self.running.retain(|other| *other != uid);
        let forgotten = self.forgotten.contains(&uid);
        self.forgotten.retain(|other| *other != uid);
        if self.again.contains(&uid) {
            self.again.retain(|other| *other != uid);
            self.line.push_back(uid);
        } else if let Some(after) = after.filter(|_| !forgotten) {
            self.add_after(uid, now, after);
        }
    }

    fn forget(&mut self, uid: usize) {
        self.line.retain(|other| *other != uid);
        self.again.retain(|other| *other != uid);
        self.delays.remove(&uid);
        if self.running.contains(&uid) {
            self.forgotten.push(uid);
        }
    }

    fn known(&self) -> usize {
        let mut all: Vec<_> = self
            .line
            .iter()
            .chain(&self.running)
            .chain(self.delays.keys())
            .collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }
}

fn uid(index: usize) -> Uid {
    index.to_string().into()
}

proptest! {
    #[test]
    fn whatever_is_done_to_it_keeps_its_promises(uses in uses()) {
        let (mut state, mut model) = (State::default(), Model::default());
        let zero = Instant::now();
        let mut now = 0;
        for step in uses {
            let at = zero + Duration::from_secs(now);
            match step {
                Use::Add(index) => { state.add(uid(index), Trigger::ObjectChanged, at); model.add(index); }
                Use::AddAfter(index, after) => {
                    state.add_after(uid(index), Duration::from_secs(after), Trigger::Waited, at);
                    model.add_after(index, now, after);
                }
                Use::Start => {
                    let start = state.start(at).map(|start| start.uid);
                    prop_assert_eq!(start, model.start(now).map(uid), "the first in the line, and never twice at once");
                }
                Use::Done(place, after) => {
                    if let Some(index) = model.running.get(place).copied() {
                        state.done(&uid(index), after.map(|after| (Duration::from_secs(after), Trigger::Resync)), at);
                        model.done(index, now, after);
                    }
                }
                Use::Forget(index) => { state.forget(&uid(index)); model.forget(index); }
                Use::Pass(seconds) => now += seconds,
            }
            prop_assert_eq!(state.running(), model.running.len());
            prop_assert_eq!(state.known(), model.known(), "what is not in use takes no memory");
        }
    }

    #[test]
    fn nothing_that_was_added_is_lost(adds in proptest::collection::vec((0..6_usize, 0..5_u64, any::<bool>()), 1..60)) {
        let mut state = State::default();
        let zero = Instant::now();
        let mut last_add = HashMap::new();
        let mut last_start = HashMap::new();
        let mut running: VecDeque<Uid> = VecDeque::new();
        let mut step = 0;
        for (index, after, start) in adds {
            step += 1;
            state.add_after(uid(index), Duration::from_secs(after), Trigger::ObjectChanged, zero);
            last_add.insert(uid(index), step);
            if let Some(begun) = start.then(|| state.start(zero)).flatten() {
                prop_assert!(!running.contains(&begun.uid), "twice at once");
                last_start.insert(begun.uid.clone(), step);
                running.push_back(begun.uid);
            } else if let Some(ended) = running.pop_front() {
                state.done(&ended, None, zero);
            }
        }
        for ended in running {
            state.done(&ended, None, zero);
        }
        while let Some(begun) = state.start(zero + Duration::from_mins(1)) {
            step += 1;
            last_start.insert(begun.uid.clone(), step);
            state.done(&begun.uid, None, zero);
        }
        for (uid, added) in last_add {
            prop_assert!(last_start.get(&uid).is_some_and(|started| *started >= added), "{} was added and did not run", uid);
        }
        prop_assert_eq!(state.known(), 0);
    }
}
