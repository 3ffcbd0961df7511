//! Names that are free and names that are not, with the statuses that the real server wrote.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::crd::names::{Taken, statuses};

fn crd(plural: &str, kind: &str, more: &Value) -> Value {
    let mut names = json!({
        "plural": plural, "kind": kind, "singular": kind.to_lowercase(), "listKind": format!("{kind}List"),
    });
    for (name, value) in more.as_object().expect("names") {
        names[name] = value.clone();
    }
    json!({
        "spec": { "group": "names.helpers.example.com", "names": names },
        "status": { "conditions": null, "acceptedNames": { "plural": "", "kind": "" }, "storedVersions": ["v1"] },
    })
}

fn one() -> Value {
    let mut one = crd("ones", "One", &json!({ "shortNames": ["o"], "categories": ["all"] }));
    one["status"] = settle(&one, &[]).pop().expect("it is established");
    one
}

fn settle(crd: &Value, others: &[&Value]) -> Vec<Value> {
    let now: Timestamp = "2026-12-02T09:43:35Z".parse().expect("a time");
    statuses(crd, &Taken::by(others.iter().copied().chain([crd])), now)
}

/// The conditions without their times.
fn conditions(status: &Value) -> Vec<String> {
    let conditions = status["conditions"].as_array().expect("conditions");
    let text = |it: &Value, name: &str| it[name].as_str().expect("text").to_owned();
    let line = |it: &Value| {
        ["type", "status", "reason", "message"]
            .map(|name| text(it, name))
            .join("|")
    };
    conditions.iter().map(line).collect()
}

const ACCEPTED: &str = "NamesAccepted|True|NoConflicts|no conflicts found";
const ESTABLISHED: &str = "Established|True|InitialNamesAccepted|the initial names have been accepted";

#[test]
fn free_names_are_accepted_and_then_the_crd_is_established() {
    let crd = crd("ones", "One", &json!({ "shortNames": ["o"], "categories": ["all"] }));
    let statuses = settle(&crd, &[]);
    assert_eq!(statuses.len(), 2);
    let installing = "Established|False|Installing|the initial names have been accepted";
    assert_eq!(conditions(&statuses[0]), [ACCEPTED, installing]);
    assert_eq!(conditions(&statuses[1]), [ACCEPTED, ESTABLISHED]);
    assert_eq!(statuses[1]["acceptedNames"], crd["spec"]["names"]);
    assert_eq!(
        statuses[1]["conditions"][0]["lastTransitionTime"],
        "2026-12-02T09:43:35Z"
    );
}

#[test]
fn the_last_conflict_is_told_and_the_other_names_are_granted() {
    let not_accepted = "Established|False|NotAccepted|not all names are accepted";
    let two = crd("twos", "Two", &json!({ "singular": "one", "shortNames": ["o", "t"] }));
    let status = settle(&two, &[&one()]).pop().expect("a status");
    let conflict = "NamesAccepted|False|ShortNamesConflict|\"o\" is already in use";
    assert_eq!(conditions(&status), [conflict, not_accepted]);
    let granted = json!({ "plural": "twos", "kind": "Two", "listKind": "TwoList" });
    assert_eq!(status["acceptedNames"], granted);

    let three = crd("threes", "One", &json!({}));
    let status = settle(&three, &[&one()]).pop().expect("a status");
    let conflict = "NamesAccepted|False|ListKindConflict|\"OneList\" is already in use";
    assert_eq!(conditions(&status), [conflict, not_accepted]);
    assert_eq!(status["acceptedNames"], json!({ "plural": "threes", "kind": "" }));
}

#[test]
fn an_established_crd_stays_so_when_a_new_name_is_taken() {
    let mut one = one();
    let mut two = crd("twos", "Two", &json!({ "shortNames": ["t"] }));
    two["status"] = settle(&two, &[&one]).pop().expect("it is established");
    one["spec"]["names"]["shortNames"] = json!(["t"]);
    let status = settle(&one, &[&two]).pop().expect("a status");
    let conflict = "NamesAccepted|False|ShortNamesConflict|\"t\" is already in use";
    assert_eq!(conditions(&status), [conflict, ESTABLISHED]);
    assert_eq!(status["acceptedNames"]["shortNames"], json!(["o"]));
}

#[test]
fn groups_of_the_community_have_a_condition_of_their_own_first() {
    let mut four = crd("fours", "Four", &json!({}));
    four["spec"]["group"] = "x.kubernetes.io".into();
    four["metadata"]["annotations"]["api-approved.kubernetes.io"] = "unapproved, test".into();
    let statuses = settle(&four, &[]);
    let approval =
        "KubernetesAPIApprovalPolicyConformant|False|UnapprovedAnnotation|not approved: \"unapproved, test\"";
    assert_eq!(statuses.len(), 3);
    assert_eq!(conditions(&statuses[0]), [approval]);
    assert_eq!(conditions(&statuses[2]), [approval, ACCEPTED, ESTABLISHED]);
}

#[test]
fn a_bundle_that_is_none_keeps_a_crd_from_being_established() {
    let mut six = crd("sixes", "Six", &json!({}));
    six["spec"]["conversion"] = json!({ "strategy": "Webhook", "webhook": { "clientConfig": { "caBundle": "YQ==" } } });
    let status = settle(&six, &[]).pop().expect("a status");
    let invalid = "Established|False|InvalidCABundle|The conversion webhook CABundle is invalid";
    assert_eq!(conditions(&status), [ACCEPTED, invalid]);
}
