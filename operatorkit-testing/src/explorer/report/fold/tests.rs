//! Timelines as letters: each letter is a line, each number how often the ones before come again.

use super::*;

fn lines(texts: impl IntoIterator<Item = impl Into<String>>) -> Vec<Line> {
    let timed = texts.into_iter().zip(0..);
    let lines = timed.map(|(text, second)| Line {
        at: Duration::from_secs(second),
        text: text.into(),
    });
    lines.collect()
}

fn shown(lines: &[Line]) -> Vec<String> {
    let pieces = folded(lines).into_iter().map(|piece| match piece {
        Piece::Line(line) => line.text.clone(),
        Piece::Again {
            lines,
            times,
            until,
            same,
        } => {
            let sign = if same { "=" } else { "~" };
            format!("{sign}{lines}x{times} until {}", until.as_secs())
        }
    });
    pieces.collect()
}

fn letters(text: &str) -> Vec<String> {
    shown(&lines(text.chars()))
}

#[test]
fn what_does_not_repeat_stays() {
    assert_eq!(letters("abcabc"), ["a", "b", "c", "a", "b", "c"]);
    assert!(letters("").is_empty());
}

#[test]
fn a_cycle_stands_once() {
    assert_eq!(letters("xabababab!"), ["x", "a", "b", "=2x3 until 8", "!"]);
    assert_eq!(letters("aaa"), ["a", "=1x2 until 2"]);
}

#[test]
fn of_cycles_within_one_another_the_whole_is_folded() {
    assert_eq!(letters("aaabaaabaaabaaab"), ["a", "a", "a", "b", "=4x3 until 15"]);
}

#[test]
fn what_differs_in_numbers_is_folded_where_it_comes_often() {
    let named = |to: u32| shown(&lines((1..=to).map(|name| format!("create x-{name} -> 201"))));
    assert_eq!(named(5).len(), 5);
    assert_eq!(named(30), ["create x-1 -> 201", "~1x29 until 29"]);
}

#[test]
fn another_answer_is_not_alike() {
    let answers = [200; 20].into_iter().chain([409]);
    let lines = lines(answers.map(|code| format!("patch x -> {code}")));
    assert_eq!(shown(&lines), ["patch x -> 200", "=1x19 until 19", "patch x -> 409"]);
}
