//! One step of a case: its request sent, its answer as lines.

use std::time::{Duration, Instant};

use operatorkit::serde_json::Value;

use super::{answer, case::State, parse::Step, path, request, rows};
use crate::server::{self, Answer, Watch};

/// How often an answer that is to come is asked for.
const EVERY: Duration = Duration::from_millis(50);

/// Does what row `at` of a step says, and answers what there is to be compared.
pub(super) async fn run(state: &mut State, step: &Step, at: usize) -> Vec<String> {
    if let Some(rest) = step.line.strip_prefix("EVENTS ") {
        return events(state, step, rest).await;
    }
    if let Some(rest) = step.line.strip_prefix("WATCH ") {
        return watch(state, step, rest).await;
    }
    if let Some(name) = step.line.strip_prefix("STOP ") {
        state.watches.remove(name);
        return vec!["=>".into()];
    }
    let row = step.rows[at].text.clone();
    let ask = request::of(state, step, row.as_deref());
    let client = state.client(step);
    if !step.line.starts_with('~') {
        let answer = server::send(&client, &ask).await;
        return taken(state, step, &answer);
    }
    let start = Instant::now();
    let mut last = None;
    loop {
        let answer = server::send(&client, &ask).await;
        // A look that does not count must not count what it saw.
        let lines = answer::lines(step, &answer, &mut state.normal.clone());
        let late = start.elapsed() > state.patience;
        let done = if state.bless {
            // Written down when it is as wanted, and the same twice, if it only reads.
            let wanted = step
                .option("until")
                .is_none_or(|until| holds(&answer, &state.filled(&until)));
            let same = ask.method != "GET" || last.replace(lines.clone()).is_some_and(|last| last == lines);
            if late {
                eprintln!("{}: it never holds: {lines:#?}", step.line);
            }
            wanted && same
        } else {
            lines == step.rows[at].expected
        };
        if done || late {
            return taken(state, step, &answer);
        }
        tokio::time::sleep(if state.bless { EVERY * 5 } else { EVERY }).await;
    }
}

fn taken(state: &mut State, step: &Step, answer: &Answer) -> Vec<String> {
    state.learn(step, &answer.value());
    answer::lines(step, answer, &mut state.normal)
}

/// `PATH == JSON`; a path of nothing but `code` is the answer's code.
fn holds(answer: &Answer, until: &str) -> bool {
    let (at, wanted) = until.split_once(" == ").expect("`@ until PATH == JSON`");
    let found = match at {
        "code" => answer.code.into(),
        at => path::get(&answer.value(), &path::parse(at)),
    };
    found == rows::yaml(wanted)
}

/// `WATCH NAME PATH`
async fn watch(state: &mut State, step: &Step, rest: &str) -> Vec<String> {
    let (name, path) = rest.split_once(' ').expect("`WATCH NAME PATH`");
    let step_line = Step {
        line: format!("GET {path}"),
        ..step.clone()
    };
    let ask = request::of(state, &step_line, None);
    let client = state.client(step);
    let mut watch = Watch::start(&client, &ask).await;
    if watch.code != 200 {
        let body = watch.rest().await;
        let (code, headers) = (watch.code, watch.headers);
        return taken(state, step, &Answer { code, headers, body });
    }
    let lines = answer::lines(
        step,
        &Answer {
            code: watch.code,
            headers: watch.headers.clone(),
            body: Vec::new(),
        },
        &mut state.normal,
    );
    state.watches.insert(name.to_owned(), watch);
    lines
}

/// `EVENTS NAME COUNT` or `EVENTS NAME end`
async fn events(state: &mut State, step: &Step, rest: &str) -> Vec<String> {
    let (name, count) = rest.split_once(' ').expect("`EVENTS NAME COUNT`");
    let count = if count == "end" {
        usize::MAX
    } else {
        count.parse().expect("a number")
    };
    let Some(watch) = state.watches.get_mut(name) else {
        return vec!["=> no such watch".into()];
    };
    let events: Vec<Value> = watch.take(count, state.patience).await;
    if let Some(last) = events.last() {
        state.learn(step, last);
    }
    answer::events(step, events, &mut state.normal)
}
