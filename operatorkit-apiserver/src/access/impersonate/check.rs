//! May somebody be asked as, in one of the ways?

use super::mode::{Mode, node_name};
use crate::{
    access::{
        Attributes, Authorize, User,
        user::{
            ANONYMOUS, AUTHENTICATED, MASTERS, NODES, UNAUTHENTICATED, service_account_groups, split_service_account,
        },
    },
    failure::Failure,
};

/// One way, tried.
pub(super) struct Check<'a, A> {
    pub(super) mode: Mode,
    pub(super) requestor: &'a User,
    pub(super) authorizer: &'a A,
}

impl<A: Authorize> Check<'_, A> {
    pub(super) fn run(&self, wanted: &User, attributes: &Attributes) -> Result<User, Failure> {
        if self.mode != Mode::Legacy {
            let verb = format!("impersonate-on:{}:{}", self.mode.name(), attributes.verb);
            self.authorizer.check(
                self.requestor,
                &Attributes {
                    verb,
                    ..attributes.clone()
                },
            )?;
        }
        let mut user = wanted.clone();
        self.name(wanted, &mut user)?;
        if !wanted.uid.is_empty() {
            self.check("authentication.k8s.io", "uids", "", &wanted.uid)?;
        }
        self.groups(wanted)?;
        self.extra(wanted)?;
        with_authentication(&mut user);
        Ok(user)
    }

    fn attributes(&self, group: &str, resource: &str) -> Attributes {
        Attributes::resource(&self.mode.verb(), group, resource)
    }

    fn check(&self, group: &str, resource: &str, subresource: &str, name: &str) -> Result<(), Failure> {
        let attributes = self.attributes(group, resource).on_subresource(subresource).named(name);
        self.authorizer.check(self.requestor, &attributes)
    }

    fn name(&self, wanted: &User, user: &mut User) -> Result<(), Failure> {
        let mut attributes = self.attributes(self.mode.group(), "users").named(&wanted.name);
        if self.mode != Mode::Legacy
            && let Some(node) = node_name(&wanted.name)
        {
            attributes.resource = "nodes".into();
            attributes.name = if self.mode == Mode::AssociatedNode { "*" } else { node }.into();
            user.groups = vec![NODES.into()];
        }
        if let Some((namespace, name)) = split_service_account(&wanted.name) {
            attributes.resource = "serviceaccounts".into();
            attributes = attributes.in_namespace(namespace).named(name);
            if wanted.groups.is_empty() {
                user.groups = service_account_groups(namespace).into();
            }
        }
        self.authorizer.check(self.requestor, &attributes)
    }

    fn groups(&self, wanted: &User) -> Result<(), Failure> {
        let group = self.mode.group();
        if self.mode != Mode::Legacy {
            let attributes = self.attributes(group, "groups");
            if wanted.is_in("") {
                let why = "impersonating the empty string group is not allowed";
                return Err(attributes.forbidden(self.requestor, why));
            }
            if wanted.is_in(MASTERS) {
                let why = "impersonating the system:masters group is not allowed";
                return Err(attributes.named(MASTERS).forbidden(self.requestor, why));
            }
            if wanted.groups.len() >= MANY && self.check(group, "groups", "", "*").is_ok() {
                return Ok(());
            }
        }
        wanted
            .groups
            .iter()
            .try_for_each(|it| self.check(group, "groups", "", it))
    }

    fn extra(&self, wanted: &User) -> Result<(), Failure> {
        const GROUP: &str = "authentication.k8s.io";
        if self.mode != Mode::Legacy {
            if let Some(why) = wanted.extra.iter().find_map(|(key, values)| bad_extra(key, values)) {
                return Err(self.attributes(GROUP, "userextras").forbidden(self.requestor, why));
            }
            let many = wanted.extra.values().map(Vec::len).sum::<usize>() >= MANY;
            if many && self.check(GROUP, "userextras", "*", "*").is_ok() {
                return Ok(());
            }
        }
        let values = wanted
            .extra
            .iter()
            .flat_map(|(key, values)| values.iter().map(move |it| (key, it)));
        values
            .into_iter()
            .try_for_each(|(key, value)| self.check(GROUP, "userextras", key, value))
    }
}

/// From so many on, the right to all is asked for first.
const MANY: usize = 4;

fn bad_extra(key: &str, values: &[String]) -> Option<&'static str> {
    if key.is_empty() {
        return Some("impersonating the empty string key in extra is not allowed");
    }
    values
        .iter()
        .any(String::is_empty)
        .then_some("impersonating the empty string value in extra is not allowed")
}

fn with_authentication(user: &mut User) {
    let group = match (user.name.as_str(), user.is_in(UNAUTHENTICATED)) {
        (ANONYMOUS, _) => UNAUTHENTICATED,
        (_, true) => return,
        _ => AUTHENTICATED,
    };
    if !user.is_in(group) {
        user.groups.push(group.into());
    }
}
