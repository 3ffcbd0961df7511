//! What a person can do about a failure.

use super::{
    super::target::{Target, Verb},
    class::Class,
};

pub(super) fn remedy(class: &Class, target: &Target, message: &str) -> Option<String> {
    let remedy = match class {
        Class::NotServed => not_served(target),
        Class::NamespaceNotFound => "create the namespace".to_owned(),
        Class::Forbidden => forbidden(target, message)?,
        Class::Unauthorized => "check the credentials of the operator: they are missing, wrong or expired".to_owned(),
        Class::NotInSchema if message.contains("field not declared in schema") => {
            "correct the field's name, or install a version of the API server or CustomResourceDefinition that has it"
                .to_owned()
        }
        Class::TooLarge => "make the object smaller: the API server takes about 1.5 MiB".to_owned(),
        Class::Unreachable => {
            "check that the API server runs, and its address and certificates in the kubeconfig".to_owned()
        }
        _ => return None,
    };
    Some(remedy)
}

fn not_served(target: &Target) -> String {
    match target.resource.split_once('/') {
        Some((resource, subresource)) => {
            format!("make {resource} served, with the subresource `{subresource}`")
        }
        None if target.kind.contains('.') => {
            format!(
                "install the CustomResourceDefinition `{}`, with this version served (an operator's command `crd` prints its own)",
                target.resource
            )
        }
        None => "check the version of the API server: it does not have this kind".to_owned(),
    }
}

/// `… cannot patch resource "deployments" in API group "apps" …`: an apply that creates needs `create` as well, so the
/// verb that is missing is the one that the server names. Other refusals are an admission's or a quota's.
fn forbidden(target: &Target, message: &str) -> Option<String> {
    let (_, said) = message.split_once(" cannot ")?;
    let verb = said.split(' ').next().filter(|verb| !verb.is_empty());
    let verb = verb.unwrap_or(if target.verb == Verb::Discover {
        "get"
    } else {
        target.verb.as_str()
    });
    Some(format!(
        "grant `{verb}` on `{}` to the operator's service account",
        target.resource
    ))
}
