//! Decisions, read from random numbers: with fewer and smaller ones simpler things are made, so what fails can be shrunk.

/// Decisions, as the numbers have them. When there are no more, everything is the first of its kind.
#[derive(Debug)]
pub(super) struct Choices<'a>(std::slice::Iter<'a, u16>);

impl<'a> Choices<'a> {
    pub(super) fn new(numbers: &'a [u16]) -> Self {
        Self(numbers.iter())
    }

    /// A number below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0.next().map_or(0, |number| usize::from(*number) % count)
    }

    /// True once in so many times.
    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub(super) fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    /// A byte, any.
    pub(super) fn byte(&mut self) -> u8 {
        self.below(256).to_le_bytes()[0]
    }

    /// Any text that a line of a form could have.
    pub(super) fn text(&mut self) -> String {
        const TEXTS: &[&str] = &[
            "a",
            "b",
            "default",
            "1",
            "0",
            "-1",
            "80",
            "http",
            "TCP",
            "a.b",
            "example.com/a",
            "example.com",
            "v1",
            "apps/v1",
            "10.0.0.1",
            "10.0.0.0/8",
            "::1",
            "fd00::/64",
            "1Gi",
            "100m",
            "1e400",
            "99999999999999999999",
            "50%",
            "-5%",
            "*",
            "/",
            "/a/../b",
            "a=b",
            "a in (b,c)",
            "!a",
            "2030-01-01T00:00:00Z",
            "2030-01-01T00:00:00.000001Z",
            "1h",
            "*/5 * * * *",
            "@every 1s",
            "Always",
            "True",
            "ClusterIP",
            "self.a == 1",
            "{.a}",
            "[",
            "",
            " ",
            "A_B",
            "é",
            "\u{0}",
            "\u{1f600}",
            "\"",
            "\\",
            "%",
            "$(A)",
            "null",
            "~",
            "- a",
        ];
        if self.one_in(24) {
            return self.pick(TEXTS).repeat(300);
        }
        if self.one_in(12) {
            return format!("{}{}", self.pick(TEXTS), self.pick(TEXTS));
        }
        (*self.pick(TEXTS)).to_owned()
    }
}
