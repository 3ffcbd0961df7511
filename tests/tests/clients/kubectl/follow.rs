//! A command that does not end by itself, such as a watch: it is over when it has written so many lines.

use std::process::Stdio;

use operatorkit_testing::PATIENCE;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Lines},
    process::{Child, ChildStdout},
    time::timeout,
};

use super::{normal::normal, side::Side};

/// A running kubectl.
#[derive(Debug)]
pub(super) struct Follow {
    words: Vec<String>,
    lines: usize,
    seen: Vec<String>,
    output: Lines<BufReader<ChildStdout>>,
    // Dropping it ends it.
    _child: Child,
}

impl Follow {
    /// Starts it, and waits for its first line: what happens from now on it sees.
    pub(super) async fn start(side: &Side, words: &[String], lines: usize) -> Self {
        let mut command = side.command(words);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("kubectl starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut this = Self {
            words: words.to_vec(),
            lines,
            seen: Vec::new(),
            output,
            _child: child,
        };
        this.read(1).await;
        this
    }

    /// All that it has written by the end.
    pub(super) async fn end(mut self) -> String {
        self.read(self.lines).await;
        normal(&self.words, &self.seen.join("\n"))
    }

    /// Reads until so many lines are there, or nothing more comes: which shows in what is compared.
    async fn read(&mut self, lines: usize) {
        while self.seen.len() < lines {
            match timeout(PATIENCE, self.output.next_line()).await {
                Ok(Ok(Some(line))) => self.seen.push(line),
                Ok(Ok(None)) => return self.give_up("it ended"),
                Ok(Err(err)) => return self.give_up(&format!("{err}")),
                Err(_) => return self.give_up("nothing more came"),
            }
        }
    }

    fn give_up(&mut self, why: &str) {
        self.seen.push(format!("({why})"));
        self.lines = 0;
    }
}
