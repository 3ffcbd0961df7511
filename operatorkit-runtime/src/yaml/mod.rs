//! Children from YAML files: the files with their placeholders, and resources that are nothing but files.

mod file;
mod resource;
#[cfg(test)]
mod tests;

pub use file::Yaml;
pub use resource::FromYaml;
