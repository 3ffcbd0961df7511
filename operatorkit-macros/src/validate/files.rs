//! The rules of files of YAML that the code names: they are there, and hold objects.

use std::{fs, path::PathBuf};

use operatorkit_yaml::Template;
use proc_macro2::TokenStream;
use syn::{LitStr, Path};

use super::values;
use crate::{
    diagnostics::Diagnostics,
    model::Files,
    syntax::{entries, pieces},
};

/// The files of `yaml!("..", ..)`, and where operatorkit is. Rule: it names a file.
pub(crate) fn included(arguments: TokenStream, errors: &Diagnostics) -> (Path, Files) {
    let (mut named, mut others) = (Vec::new(), TokenStream::new());
    for piece in pieces(arguments) {
        match syn::parse2::<LitStr>(piece.clone()) {
            Ok(file) => named.push(file),
            Err(_) => others.extend(piece),
        }
    }
    let (entries, mut odd) = entries(others.clone());
    odd.extend(
        entries
            .iter()
            .filter(|entry| entry.name() != "crate")
            .map(|entry| syn::Error::new_spanned(&entry.key, "`yaml!` takes files, and `crate = path`")),
    );
    if named.is_empty() && odd.is_empty() {
        let why = "`yaml!` needs a file: `yaml!(\"web.yaml\")`, by a path that is relative to this source file";
        odd.push(syn::Error::new_spanned(&others, why));
    }
    odd.into_iter().for_each(|error| errors.add(error));
    (values::root(&entries, errors), judge(named, errors))
}

/// Those that are right; the others are reported.
pub(super) fn judge(named: Vec<LitStr>, errors: &Diagnostics) -> Files {
    let good = named.into_iter().filter(|file| is_good(file, errors)).collect();
    Files { good }
}

/// Rules: the file is there, and holds objects in YAML, by the rules that the runtime has.
fn is_good(file: &LitStr, errors: &Diagnostics) -> bool {
    let Some(path) = path(file) else {
        // Some editors do not tell where the source is. The compiler does.
        return true;
    };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            let why = format!(
                "`{}` cannot be read: {error}; the path is relative to this source file, as that of `include_str!`",
                file.value()
            );
            errors.error(file, why);
            return false;
        }
    };
    match Template::parse(&file.value(), &text) {
        Ok(_) => true,
        Err(problems) => {
            problems.iter().for_each(|problem| errors.error(file, problem));
            false
        }
    }
}

/// Where the compiler will look for the file.
fn path(file: &LitStr) -> Option<PathBuf> {
    // In tests of this crate there is no compiler.
    let source = proc_macro::is_available().then(|| file.span().unwrap().local_file())??;
    Some(source.parent()?.join(file.value()))
}
