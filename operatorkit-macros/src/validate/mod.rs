//! Judging what was written: each rule in words, each error on the smallest token, saying what to do.

mod contradictions;
mod data;
mod duration;
mod field_selector;
#[cfg(feature = "yaml")]
mod files;
mod item;
mod keys;
mod kind;
mod kube;
mod kube_lists;
mod layers;
mod operator;
mod pause;
mod pointers;
mod policies;
mod reads;
mod resource;
mod rules;
mod selector;
mod succession;
mod values;
mod yaml;

pub(crate) use data::data;
#[cfg(feature = "yaml")]
pub(crate) use files::included;
pub(crate) use operator::operator;
pub(crate) use resource::resource;
