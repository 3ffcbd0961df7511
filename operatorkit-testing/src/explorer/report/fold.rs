//! Folds what repeats in a timeline.

#[cfg(test)]
mod tests;

use std::{cmp::Reverse, time::Duration};

use crate::explorer::run::Line;

/// A piece of a timeline.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    Line(&'a Line),
    /// As many lines as `lines` come again, so many times, up to a moment.
    Again {
        lines: usize,
        times: usize,
        until: Duration,
        /// Whether they are the same, and not only alike.
        same: bool,
    },
}

/// Longer cycles are not looked for.
const LONGEST: usize = 40;
/// The same lines are folded that come again so many times.
const SAME: usize = 2;
/// And those that differ in numbers, which may matter.
const ALIKE: usize = 8;

/// A timeline in which each cycle stands once.
pub(super) fn folded(lines: &[Line]) -> Vec<Piece<'_>> {
    let texts: Vec<&str> = lines.iter().map(|line| &*line.text).collect();
    let forms: Vec<String> = texts.iter().map(|text| form(text)).collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let same = cycle(&texts[at..], SAME);
        let Some((length, times)) = same.or_else(|| cycle(&forms[at..], ALIKE)) else {
            pieces.push(Piece::Line(&lines[at]));
            at += 1;
            continue;
        };
        pieces.extend(lines[at..at + length].iter().map(Piece::Line));
        at += length * (times + 1);
        pieces.push(Piece::Again {
            lines: length,
            times,
            until: lines[at - 1].at,
            same: same.is_some(),
        });
    }
    pieces
}

/// How long the cycle is that begins here, and how many times it comes again, if that is often enough: of several the one that covers most.
fn cycle<T: PartialEq>(lines: &[T], enough: usize) -> Option<(usize, usize)> {
    let again = |length: usize| {
        let alike = lines.iter().zip(&lines[length..]).take_while(|(a, b)| a == b);
        (length, alike.count() / length)
    };
    (1..=LONGEST.min(lines.len() / 2))
        .map(again)
        .filter(|(_, times)| *times >= enough)
        .max_by_key(|(length, times)| (length * times, Reverse(*length)))
}

/// A line of a timeline with a `#` for each number, except in the answer to a request: so lines are alike that differ in a number only.
fn form(line: &str) -> String {
    let (what, answer) = line.split_once(" -> ").unwrap_or((line, ""));
    let mut form = String::with_capacity(line.len());
    for letter in what.chars() {
        match letter {
            '0'..='9' if form.ends_with('#') => {}
            '0'..='9' => form.push('#'),
            _ => form.push(letter),
        }
    }
    form + answer
}
