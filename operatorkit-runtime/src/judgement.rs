//! What the runtime makes of an error, decided once for status, Event, log, retries and reports.

use std::{borrow::Cow, time::Duration};

use crate::{
    cluster::Failure,
    context::NotThere,
    error::{Error, Marks, find},
};

/// The most that is said of an error (meta/v1.Condition allows 32768 bytes; a person reads less).
pub(crate) const MESSAGE_MAX: usize = 1024;

/// What an error means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    /// In CamelCase: that of the mark, else that of the API server's answer, else `Failed`.
    pub(crate) reason: Cow<'static, str>,
    pub(crate) permanent: bool,
    pub(crate) retry_after: Option<Duration>,
    /// Not an error of anybody: a namespace that is going, say.
    pub(crate) quiet: bool,
}

impl Judgement {
    pub(crate) fn of(err: &Error) -> Self {
        let marks = Marks::of(err);
        let failure = find::<Failure>(err);
        Self {
            reason: marks
                .reason
                .or_else(|| failure.map(|failure| failure.reason().into()))
                .unwrap_or("Failed".into()),
            permanent: marks.permanent || failure.is_some_and(Failure::is_permanent),
            retry_after: marks.retry_after.or_else(|| failure.and_then(Failure::retry_after)),
            quiet: failure.is_some_and(Failure::is_namespace_terminating),
        }
    }
}

/// The error with its causes, and what to do about it where the API server refused something; bounded.
pub(crate) fn message(err: &Error) -> String {
    bounded(match find::<Failure>(err).and_then(Failure::remedy) {
        Some(remedy) => format!("{err:#}: {remedy}"),
        None => format!("{err:#}"),
    })
}

/// The error and its causes, the outermost first, each bounded.
pub(crate) fn causes(err: &Error) -> Vec<String> {
    err.chain().map(|cause| bounded(cause.to_string())).collect()
}

/// The resource whose output was not there, where that is what the error says: its reader is skipped, nothing has failed.
pub(crate) fn unread(err: &Error) -> Option<&'static str> {
    find::<NotThere>(err).map(|NotThere(name)| *name)
}

/// The text, cut at a character.
pub(crate) fn bounded(mut text: String) -> String {
    if text.len() > MESSAGE_MAX {
        let end = (0..=MESSAGE_MAX - '…'.len_utf8())
            .rev()
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;
    use crate::error::ErrorExt as _;

    #[test]
    fn marks_of_a_layer_do_not_hide_that_a_reader_is_skipped() {
        let err = Error::new(NotThere("web")).reason("Quota").context("in a layer");
        assert_eq!(unread(&err), Some("web"));
        assert_eq!(unread(&anyhow!("no")), None);
    }

    #[test]
    fn a_reason_is_the_marks_or_a_general_one() {
        assert_eq!(Judgement::of(&anyhow!("no").reason("Quota")).reason, "Quota");
        assert_eq!(Judgement::of(&anyhow!("no")).reason, "Failed");
    }

    #[test]
    fn a_long_message_is_cut_at_a_character() {
        let text = bounded("ä".repeat(2000));
        assert!(text.len() <= MESSAGE_MAX && text.ends_with('…'));
    }
}
