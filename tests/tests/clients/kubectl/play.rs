//! A scenario on both servers: each command at the same time, and then what they said is compared.

use std::{fmt::Write as _, time::Duration};

use futures::future::join;
use tokio::time::{Instant, sleep};

use super::{
    follow::Follow,
    script::{self, Line, Todo},
    side::{Said, Side, sides},
};

/// How long controllers may take until both servers say the same.
const LIMIT: Duration = Duration::from_secs(10);

/// Runs a scenario, and fails with all that differed.
pub(super) async fn scenario(name: &str) {
    let namespace = format!("kubectl-{}", name.replace('_', "-"));
    let Some([embedded, real]) = sides(&namespace) else {
        return;
    };
    let mut play = Play {
        embedded,
        real,
        beside: Vec::new(),
        wrong: String::new(),
    };
    let namespace = ["create".into(), "namespace".into(), namespace];
    play.run("a namespace", &namespace, 0, false).await;
    for line in script::read(name) {
        play.line(line).await;
    }
    play.gather().await;
    assert!(play.wrong.is_empty(), "{}", play.wrong);
}

struct Play {
    embedded: Side,
    real: Side,
    beside: Vec<(String, Follow, Follow)>,
    wrong: String,
}

impl Play {
    async fn line(&mut self, line: Line) {
        match line.todo {
            Todo::Run { words, code, patient } => self.run(&line.text, &words, code, patient).await,
            Todo::Follow { words, lines } => {
                let start = |side| Follow::start(side, &words, lines);
                let (embedded, real) = join(start(&self.embedded), start(&self.real)).await;
                self.beside.push((line.text, embedded, real));
            }
            Todo::Gather => self.gather().await,
        }
    }

    async fn run(&mut self, line: &str, words: &[String], code: i32, patient: bool) {
        let end = Instant::now() + LIMIT;
        loop {
            let (embedded, real) = join(self.embedded.run(words), self.real.run(words)).await;
            let right = embedded == real && real.code == Some(code);
            if !right && patient && Instant::now() < end {
                sleep(Duration::from_millis(100)).await;
                continue;
            }
            if std::env::var_os("KUBECTL_SHOW").is_some() {
                eprintln!("{line}\n{}", text(&real));
            }
            if !right {
                self.report(line, &text(&embedded), &text(&real));
            }
            return;
        }
    }

    async fn gather(&mut self) {
        for (line, embedded, real) in std::mem::take(&mut self.beside) {
            let (embedded, real) = join(embedded.end(), real.end()).await;
            if embedded != real {
                self.report(&line, &embedded, &real);
            }
        }
    }

    fn report(&mut self, line: &str, embedded: &str, real: &str) {
        let _ = writeln!(self.wrong, "\n{line}");
        if embedded == real {
            let _ = writeln!(self.wrong, "  on both: {real}");
            return;
        }
        let (embedded, real): (Vec<_>, Vec<_>) = (embedded.lines().collect(), real.lines().collect());
        for line in embedded.iter().filter(|line| !real.contains(line)) {
            let _ = writeln!(self.wrong, "  embedded | {line}");
        }
        for line in real.iter().filter(|line| !embedded.contains(line)) {
            let _ = writeln!(self.wrong, "  real     | {line}");
        }
        let count = (embedded.len(), real.len());
        let _ = writeln!(self.wrong, "  lines: {} and {}", count.0, count.1);
    }
}

fn text(said: &Said) -> String {
    let code = said.code.map_or_else(|| "a signal".into(), |code| code.to_string());
    format!(
        "{}\n{}\nended with {code}",
        said.stdout.trim_end(),
        said.stderr.trim_end()
    )
}
