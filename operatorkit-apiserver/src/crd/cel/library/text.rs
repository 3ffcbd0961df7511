//! Regular expressions in strings: `find`, `findAll`, `matches`.

use std::sync::Arc;

use cel::{
    DeclarationError, Env, ExecutionError,
    common::{
        types::{CelBool, CelInt, CelList, CelString},
        value::Val,
    },
};
use regex::Regex;

use crate::crd::validation::pattern;

pub(super) fn add(env: &mut Env) -> Result<(), DeclarationError> {
    cel::add_member_overload!(env, fn find: (CelString, CelString) -> Result<CelString>)?;
    cel::add_member_overload!(env, fn find_all: (CelString, CelString) -> Result<CelList>)?;
    cel::add_member_overload!(env, fn find_some: (CelString, CelString, CelInt) -> Result<CelList>, name = "findAll")?;
    cel::add_member_overload!(env, fn is_match: (CelString, CelString) -> Result<CelBool>, name = "@matches")?;
    cel::add_overload!(env, fn is_match: (CelString, CelString) -> Result<CelBool>, name = "@matches", id = "@matches")
}

fn regex(expression: &CelString<'_>) -> Result<Arc<Regex>, ExecutionError> {
    pattern::compile(expression.inner()).map_err(|why| super::wrong("find", format!("Illegal regex: {why}")))
}

fn is_match(text: &CelString<'_>, expression: &CelString<'_>) -> Result<CelBool, ExecutionError> {
    let regex = pattern::compile(expression.inner()).map_err(|why| super::wrong("matches", why))?;
    Ok(regex.is_match(text.inner()).into())
}

fn find(text: &CelString<'_>, expression: &CelString<'_>) -> Result<CelString<'static>, ExecutionError> {
    let regex = regex(expression)?;
    let found = regex.find(text.inner()).map_or("", |it| it.as_str());
    Ok(CelString::from(found.to_owned()))
}

fn find_all(text: &CelString<'_>, expression: &CelString<'_>) -> Result<CelList<'static>, ExecutionError> {
    find_some(text, expression, &CelInt::from(-1))
}

fn find_some(
    text: &CelString<'_>,
    expression: &CelString<'_>,
    most: &CelInt,
) -> Result<CelList<'static>, ExecutionError> {
    let regex = regex(expression)?;
    let most = usize::try_from(*most.inner()).unwrap_or(usize::MAX);
    let found = regex.find_iter(text.inner()).take(most);
    let found = found.map(|it| Box::new(CelString::from(it.as_str().to_owned())) as Box<dyn Val>);
    Ok(CelList::from(found.collect::<Vec<_>>()))
}
