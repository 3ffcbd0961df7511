//! Plans in words.

use std::fmt;

use super::{Act, Blindness, Disturbance, Event, Plan, Refusal};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing goes wrong");
        }
        for (index, disturbance) in self.0.iter().enumerate() {
            let and = if index > 0 { "; and " } else { "" };
            write!(f, "{and}{disturbance}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Disturbance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(point, event) => write!(f, "at `{point}`: {event}"),
            Self::Watch(resource, blindness) => write!(f, "the watch over {resource} {blindness}"),
            Self::NothingIsDesired => {
                f.write_str("from the first deletion on nothing that is desired can be worked out")
            }
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KilledBefore => f.write_str("killed before"),
            Self::KilledAfter => f.write_str("killed after"),
            Self::KilledAfterAndRewound => f.write_str("killed after, and the next lists are older than that"),
            Self::DeletedUnseen => f.write_str(
                "killed after, then a user deletes the objects, and the next lists and watches are behind that",
            ),
            Self::AnswerLost => f.write_str("done, but the answer is lost"),
            Self::Fails(refusal) => write!(f, "fails: {refusal}"),
            Self::KeepsFailing(refusal, seconds) => write!(f, "fails for {seconds} s: {refusal}"),
            Self::FailsThoughDone(refusal) => write!(f, "done, but answered: {refusal}"),
            Self::Before(act) => write!(f, "just before, {act}"),
            Self::Meanwhile(act) => write!(f, "done, but before the answer {act}"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conflict => "409",
            Self::TooManyRequests => "429",
            Self::InternalError => "500",
            Self::Unavailable => "503",
            Self::Timeout => "504",
            Self::Denied => "denied by a webhook",
            Self::WebhookGone => "a webhook cannot be reached",
            Self::Silence => "no answer",
            Self::Broken => "the connection breaks",
        })
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DeleteChild(child) => write!(f, "a user deletes {child}"),
            Self::EditChild(child) => write!(f, "a user edits {child}"),
            Self::UnlabelChild(child) => write!(f, "a user takes the labels off {child}"),
            Self::ReplaceChild(child) => write!(f, "a user puts something else in the place of {child}"),
            Self::CopyChild(child) => write!(f, "a user copies {child}"),
            Self::HoldChild(child) => write!(f, "a user puts a finalizer on {child}"),
            Self::Pause => f.write_str("a user pauses the objects"),
            Self::DeleteForeground => f.write_str("a user deletes the objects with a foreground cascade"),
            Self::DeleteObjects => f.write_str("a user deletes the objects"),
            Self::DeleteRaced => {
                f.write_str("a user deletes the objects, which were read before there was a finalizer")
            }
            Self::Upgrade => f.write_str("the operator is replaced by its next version"),
        }
    }
}

impl fmt::Display for Blindness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends(after) => write!(f, "ends after event {after}"),
            Self::Breaks(after) => write!(f, "breaks after event {after}"),
            Self::Expires(after) => write!(f, "expires after event {after}"),
            Self::Silent(after) => write!(f, "is silent after event {after}"),
            Self::Coalesced => f.write_str("coalesces"),
            Self::Late(seconds) => write!(f, "is {seconds} s late"),
        }
    }
}
