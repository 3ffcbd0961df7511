//! Reporting what a pass came to: status, Events and the log, each only when there is something new to say.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use kube::core::DynamicObject;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::{
    Running,
    ending::{End, Problem},
    finalizer::pointer,
    pause,
};
use crate::{
    cluster::{Failure, Op},
    compare::drop_nulls,
    error::find,
    operator::Operator,
    progress::Step,
    status::{Draft, Verdict},
    store::ObjectEntry,
};

/// How long something may block a deletion before that is shown (design, section 5).
pub(super) const SHOWN_AFTER: Duration = Duration::from_secs(2);

/// Which way the pass went.
pub(super) enum Direction<S> {
    /// With the user's status fields, if a resource changed them.
    Forwards(Option<S>),
    Backwards,
    Paused,
}

/// Reports the end of a pass: first the status, so that one that could not be written is told like every other problem.
pub(super) async fn report<O: Operator>(
    running: &Arc<Running<O>>,
    entry: &Arc<ObjectEntry<O>>,
    mut end: End,
    direction: Direction<O::Status>,
) -> End {
    let backwards = matches!(direction, Direction::Backwards);
    let paused = matches!(direction, Direction::Paused);
    if !paused {
        running.forget_said(&entry.uid);
    }
    if let Err(err) = conclude(running, entry, &end, direction).await {
        // Somebody else was faster: the next pass looks again, and nobody needs to hear of it.
        let lost = find::<Failure>(&err).is_some_and(Failure::is_conflict);
        let problem = Problem::of(None, &err);
        end.problems.push(Problem {
            quiet: problem.quiet || lost,
            ..problem
        });
    }
    for problem in end.problems.iter().filter(|problem| !problem.quiet) {
        running.object_events(entry).warning(&problem.reason, named(problem));
    }
    running.report_failures(entry, &end);
    log(running, entry, &end);
    running.tell(entry, backwards, || {
        let lines = end.lines.clone();
        Step::All { lines, paused }
    });
    running.tell(entry, backwards, || Step::Ended(end.trouble()));
    end
}

/// Shows what there is to show, each way the pass may have gone.
async fn conclude<O: Operator>(
    running: &Arc<Running<O>>,
    entry: &Arc<ObjectEntry<O>>,
    end: &End,
    direction: Direction<O::Status>,
) -> anyhow::Result<()> {
    let blocked = blocked(running, entry, end, &direction);
    let (user, deleting, paused) = match direction {
        Direction::Forwards(user) => (user, None, None),
        Direction::Backwards if end.is_finished() => return Ok(()),
        // Shown once it has blocked for a while: most deletions are over before.
        Direction::Backwards => match (blocked, end.trouble()) {
            (true, Some(trouble)) => {
                let events = running.object_events(entry);
                events.warning("DeletionBlocked", trouble.message.clone());
                let deleting = Verdict {
                    status: true,
                    ..trouble
                };
                (None, Some(deleting), None)
            }
            _ => return Ok(()),
        },
        Direction::Paused => {
            let paused = end.trouble().map(|paused| Verdict { status: true, ..paused });
            // Once a pause: not after a restart either, where the status has it.
            if let Some(paused) = paused.as_ref().filter(|_| running.say_once(&entry.uid, "Paused"))
                && !entry.shown.is_true("Paused")
            {
                running
                    .object_events(entry)
                    .normal(&paused.reason, paused.message.clone());
            }
            (None, None, paused)
        }
    };
    if running.own && !running.has_vanished(&entry.uid) {
        show(running, entry, end, user, deleting, paused).await?;
    }
    Ok(())
}

