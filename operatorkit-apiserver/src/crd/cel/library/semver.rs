//! `semver()`: semantic versions.

use std::cmp::Ordering;

use cel::{
    DeclarationError, Env, ExecutionError,
    common::types::{CelBool, CelInt, CelString},
};

use super::wrong;

/// A semantic version. What is built, behind `+`, does not count.
#[derive(Clone, Debug)]
struct Semver {
    numbers: [u64; 3],
    pre: Vec<String>,
}

impl PartialEq for Semver {
    fn eq(&self, other: &Self) -> bool {
        order(self, other).is_eq()
    }
}

super::opaque!(Semver, "kubernetes.Semver");

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    cel::add_overload!(env, fn semver: (CelString) -> Result<Semver>)?;
    cel::add_overload!(env, fn normal: (CelString, CelBool) -> Result<Semver>, name = "semver", id = "string_bool_to_semver")?;
    cel::add_overload!(env, fn is_semver: (CelString) -> CelBool)?;
    cel::add_overload!(env, fn is_normal: (CelString, CelBool) -> CelBool, name = "isSemver", id = "is_semver_string_bool")?;
    cel::add_member_overload!(env, fn greater: (Semver, Semver) -> CelBool, name = "isGreaterThan")?;
    cel::add_member_overload!(env, fn less: (Semver, Semver) -> CelBool, name = "isLessThan")?;
    cel::add_member_overload!(env, fn compare: (Semver, Semver) -> CelInt, name = "compareTo")?;
    cel::add_member_overload!(env, fn major: (Semver) -> CelInt)?;
    cel::add_member_overload!(env, fn minor: (Semver) -> CelInt)?;
    cel::add_member_overload!(env, fn patch: (Semver) -> CelInt)
}

fn parse(text: &str) -> Result<Semver, String> {
    if text.is_empty() {
        return Err("Version string empty".into());
    }
    let (rest, build) = match text.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (text, None),
    };
    let (core, pre) = match rest.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (rest, None),
    };
    let parts: Vec<&str> = core.splitn(3, '.').collect();
    let [major, minor, patch] = parts[..] else {
        return Err("No Major.Minor.Patch elements found".into());
    };
    let mut numbers = [0; 3];
    for (slot, (name, part)) in numbers
        .iter_mut()
        .zip([("major", major), ("minor", minor), ("patch", patch)])
    {
        *slot = number(part).map_err(|why| format!("Invalid character(s) found in {name} number {part:?}{why}"))?;
    }
    let letters = |it: &str| it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
    let mut identifiers = Vec::new();
    for part in pre.into_iter().flat_map(|it| it.split('.')) {
        if part.is_empty() {
            return Err("Prerelease is empty".into());
        }
        let digits = part.bytes().all(|it| it.is_ascii_digit());
        if !letters(part) {
            return Err(format!("Invalid character(s) found in prerelease {part:?}"));
        }
        if digits && part.len() > 1 && part.starts_with('0') {
            return Err(format!(
                "Numeric PreRelease version must not contain leading zeroes {part:?}"
            ));
        }
        identifiers.push(part.to_owned());
    }
    for part in build.into_iter().flat_map(|it| it.split('.')) {
        if part.is_empty() {
            return Err("Build meta data is empty".into());
        }
        if !letters(part) {
            return Err(format!("Invalid character(s) found in build meta data {part:?}"));
        }
    }
    Ok(Semver {
        numbers,
        pre: identifiers,
    })
}

fn number(text: &str) -> Result<u64, &'static str> {
    let digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if !digits || text.len() > 1 && text.starts_with('0') {
        return Err("");
    }
    text.parse().map_err(|_| "")
}

/// `v1.2` is taken for `1.2.0`, and leading zeros go.
fn normalized(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (core, rest) = text.split_at(end);
    let mut parts: Vec<String> = core
        .splitn(3, '.')
        .map(|part| match part.trim_start_matches('0') {
            "" if !part.is_empty() => "0".into(),
            trimmed => trimmed.into(),
        })
        .collect();
    while parts.len() < 3 && rest.is_empty() {
        parts.push("0".into());
    }
    format!("{}{rest}", parts.join("."))
}

fn order(one: &Semver, other: &Semver) -> Ordering {
    let number = |it: &str| {
        it.parse::<u64>()
            .ok()
            .filter(|_| it.bytes().all(|it| it.is_ascii_digit()))
    };
    let identifier = |one: &String, other: &String| match (number(one), number(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.cmp(other),
    };
    let pre = || match (one.pre.is_empty(), other.pre.is_empty()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            let pairs = one.pre.iter().zip(&other.pre);
            let first = pairs.map(|(one, other)| identifier(one, other)).find(|it| it.is_ne());
            first.unwrap_or_else(|| one.pre.len().cmp(&other.pre.len()))
        }
    };
    one.numbers.cmp(&other.numbers).then_with(pre)
}

fn semver(text: &CelString<'_>) -> Result<Semver, ExecutionError> {
    parse(text.inner()).map_err(|why| wrong("semver", why))
}

fn normal(text: &CelString<'_>, normalize: &CelBool) -> Result<Semver, ExecutionError> {
    let text = if *normalize.inner() {
        normalized(text.inner())
    } else {
        text.inner().to_owned()
    };
    parse(&text).map_err(|why| wrong("semver", why))
}

fn is_semver(text: &CelString<'_>) -> CelBool {
    parse(text.inner()).is_ok().into()
}

fn is_normal(text: &CelString<'_>, normalize: &CelBool) -> CelBool {
    normal(text, normalize).is_ok().into()
}

fn greater(one: &Semver, other: &Semver) -> CelBool {
    order(one, other).is_gt().into()
}

fn less(one: &Semver, other: &Semver) -> CelBool {
    order(one, other).is_lt().into()
}

fn compare(one: &Semver, other: &Semver) -> CelInt {
    (order(one, other) as i64).into()
}

fn part(version: &Semver, index: usize) -> CelInt {
    i64::try_from(version.numbers[index]).unwrap_or(i64::MAX).into()
}

fn major(version: &Semver) -> CelInt {
    part(version, 0)
}

fn minor(version: &Semver) -> CelInt {
    part(version, 1)
}

fn patch(version: &Semver) -> CelInt {
    part(version, 2)
}
