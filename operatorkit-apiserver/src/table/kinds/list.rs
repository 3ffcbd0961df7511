//! The cells of each built-in kind, in the order of its columns.

use super::cell::Cell::{
    self, Age, At, Boolean, Containers, Entries, Images, Integer, IntegerOr, Labels, Name, Of, Since, Text, TextOr,
};
use super::{admission, autoscaling, certificates, event, network, node, pod, policy, resource, storage, workload};

/// Where the containers of a `ReplicationController` are.
const CONTAINERS: &str = "/spec/template/spec/containers";

/// The cells of a kind, `None` if it has none of its own.
pub(super) fn cells_of(group: &str, kind: &str) -> Option<&'static [Cell]> {
    match group {
        "" => core(kind),
        "apps" => workload::apps(kind),
        "batch" => workload::batch(kind),
        "networking.k8s.io" | "discovery.k8s.io" => network::cells_of(kind),
        "storage.k8s.io" | "storagemigration.k8s.io" => storage::cells_of(kind),
        "admissionregistration.k8s.io" => admissions(kind),
        "resource.k8s.io" => devices(kind),
        _ => others(group, kind),
    }
}

fn core(kind: &str) -> Option<&'static [Cell]> {
    Some(match kind {
        "Pod" => &[
            Name,
            Of(pod::ready),
            Of(pod::status),
            At(pod::restarts),
            Age,
            Of(pod::ip),
            Of(pod::node),
            Of(pod::nominated_node),
            Of(pod::readiness_gates),
        ],
        "PodTemplate" => &[
            Name,
            Containers("/template/spec/containers"),
            Images("/template/spec/containers"),
            Labels("/template/metadata/labels"),
        ],
        "ReplicationController" => &[
            Name,
            Integer("/spec/replicas"),
            Integer("/status/replicas"),
            Integer("/status/readyReplicas"),
            Age,
            Containers(CONTAINERS),
            Images(CONTAINERS),
            Labels("/spec/selector"),
        ],
        "Service" => &[
            Name,
            Text("/spec/type"),
            Of(network::cluster_ip),
            Of(network::external_ip),
            Of(network::service_ports),
            Age,
            Labels("/spec/selector"),
        ],
        "Endpoints" => &[Name, Of(network::endpoints), Age],
        "Node" => &[
            Name,
            Of(node::status),
            Of(node::roles),
            Age,
            Text("/status/nodeInfo/kubeletVersion"),
            Of(node::internal_ip),
            Of(node::external_ip),
            Of(node::os_image),
            Of(node::kernel_version),
            Of(node::container_runtime),
        ],
        "Event" => event::CELLS,
        "Namespace" => &[Name, Text("/status/phase"), Age],
        "Secret" => &[Name, Text("/type"), Entries(&["/data"]), Age],
        "ServiceAccount" => &[Name, Age],
        "ConfigMap" => &[Name, Entries(&["/data", "/binaryData"]), Age],
        "PersistentVolume" => storage::VOLUME,
        "PersistentVolumeClaim" => storage::CLAIM,
        "ResourceQuota" => &[Name, Of(policy::quota_requests), Of(policy::quota_limits), Age],
        "ComponentStatus" => &[
            Name,
            Of(node::component),
            Of(node::component_message),
            Of(node::component_error),
        ],
        _ => return None,
    })
}

fn admissions(kind: &str) -> Option<&'static [Cell]> {
    Some(match kind {
        "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => &[Name, Entries(&["/webhooks"]), Age],
        "ValidatingAdmissionPolicy" => &[Name, Entries(&["/spec/validations"]), Of(admission::param_kind), Age],
        "MutatingAdmissionPolicy" => &[Name, Entries(&["/spec/mutations"]), Of(admission::param_kind), Age],
        "ValidatingAdmissionPolicyBinding" | "MutatingAdmissionPolicyBinding" => {
            &[Name, Text("/spec/policyName"), Of(admission::param_ref), Age]
        }
        _ => return None,
    })
}

fn devices(kind: &str) -> Option<&'static [Cell]> {
    Some(match kind {
        "DeviceClass" | "ResourceClaimTemplate" => &[Name, Age],
        "ResourceClaim" => &[Name, Of(resource::claim), Age],
        "ResourceSlice" => &[
            Name,
            Text("/spec/nodeName"),
            Text("/spec/driver"),
            Text("/spec/pool/name"),
            Age,
        ],
        "DeviceTaintRule" => &[
            Name,
            Text("/spec/taint/key"),
            Text("/spec/taint/value"),
            Text("/spec/taint/effect"),
            Since("/spec/taint/timeAdded", ""),
            Age,
        ],
        _ => return None,
    })
}

fn others(group: &str, kind: &str) -> Option<&'static [Cell]> {
    Some(match (group, kind) {
        ("events.k8s.io", "Event") => event::CELLS,
        ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => &[
            Name,
            Of(policy::role),
            Age,
            Of(policy::users),
            Of(policy::groups),
            Of(policy::service_accounts),
        ],
        ("coordination.k8s.io", "Lease") => &[Name, Text("/spec/holderIdentity"), Age],
        ("autoscaling", "HorizontalPodAutoscaler") => &[
            Name,
            Of(autoscaling::target),
            Of(autoscaling::metrics),
            Of(autoscaling::minimum),
            Integer("/spec/maxReplicas"),
            Integer("/status/currentReplicas"),
            Age,
        ],
        ("autoscaling", "Scale") => &[Name, Integer("/spec/replicas"), Integer("/status/replicas"), Age],
        ("policy", "PodDisruptionBudget") => &[
            Name,
            Of(policy::min_available),
            Of(policy::max_unavailable),
            Integer("/status/disruptionsAllowed"),
            Age,
        ],
        ("scheduling.k8s.io", "PriorityClass") => &[
            Name,
            Integer("/value"),
            Boolean("/globalDefault", false),
            Age,
            Text("/preemptionPolicy"),
        ],
        ("node.k8s.io", "RuntimeClass") => &[Name, Text("/handler"), Age],
        ("certificates.k8s.io", kind) => return certificates::cells_of(kind),
        ("flowcontrol.apiserver.k8s.io", "FlowSchema") => &[
            Name,
            Text("/spec/priorityLevelConfiguration/name"),
            Integer("/spec/matchingPrecedence"),
            TextOr("/spec/distinguisherMethod/type", "<none>"),
            Age,
            Of(policy::dangling),
        ],
        ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration") => &[
            Name,
            Text("/spec/type"),
            IntegerOr("/spec/limited/nominalConcurrencyShares", "<none>"),
            IntegerOr("/spec/limited/limitResponse/queuing/queues", "<none>"),
            IntegerOr("/spec/limited/limitResponse/queuing/handSize", "<none>"),
            IntegerOr("/spec/limited/limitResponse/queuing/queueLengthLimit", "<none>"),
            Age,
        ],
        ("apiregistration.k8s.io", "APIService") => &[Name, Of(node::api_service), Of(node::api_available), Age],
        ("apiextensions.k8s.io", "CustomResourceDefinition") => &[
            Name,
            Text("/spec/scope"),
            Of(resource::served_versions),
            Text("/metadata/creationTimestamp"),
            Text("/spec/group"),
            Text("/spec/names/kind"),
            Of(resource::short_names),
            Of(resource::established),
        ],
        _ => return None,
    })
}
