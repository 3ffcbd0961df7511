//! Containers, init containers, ephemeral containers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{env, handler, mount, resources, security, volume::Volumes};
use crate::{
    failure::{FieldError, FieldPath},
    validation::{At, Errors, names, number},
};

const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];
const PULL_POLICIES: [&str; 3] = ["Always", "IfNotPresent", "Never"];
/// What an ephemeral container may not have.
const NOT_EPHEMERAL: [&str; 8] = [
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
];

/// What containers need to know of their pod.
pub(super) struct Surroundings<'a> {
    pub(super) spec: At<'a>,
    pub(super) volumes: Volumes<'a>,
    pub(super) claims: BTreeSet<&'a str>,
}

impl Surroundings<'_> {
    fn grace(&self) -> Option<i64> {
        self.spec.get("terminationGracePeriodSeconds").int()
    }

    /// `containers`.
    pub(super) fn containers(&self) -> Errors {
        let list = self.spec.get("containers");
        if list.is_empty() {
            return vec![list.required("")];
        }
        let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
        for container in list.items() {
            errors.extend(self.any(&container));
            let name = container.get("name");
            if !seen.insert(name.text()) {
                errors.push(name.duplicate());
            }
            errors.extend(handler::lifecycle(&container, self.grace()));
            errors.extend(handler::probes(&container, self.grace()));
            errors.extend(restart_policy(&container));
        }
        errors.extend(host_ports(list.items()));
        errors
    }

    /// `initContainers`.
    pub(super) fn init_containers(&self) -> Errors {
        let list = self.spec.get("initContainers");
        let mut seen: BTreeSet<_> = self.names("containers").collect();
        let mut errors = Errors::new();
        for (index, container) in list.items().enumerate() {
            errors.extend(self.any(&container));
            errors.extend(restart_policy(&container));
            let name = container.get("name");
            if seen.contains(name.text()) {
                errors.push(name.duplicate());
            } else if !name.is_empty() {
                seen.insert(name.text());
            }
            errors.extend(host_ports(list.items().skip(index).take(1)));
            if container.get("restartPolicy").is("Always") {
                errors.extend(handler::lifecycle(&container, self.grace()));
                errors.extend(handler::probes(&container, self.grace()));
                continue;
            }
            for field in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
                let at = container.get(field);
                if at.is_set() {
                    errors.push(at.forbidden("may not be set for init containers without restartPolicy=Always"));
                }
            }
        }
        errors
    }

    /// `ephemeralContainers`.
    pub(super) fn ephemeral_containers(&self) -> Errors {
        let others: BTreeSet<_> = self.names("containers").chain(self.names("initContainers")).collect();
        let (mut errors, mut seen) = (Errors::new(), others.clone());
        for container in self.spec.get("ephemeralContainers").items() {
            errors.extend(self.any(&container));
            errors.extend(image_spaces(&container));
            let (name, target) = (container.get("name"), container.get("targetContainerName"));
            if !seen.insert(name.text()) {
                errors.push(name.duplicate());
            }
            if !target.is_empty() && !others.contains(target.text()) {
                errors.push(target.not_found());
            }
            let says = "cannot be set for an Ephemeral Container";
            let fields = NOT_EPHEMERAL.map(|it| container.get(it));
            errors.extend(fields.iter().filter(|it| !it.is_empty()).map(|it| it.forbidden(says)));
            for mount in container.get("volumeMounts").items() {
                let fields = ["subPath", "subPathExpr"].map(|it| mount.get(it));
                errors.extend(fields.iter().filter(|it| !it.is_empty()).map(|it| it.forbidden(says)));
            }
        }
        errors
    }

    fn names(&self, list: &str) -> impl Iterator<Item = &str> {
        self.spec.get(list).items().map(|it| it.get("name").text())
    }

    /// What all containers have in common.
    fn any(&self, container: &At<'_>) -> Errors {
        let (name, image) = (container.get("name"), container.get("image"));
        let mut errors = Errors::new();
        if name.is_empty() {
            errors.push(name.required(""));
        } else {
            errors.extend(name.all_invalid(names::dns_label(name.text())));
        }
        if image.is_empty() {
            errors.push(image.required(""));
        }
        let message = container.get("terminationMessagePolicy");
        let known = ["File", "FallbackToLogsOnError"];
        if message.is_empty() {
            errors.push(message.required(""));
        } else if !message.is_any(&known) {
            errors.push(message.not_supported(&known));
        }
        errors.extend(ports(&container.get("ports")));
        errors.extend(env::env(&container.get("env")));
        errors.extend(env::env_from(&container.get("envFrom")));
        errors.extend(mount::mounts(container, &self.volumes));
        errors.extend(pull_policy(&container.get("imagePullPolicy")));
        errors.extend(resources::requirements(&container.get("resources"), &self.claims));
        errors.extend(resize_policy(
            &container.get("resizePolicy"),
            &self.spec.get("restartPolicy"),
        ));
        let host_users = !self.spec.get("hostUsers").is_false();
        errors.extend(security::container(&container.get("securityContext"), host_users));
        errors
    }
}

