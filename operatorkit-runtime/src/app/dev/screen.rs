//! Where it is shown: a table that is drawn again and again on a terminal, with the logs above it; elsewhere line by line.

use std::{
    io::{self, IsTerminal as _, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tracing_subscriber::fmt::MakeWriter;

/// Rows are cut at the terminal's edge instead of being wrapped, so that the lines that were drawn are known.
const NO_WRAP: &str = "\x1b[?7l";
const WRAP: &str = "\x1b[?7h";

/// Stdout, shared with the logs.
#[derive(Clone, Debug)]
pub(super) struct Screen {
    terminal: bool,
    drawn: Arc<Mutex<Vec<String>>>,
}

impl Screen {
    pub(super) fn stdout() -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self {
            terminal: io::stdout().is_terminal() && !dumb,
            drawn: Arc::default(),
        }
    }

    /// Whether tables can be drawn on it.
    pub(super) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// A text that stays, above the table.
    pub(super) fn say(&self, text: &str) {
        let drawn = self.lock();
        let out = erased(&drawn) + text + "\n" + &rows(&drawn);
        write(&mut io::stdout(), out.as_bytes());
    }

    /// Draws the table in place of the one before.
    pub(super) fn draw(&self, table: Vec<String>) {
        let mut drawn = self.lock();
        let out = erased(&drawn) + &rows(&table);
        write(&mut io::stdout(), out.as_bytes());
        *drawn = table;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the table off the screen.
fn erased(drawn: &[String]) -> String {
    if drawn.is_empty() {
        return String::new();
    }
    format!("\x1b[{}A\x1b[J", drawn.len())
}

fn rows(table: &[String]) -> String {
    if table.is_empty() {
        return String::new();
    }
    format!("{NO_WRAP}{}\n{WRAP}", table.join("\n"))
}

/// If nobody can see it, there is nobody to tell.
fn write(out: &mut impl Write, bytes: &[u8]) {
    let _seen = out.write_all(bytes).and_then(|()| out.flush());
}

/// Lines of the log.
#[derive(Debug)]
pub(super) struct Lines {
    screen: Screen,
    text: Vec<u8>,
}

impl<'a> MakeWriter<'a> for Screen {
    type Writer = Lines;

    fn make_writer(&'a self) -> Lines {
        Lines {
            screen: self.clone(),
            text: Vec::new(),
        }
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        let drawn = self.screen.lock();
        write(&mut io::stdout(), erased(&drawn).as_bytes());
        write(&mut io::stderr(), &self.text);
        write(&mut io::stdout(), rows(&drawn).as_bytes());
    }
}
