//! Smaller cases: with fewer steps, and with steps that say less.

use std::ops::Range;

use super::step::{Act, Edit, ListVersion, Meets, Options, Policy, Select, Step, Uid, Version};

/// Steps that may go together: halves, quarters, …, each step; the last ones first.
pub(super) fn chunks(count: usize) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut size = count.div_ceil(2);
    while size > 0 {
        let mut end = count;
        while end > 0 {
            chunks.push(end.saturating_sub(size)..end);
            end = end.saturating_sub(size);
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    chunks
}

/// Steps that say a little less than this one.
pub(super) fn simpler(step: &Step) -> Vec<Step> {
    let mut simpler = Vec::new();
    let plain = Options {
        dry_run: false,
        validation: None,
        manager: None,
        accept: None,
        twice: false,
    };
    for options in [
        plain.clone(),
        Options {
            dry_run: false,
            ..step.options.clone()
        },
        Options {
            validation: None,
            ..step.options.clone()
        },
        Options {
            manager: None,
            ..step.options.clone()
        },
        Options {
            accept: None,
            ..step.options.clone()
        },
        Options {
            twice: false,
            ..step.options.clone()
        },
    ] {
        simpler.push(Step {
            options,
            ..step.clone()
        });
    }
    simpler.extend(acts(&step.act).into_iter().map(|act| Step { act, ..step.clone() }));
    // What says nothing less is not tried.
    let now = format!("{step:?}");
    simpler.retain(|step| format!("{step:?}") != now);
    simpler
}

fn acts(act: &Act) -> Vec<Act> {
    let mut acts = Vec::new();
    let mut change = |with: &dyn Fn(&mut Act) -> bool| {
        let mut act = act.clone();
        if with(&mut act) {
            acts.push(act);
        }
    };
    for at in 0..4 {
        change(&|act| edits(act).is_some_and(|edits| removed(edits, at)));
        change(&|act| match act {
            Act::Strategic { directives, .. } => removed(directives, at),
            _ => false,
        });
    }
    change(&|act| {
        meets(act).is_some_and(|meets| {
            meets.version = Version::Unsaid;
            true
        })
    });
    change(&|act| {
        meets(act).is_some_and(|meets| {
            meets.uid = Uid::Unsaid;
            true
        })
    });
    change(&|act| select(act).is_some_and(|select| select.labels.take().is_some()));
    change(&|act| select(act).is_some_and(|select| select.fields.take().is_some()));
    change(&|act| match act {
        Act::Delete { policy, .. } | Act::DeleteCollection { policy, .. } => {
            *policy = Policy::Unsaid;
            true
        }
        Act::Apply { force, .. } => std::mem::take(force),
        Act::List { limit, .. } => limit.take().is_some(),
        Act::Json { test, .. } => test.take().is_some(),
        Act::Update { seen, .. } => std::mem::take(seen),
        Act::Watch { bookmarks, .. } => std::mem::take(bookmarks),
        _ => false,
    });
    change(&|act| match act {
        Act::Delete { grace, .. } => grace.take().is_some(),
        Act::Apply { whole, .. } => std::mem::take(whole),
        Act::List { version, .. } => {
            *version = ListVersion::Unsaid;
            true
        }
        Act::Json { strange, .. } => strange.take().is_some(),
        _ => false,
    });
    acts
}

fn removed(edits: &mut Vec<Edit>, at: usize) -> bool {
    let there = at < edits.len();
    if there {
        edits.remove(at);
    }
    there
}

fn edits(act: &mut Act) -> Option<&mut Vec<Edit>> {
    match act {
        Act::Create { edits, .. }
        | Act::Update { edits, .. }
        | Act::Json { edits, .. }
        | Act::Merge { edits, .. }
        | Act::Strategic { edits, .. }
        | Act::Apply { edits, .. } => Some(edits),
        _ => None,
    }
}

fn meets(act: &mut Act) -> Option<&mut Meets> {
    match act {
        Act::Update { meets, .. }
        | Act::Merge { meets, .. }
        | Act::Strategic { meets, .. }
        | Act::Apply { meets, .. }
        | Act::Delete { meets, .. } => Some(meets),
        _ => None,
    }
}

fn select(act: &mut Act) -> Option<&mut Select> {
    match act {
        Act::List { select, .. } | Act::DeleteCollection { select, .. } | Act::Watch { select, .. } => Some(select),
        _ => None,
    }
}
