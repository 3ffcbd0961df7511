//! The roles and bindings that every cluster has.

use serde_json::Value;

use super::aggregation::aggregate;

/// As Kubernetes 1.37 has them, taken from a real server.
const OBJECTS: &str = include_str!("bootstrap.json");

/// The default ClusterRoles, Roles and their bindings, with the rules of `admin`, `edit` and `view` filled in. What the
/// server sets, UID, version and time, is not there yet.
///
/// # Panics
///
/// Never: the data is a part of the program.
pub fn bootstrap() -> Vec<Value> {
    let mut objects: Vec<Value> = serde_json::from_str(OBJECTS).expect("the file is JSON");
    // `admin` takes from `edit`, which takes from `view`: three rounds settle it.
    for _ in 0..3 {
        let roles: Vec<Value> = objects
            .iter()
            .filter(|it| it["kind"] == "ClusterRole")
            .cloned()
            .collect();
        for object in &mut objects {
            if let Some(rules) = aggregate(object, &roles.iter().collect::<Vec<_>>()) {
                object["rules"] = rules.into();
            }
        }
    }
    objects
}
