//! The rule of `reads(..)`.

use super::text::Text;
use crate::{cluster::StaticScope, operator::Object};

/// Rule: what is read without `any_namespace` is in namespaces: the right to a cluster-scoped kind is one for the whole cluster.
#[track_caller]
pub const fn reads<K: Object>() {
    if !<K::Scope as StaticScope>::NAMESPACED {
        Text::new()
            .push("this kind is cluster-scoped, so it is not in the object's namespace: say `reads(.., any_namespace)`")
            .raise()
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{Node, Secret};

    use super::*;

    #[test]
    fn a_cluster_scoped_kind_needs_any_namespace() {
        reads::<Secret>();
        let panic = std::panic::catch_unwind(reads::<Node>).expect_err("the check passed");
        assert!(panic.downcast::<String>().unwrap().contains("any_namespace"));
    }
}
