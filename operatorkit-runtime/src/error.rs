//! The marks that an error can carry for the runtime: permanent, retry after, reason.

use std::{borrow::Cow, error::Error as StdError, fmt, time::Duration};

use crate::{cluster::Failure, flow::Wait};

/// The error of a user's code: any error, with context.
pub type Error = anyhow::Error;

/// The result of a user's code.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Marks that the runtime understands, on an error or on a `Result`.
///
/// Marks add up, survive `.context(..)`, and change nothing of the text.
pub trait ErrorExt: Sized {
    /// What the marks are put on.
    type Marked;

    /// Not to be retried in a hurry: the next try is at the cap of the backoff (5 min), or when the spec changes.
    fn permanent(self) -> Self::Marked;

    /// To be retried after this time instead of the backoff's.
    fn retry_after(self, after: Duration) -> Self::Marked;

    /// The reason of the condition and of the Event, in CamelCase, such as `QuotaExceeded`.
    fn reason(self, reason: impl Into<Cow<'static, str>>) -> Self::Marked;
}

impl ErrorExt for Error {
    type Marked = Error;

    fn permanent(self) -> Error {
        mark(self, |marks| marks.permanent = true)
    }

    fn retry_after(self, after: Duration) -> Error {
        mark(self, |marks| marks.retry_after = Some(after))
    }

    fn reason(self, reason: impl Into<Cow<'static, str>>) -> Error {
        let reason = reason.into();
        mark(self, |marks| marks.reason = Some(reason))
    }
}

impl<T, E: Into<Error>> ErrorExt for Result<T, E> {
    type Marked = Result<T>;

    fn permanent(self) -> Result<T> {
        self.map_err(|err| err.into().permanent())
    }

    fn retry_after(self, after: Duration) -> Result<T> {
        self.map_err(|err| err.into().retry_after(after))
    }

    fn reason(self, reason: impl Into<Cow<'static, str>>) -> Result<T> {
        self.map_err(|err| err.into().reason(reason))
    }
}

/// What an error's marks say, all of its chain together; the outermost wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) permanent: bool,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) reason: Option<Cow<'static, str>>,
}

impl Marks {
    pub(crate) fn of(err: &Error) -> Self {
        let mut marks = Self::default();
        let mut add = |more: &Self| {
            marks.permanent |= more.permanent;
            marks.retry_after = marks.retry_after.or(more.retry_after);
            marks.reason = marks.reason.take().or_else(|| more.reason.clone());
        };
        let mut err = err;
        // `downcast_ref` sees through anyhow's contexts, `source` does not see into them.
        while let Some(marked) = err.downcast_ref::<Marked>() {
            add(&marked.marks);
            err = &marked.inner;
        }
        marks
    }
}

/// The first cause of a type, also inside marks, which a chain does not show.
pub(crate) fn find<T: StdError + Send + Sync + 'static>(err: &Error) -> Option<&T> {
    let mut err = err;
    loop {
        let found = err.chain().find_map(|cause| cause.downcast_ref::<T>());
        if found.is_some() {
            return found;
        }
        err = &err.downcast_ref::<Marked>()?.inner;
    }
}

/// An error that reads like this one, with its marks and what it means to the runtime; for one that several get.
pub(crate) fn copy(err: &Error) -> Error {
    if let Some(wait) = find::<Wait>(err) {
        return wait.clone().into();
    }
    let text = format!("{err:#}");
    let inner = match find::<Failure>(err) {
        Some(failure) => {
            let failure = Error::new(failure.clone());
            // What was said before it comes before it again.
            match text.strip_suffix(&format!(": {failure}")) {
                Some(before) => failure.context(before.to_owned()),
                None => failure,
            }
        }
        None => Error::msg(text),
    };
    match Marks::of(err) {
        marks if marks == Marks::default() => inner,
        marks => Error::new(Marked { marks, inner }),
    }
}

/// An error with marks: it reads exactly like the error inside.
struct Marked {
    marks: Marks,
    inner: Error,
}

impl fmt::Debug for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

impl fmt::Display for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.inner, f)
    }
}

impl StdError for Marked {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.inner.source()
    }
}

fn mark(err: Error, set: impl FnOnce(&mut Marks)) -> Error {
    let mut marks = Marks::default();
    set(&mut marks);
    Error::new(Marked { marks, inner: err })
}

#[cfg(test)]
mod tests {
    use anyhow::{Context as _, anyhow};

    use super::*;

    #[test]
    fn marks_add_up_and_survive_context() {
        let err = anyhow!("root").reason("Quota").context("middle").permanent();
        let err = Err::<(), _>(err)
            .retry_after(Duration::from_secs(7))
            .context("outer")
            .unwrap_err();
        let marks = Marks::of(&err);
        assert!(marks.permanent);
        assert_eq!(marks.retry_after, Some(Duration::from_secs(7)));
        assert_eq!(marks.reason.as_deref(), Some("Quota"));
    }

    #[test]
    fn the_outermost_mark_wins() {
        let err = anyhow!("root").reason("Inner").reason("Outer");
        assert_eq!(Marks::of(&err).reason.as_deref(), Some("Outer"));
    }

    #[test]
    fn marks_do_not_change_the_text() {
        let plain = anyhow!("root").context("outer");
        let marked = anyhow!("root").permanent().context("outer").reason("X");
        assert_eq!(format!("{plain:#}"), format!("{marked:#}"));
    }

    #[test]
    fn a_cause_is_found_inside_marks_and_contexts() {
        let err = Error::new(fmt::Error).reason("X").context("outer").permanent();
        assert_eq!(find::<fmt::Error>(&err), Some(&fmt::Error));
        assert!(find::<std::io::Error>(&err).is_none());
    }

    #[test]
    fn a_copy_reads_and_means_the_same() {
        let marked = anyhow!("root").reason("Quota").permanent().context("outer");
        let copied = copy(&marked);
        assert_eq!(format!("{copied:#}"), format!("{marked:#}"));
        assert_eq!(Marks::of(&copied), Marks::of(&marked));
        let wait = Err::<(), _>(Wait::new("soon")).context("outer").unwrap_err();
        assert_eq!(find::<Wait>(&copy(&wait)).unwrap().message, "soon");
    }

    #[test]
    fn a_wait_is_found_under_context_and_marks() {
        let wait = Error::new(Wait::new("soon")).context("a").reason("X").context("b");
        assert_eq!(find::<Wait>(&wait).unwrap().message, "soon");
        assert_eq!(find::<Wait>(&anyhow!("x").permanent()), None);
    }

    #[test]
    fn an_unmarked_error_has_no_marks() {
        assert_eq!(Marks::of(&anyhow!("x").context("y")), Marks::default());
    }
}
