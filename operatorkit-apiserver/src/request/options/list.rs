//! The options of lists and watches.

use super::version;
use crate::{
    failure::{Failure, FieldError, FieldPath, Target},
    request::Query,
};

/// The options of lists and watches.
#[derive(Clone, Debug, Default)]
pub struct ListOptions {
    /// As written.
    pub label_selector: String,
    /// As written.
    pub field_selector: String,
    /// 0: no limit.
    pub limit: usize,
    /// Where the last page ended; empty for the first.
    pub continue_: String,
    /// `None`: the newest.
    pub resource_version: Option<u64>,
    /// What is wrong with the version that was given: told after what is wrong with the selectors.
    pub version_error: Option<Failure>,
    /// `Exact` or `NotOlderThan`; empty if not said.
    pub version_match: String,
    /// How long a watch lasts, in seconds.
    pub timeout_seconds: Option<u64>,
    /// Whether a watch sends bookmarks.
    pub bookmarks: bool,
    /// Whether a watch begins with the objects that are there; `None` if not said.
    pub send_initial_events: Option<bool>,
}

impl ListOptions {
    /// From a query.
    ///
    /// # Errors
    ///
    /// 400 and 422 for values that are not known or do not go together.
    pub fn parse(query: &Query, watch: bool) -> Result<Self, Failure> {
        let mut options = Self {
            label_selector: query.text("labelSelector").into(),
            field_selector: query.text("fieldSelector").into(),
            limit: usize::try_from(query.number("limit")?.unwrap_or(0)).unwrap_or(0),
            continue_: query.text("continue").into(),
            resource_version: None,
            version_error: None,
            version_match: query.text("resourceVersionMatch").into(),
            timeout_seconds: query
                .number("timeoutSeconds")?
                .and_then(|seconds| seconds.try_into().ok()),
            bookmarks: query.switch("allowWatchBookmarks"),
            send_initial_events: query
                .has("sendInitialEvents")
                .then(|| query.switch("sendInitialEvents")),
        };
        let given = query.text("resourceVersion");
        options.default(watch, given);
        let errors = if watch {
            options.watch_errors()
        } else {
            options.list_errors(given)
        };
        if !errors.is_empty() {
            return Err(Failure::invalid(Target::new("meta.k8s.io", "ListOptions", ""), &errors));
        }
        match version::parameter(given) {
            Ok(version) => options.resource_version = version,
            Err(why) if watch => options.version_error = Some(Failure::new(500, "", why)),
            Err(why) => options.version_error = Some(Failure::bad_request(format!("invalid resource version: {why}"))),
        }
        Ok(options)
    }

    /// A watch from no version at all begins with the objects (`SetListOptionsDefaults`).
    fn default(&mut self, watch: bool, version: &str) {
        let says = self.send_initial_events.is_some() || !self.version_match.is_empty();
        if watch && !says && matches!(version, "" | "0") {
            self.send_initial_events = Some(true);
            self.version_match = "NotOlderThan".into();
        }
    }

    /// `validateWatchOptions` of `k8s.io/apimachinery/pkg/apis/meta/internalversion/validation`.
    fn watch_errors(&self) -> Vec<FieldError> {
        const MATCH: &str = "NotOlderThan";
        let mut errors = Vec::new();
        let field = FieldPath::new("resourceVersionMatch");
        let given = self.version_match.as_str();
        let mut forbid = |detail: &str| errors.push(FieldError::forbidden(&field, detail));
        if self.send_initial_events.is_some() && given != MATCH {
            forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
        }
        if given.is_empty() {
            return errors;
        }
        if self.send_initial_events.is_none() {
            forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
        if given != MATCH {
            errors.push(FieldError::not_supported(&field, &given.into(), &[MATCH]));
        }
        if !self.continue_.is_empty() {
            let detail = "resourceVersionMatch is forbidden when continue is provided";
            errors.push(FieldError::forbidden(&field, detail));
        }
        errors
    }

    /// `ValidateListOptions` of the same package.
    fn list_errors(&self, version: &str) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let field = FieldPath::new("resourceVersionMatch");
        let given = self.version_match.as_str();
        let mut forbid = |detail: &str| errors.push(FieldError::forbidden(&field, detail));
        if !given.is_empty() {
            if version.is_empty() {
                forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
            }
            if !self.continue_.is_empty() {
                forbid("resourceVersionMatch is forbidden when continue is provided");
            }
            if !matches!(given, "Exact" | "NotOlderThan") {
                let known = ["Exact", "NotOlderThan", ""];
                errors.push(FieldError::not_supported(&field, &given.into(), &known));
            }
            if given == "Exact" && version == "0" {
                let detail = "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"";
                errors.push(FieldError::forbidden(&field, detail));
            }
        }
        if self.send_initial_events.is_some() {
            let detail = "sendInitialEvents is forbidden for list";
            errors.push(FieldError::forbidden(&FieldPath::new("sendInitialEvents"), detail));
        }
        errors
    }
}
