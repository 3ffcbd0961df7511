//! What lists, watches and deletions of many ask for in their queries.

use super::{Writer, one};
use crate::{
    differential::step::{ListVersion, Select, WatchFrom},
    server::Ask,
};
use proptest::sample::Index;

/// The first are those that the marker at the end of a watch matches.
const LABELS: [&str; 12] = [
    "app=x",
    "app!=y",
    "app in (x, y)",
    "tier",
    "!gone",
    "app=x,tier=front",
    "app==y",
    "app notin (x)",
    "app,!tier",
    ",",
    "a b",
    "app in ()",
];
const LABELS_OF_WATCHES: usize = 6;
const FIELDS: [&str; 12] = [
    "metadata.name=a",
    "metadata.name!=a",
    "metadata.name=a,metadata.name=b",
    "metadata.namespace=other",
    "spec.color=red",
    "spec.color!=red",
    "status.phase=Pending",
    "spec.nodeName=n",
    "type=Opaque",
    "spec.restartPolicy=Always",
    "bogus=1",
    "=",
];
impl Writer<'_> {
    pub(super) fn list(&self, select: &Select, limit: Option<u8>, version: &ListVersion) -> String {
        let mut query = Vec::new();
        query.extend(
            select
                .labels
                .map(|it| format!("labelSelector={}", encoded(one(it, &LABELS)))),
        );
        query.extend(
            select
                .fields
                .map(|it| format!("fieldSelector={}", encoded(one(it, &FIELDS)))),
        );
        query.extend(limit.map(|limit| format!("limit={limit}")));
        query.extend(match version {
            ListVersion::Unsaid => None,
            ListVersion::Zero => Some("resourceVersion=0".into()),
            ListVersion::NotOlderThan(at) => self
                .seen
                .version(*at)
                .map(|it| format!("resourceVersion={it}&resourceVersionMatch=NotOlderThan")),
            ListVersion::Exact(at) => self
                .seen
                .version(*at)
                .map(|it| format!("resourceVersion={it}&resourceVersionMatch=Exact")),
            ListVersion::Bad => Some("resourceVersion=bad".into()),
        });
        query.join("&")
    }

    pub(super) fn watch(&self, select: &Select, from: &WatchFrom, bookmarks: bool) -> Ask {
        let mut query = vec!["watch=true".to_owned()];
        query.extend(
            select
                .labels
                .map(|it| format!("labelSelector={}", encoded(one(it, &LABELS[..LABELS_OF_WATCHES])))),
        );
        query.extend(select.fields.map(|_| format!("fieldSelector={}", encoded(FIELDS[0]))));
        let at = |at: &Index| self.seen.version(*at).unwrap_or("0").to_owned();
        let initial = |version: &str| {
            format!("resourceVersion={version}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
        };
        query.extend(match from {
            WatchFrom::Unsaid => None,
            WatchFrom::Zero => Some("resourceVersion=0".into()),
            WatchFrom::Version(index) => Some(format!("resourceVersion={}", at(index))),
            WatchFrom::Initial => Some(initial("")),
            WatchFrom::InitialZero => Some(initial("0")),
            WatchFrom::InitialVersion(index) => Some(initial(&at(index))),
        });
        if bookmarks
            || matches!(
                from,
                WatchFrom::Initial | WatchFrom::InitialZero | WatchFrom::InitialVersion(_)
            )
        {
            query.push("allowWatchBookmarks=true".into());
        }
        Ask::new("GET", &format!("{}?{}", self.path, query.join("&")))
    }
}

fn encoded(text: &str) -> String {
    text.replace('%', "%25")
        .replace(' ', "%20")
        .replace('=', "%3D")
        .replace('!', "%21")
        .replace(',', "%2C")
}
