//! What is wrong in a file, and where.

use std::{error::Error, fmt};

/// Something wrong in a file. It quotes the file's own text at most, never a value that a placeholder was filled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1; 0 for the file as a whole.
    pub line: u64,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl Error for Problem {}