async fn show<O: Operator>(
    running: &Arc<Running<O>>,
    entry: &Arc<ObjectEntry<O>>,
    end: &End,
    user: Option<O::Status>,
    deleting: Option<Verdict>,
    paused: Option<Verdict>,
) -> anyhow::Result<()> {
    let latest = running.objects.get(&entry.uid).unwrap_or_else(|| entry.clone());
    let before = &latest.shown;
    let ready = match (&deleting, &paused) {
        (Some(deleting), _) => Verdict {
            status: false,
            reason: "Deleting".into(),
            message: deleting.message.clone(),
        },
        // A paused object keeps what was found before the pause.
        (None, Some(_)) => before.ready().unwrap_or_else(|| Verdict::new(false, "Paused", "")),
        (None, None) => end
            .trouble()
            .unwrap_or_else(|| Verdict::new(true, "Ready", "all resources are ready")),
    };
    if user.is_none() && paused.is_none() && deleting.is_none() && before.says(entry.generation(), &ready, &end.lines) {
        return Ok(());
    }
    let lines = if end.lines.is_empty() {
        before.lines()
    } else {
        end.lines.clone()
    };
    let generation = if paused.is_some() {
        before.generation()
    } else {
        entry.generation()
    };
    let shown = Draft {
        generation,
        ready,
        paused: paused.or_else(|| pause::let_go(&latest)),
        deleting,
        lines,
    }
    .over(before, Timestamp::now());
    let mut user = user.map(serde_json::to_value).transpose()?;
    // A field that is not set is left out, as the API server leaves it out.
    user.iter_mut().for_each(drop_nulls);
    let user = match user {
        Some(Value::Object(user)) => Some(user).filter(|user| *user != latest.user_fields),
        _ => None,
    };
    if shown.is_same(before) && user.is_none() {
        return Ok(());
    }
    let mut status = serde_json::to_value(&shown)?;
    let fits = fits::<O>(&latest.user_fields);
    if let Value::Object(status) = &mut status {
        // A user's field with one of our names is refused when the CRD is made; ours win all the same.
        let kept = || if fits { latest.user_fields.clone() } else { Map::new() };
        user.unwrap_or_else(kept).into_iter().for_each(|(field, value)| {
            status.entry(field).or_insert(value);
        });
    }
    let written = if fits {
        Box::pin(apply(running, &latest, status)).await
    } else {
        Box::pin(replace(running, &latest, status)).await
    };
    match written {
        Ok(object) => {
            running.take_in(object);
            Ok(())
        }
        // Gone, or another object of that name: nobody is left to show it to.
        Err(failure) if failure.is_not_found() || failure.is_other_uid() => Ok(()),
        // It has changed meanwhile: the event of that brings the next pass.
        Err(failure) if !fits && failure.is_test_failed() => Ok(()),
        Err(failure) => Err(failure.into()),
    }
}

/// Whether stored user fields are still what the code's type can read.
fn fits<O: Operator>(user_fields: &Map<String, Value>) -> bool {
    user_fields.is_empty() || serde_json::from_value::<O::Status>(Value::Object(user_fields.clone())).is_ok()
}

async fn apply<O: Operator>(
    running: &Running<O>,
    entry: &ObjectEntry<O>,
    status: Value,
) -> Result<DynamicObject, Failure> {
    let body = json!({
        "apiVersion": running.kind.api_version(),
        "kind": &*running.kind.kind,
        "metadata": { "name": entry.name(), "namespace": entry.namespace(), "uid": &*entry.uid },
        "status": status,
    });
    running
        .cluster
        .apply_status(&running.kind, entry.namespace(), entry.name(), &body)
        .await
}

/// Writes a status over one whose user fields no longer fit: the API server cannot apply to what its own schema does not take
/// (tried), so they are taken out by JSON patch.
async fn replace<O: Operator>(
    running: &Running<O>,
    entry: &ObjectEntry<O>,
    status: Value,
) -> Result<DynamicObject, Failure> {
    let path = |field: &str| format!("/status/{}", pointer(field));
    let mut ops = vec![Op::test(
        "/metadata/resourceVersion",
        json!(entry.meta.resource_version),
    )];
    ops.extend(entry.user_fields.keys().map(|field| Op::remove(&path(field))));
    let fields = status.as_object().into_iter().flatten();
    ops.extend(fields.map(|(field, value)| Op::add(&path(field), value.clone())));
    running
        .cluster
        .json_patch(&running.kind, entry.namespace(), entry.name(), Some("status"), ops)
        .await
}

/// Whether a deletion has been blocked for so long that it is to be shown; errors are shown at once.
fn blocked<O: Operator>(
    running: &Running<O>,
    entry: &ObjectEntry<O>,
    end: &End,
    direction: &Direction<O::Status>,
) -> bool {
    let blocked = matches!(direction, Direction::Backwards) && !end.is_finished();
    running.remember(&entry.uid, |memory| {
        if !blocked {
            memory.blocked = None;
            return false;
        }
        let since = *memory.blocked.get_or_insert_with(Instant::now);
        since.elapsed() >= SHOWN_AFTER || !end.problems.is_empty()
    })
}

/// One line per change of what is wrong; repeats at debug level.
fn log<O: Operator>(running: &Running<O>, entry: &ObjectEntry<O>, end: &End) {
    let loud: Vec<_> = end
        .problems
        .iter()
        .filter(|problem| !problem.quiet)
        .map(named)
        .collect();
    let text = loud.join("; ");
    let news = running.remember(&entry.uid, |memory| {
        let news = memory.logged.as_deref() != Some(text.as_str());
        memory.logged = Some(text.clone());
        news
    });
    match (loud.is_empty(), news) {
        (true, _) => tracing::debug!(waits = end.waits.len(), "pass ended"),
        (false, true) => tracing::error!(kind = %running.kind, "{text}"),
        (false, false) => tracing::debug!(kind = %running.kind, "again: {text}"),
    }
}

fn named(problem: &Problem) -> String {
    match &problem.resource {
        Some(resource) => format!("{resource}: {}", problem.message),
        None => problem.message.clone(),
    }
}