/// An image without spaces around it, which only a pod must have, not a template.
pub(super) fn image_spaces(container: &At<'_>) -> Option<FieldError> {
    let image = container.get("image");
    let spaces = image.text().trim() != image.text();
    spaces.then(|| image.invalid("must not have leading or trailing whitespace"))
}

pub(super) fn pull_policy(policy: &At<'_>) -> Errors {
    if policy.is_empty() {
        return vec![policy.required("")];
    }
    if policy.is_any(&PULL_POLICIES) {
        Errors::new()
    } else {
        vec![policy.not_supported(&PULL_POLICIES)]
    }
}

fn ports(list: &At<'_>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    for port in list.items() {
        let name = port.get("name");
        if !name.is_empty() {
            let wrong = names::port_name(name.text());
            if wrong.is_empty() && !seen.insert(name.text()) {
                errors.push(name.duplicate());
            }
            errors.extend(name.all_invalid(wrong));
        }
        let (number, host) = (port.get("containerPort"), port.get("hostPort"));
        if number.number() == 0 {
            errors.push(number.required(""));
        } else {
            errors.extend(number::port(&number));
        }
        if host.number() != 0 {
            errors.extend(number::port(&host));
        }
        let protocol = port.get("protocol");
        if protocol.is_empty() {
            errors.push(protocol.required(""));
        } else if !protocol.is_any(&PROTOCOLS) {
            errors.push(protocol.not_supported(&PROTOCOLS));
        }
    }
    errors
}

fn host_ports<'a>(containers: impl Iterator<Item = At<'a>>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    for container in containers {
        for port in container.get("ports").items() {
            let (host, ip, protocol) = (port.get("hostPort"), port.get("hostIP"), port.get("protocol"));
            let text = format!("{}/{}/{}", protocol.text(), ip.text(), host.number());
            if host.number() != 0 && !seen.insert(text.clone()) {
                errors.push(FieldError::duplicate(&host.path, &Value::from(text)));
            }
        }
    }
    errors
}

fn resize_policy(list: &At<'_>, restart: &At<'_>) -> Errors {
    let (mut errors, mut seen) = (Errors::new(), BTreeSet::new());
    for item in list.items() {
        let resource = item.get("resourceName").placed(list.path.clone());
        if !seen.insert(resource.text()) {
            errors.push(resource.placed(item.path.clone()).duplicate());
        }
        let policy = item.get("restartPolicy").placed(list.path.clone());
        for (at, known) in [
            (&resource, ["cpu", "memory"]),
            (&policy, ["NotRequired", "RestartContainer"]),
        ] {
            if at.is_empty() {
                errors.push(at.required(""));
            } else if !at.is_any(&known) {
                errors.push(at.not_supported(&known));
            }
        }
        if restart.is("Never") && !policy.is("NotRequired") {
            errors.push(policy.invalid("must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
        }
    }
    errors
}

fn restart_policy(container: &At<'_>) -> Errors {
    let (policy, rules) = (container.get("restartPolicy"), container.get("restartPolicyRules"));
    let mut errors = Errors::new();
    let known = ["Always", "Never", "OnFailure"];
    if !policy.is_set() && !rules.is_empty() {
        errors.push(policy.required("must specify restartPolicy when restart rules are used"));
    } else if policy.is_set() && !policy.is_any(&known) {
        errors.push(policy.not_supported(&known));
    }
    if rules.len() > 20 {
        errors.push(FieldError::too_many(&rules.path, rules.len(), 20));
    }
    for rule in rules.items() {
        let (action, codes) = (rule.get("action"), rule.get("exitCodes"));
        if !action.is_any(&["Restart", "RestartAllContainers"]) {
            errors.push(action.not_supported(&["Restart", "RestartAllContainers"]));
        }
        let operator = codes.get("operator");
        if !codes.is_set() {
            errors.push(codes.required("must be specified"));
        } else if !operator.is_any(&["In", "NotIn"]) {
            errors.push(operator.not_supported(&["In", "NotIn"]));
        }
    }
    errors
}

/// Ports of containers on the host's network are those of the host. A template may leave them out.
pub(super) fn host_network_ports(spec: &At<'_>, is_pod: bool) -> Errors {
    let mut errors = Errors::new();
    if !spec.get("hostNetwork").is_true() {
        return errors;
    }
    for container in spec.get("containers").items() {
        for port in container.get("ports").items() {
            let (host, number) = (port.get("hostPort"), port.get("containerPort").number());
            if (is_pod || host.number() != 0) && host.number() != number {
                let shown = Value::from(host.number());
                let at = At::new(&shown, FieldPath::new(host.path.as_str()));
                errors.push(at.invalid("must match `containerPort` when `hostNetwork` is true"));
            }
        }
    }
    errors
}
