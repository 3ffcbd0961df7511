//! Reading, listing and deleting.

use http::Request;
use kube::{
    api::{DeleteParams, GetParams, ListParams, Preconditions, VersionMatch},
    core::{DynamicObject, ObjectList, PartialObjectMeta, request},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    Cluster, Failure, Kind, lean,
    target::{Target, Verb},
};

pub(crate) use kube::api::PropagationPolicy;

/// How many objects a list brings at once; kube's watcher and client-go do the same.
pub(super) const PAGE: u32 = 500;
/// How often a list starts anew because the server gave its pages up.
const LISTS: usize = 3;

/// How much of an object is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    Metadata,
}

/// What a DELETE came to. Neither is a proof of absence: the API server answers an object also for a Service that it
/// has removed, and a Status also for one that somebody else's finalizer holds.
#[derive(Debug)]
pub(crate) enum Deleted {
    /// It is not there, is another one, or the server answered a Status.
    Gone,
    /// The object as it was, or as it is while something holds it.
    Accepted(Box<DynamicObject>),
}

impl Cluster {
    /// Reads an object; `None` if there is none of that name.
    ///
    /// # Errors
    /// Also if the kind is not served: that says nothing about the object.
    pub(crate) async fn get(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<Option<DynamicObject>, Failure> {
        let target = Target::of(Verb::Get, kind, namespace, name);
        let request = Self::at(&target, kind)?.get(name, &GetParams::default());
        let found = found(self.send(target.clone(), built(&target, request)?).await)?;
        Ok(found.map(|object| lean::object(kind, object)))
    }

    /// Deletes an object, if it still has this UID.
    pub(crate) async fn delete(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        uid: &str,
        policy: PropagationPolicy,
    ) -> Result<Deleted, Failure> {
        let target = Target::of(Verb::Delete, kind, namespace, name);
        let preconditions = Preconditions {
            uid: Some(uid.to_owned()),
            resource_version: None,
        };
        let params = DeleteParams {
            preconditions: Some(preconditions),
            propagation_policy: Some(policy),
            ..DeleteParams::default()
        };
        let request = Self::at(&target, kind)?.delete(name, &params);
        match self.send::<Value>(target.clone(), built(&target, request)?).await {
            Ok(answer) if answer["kind"] == "Status" && answer["apiVersion"] == "v1" => Ok(Deleted::Gone),
            Ok(answer) => match serde_json::from_value(answer) {
                Ok(object) => Ok(Deleted::Accepted(Box::new(lean::object(kind, object)))),
                Err(err) => Err(Failure::undecoded(target, &err)),
            },
            Err(failure) if failure.is_not_found() || failure.is_other_uid() => Ok(Deleted::Gone),
            Err(failure) => Err(failure),
        }
    }

    /// Lists the metadata of objects, in one namespace or in all, page by page.
    pub(crate) async fn list_metadata(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        labels: Option<&str>,
    ) -> Result<Vec<PartialObjectMeta>, Failure> {
        let target = Target::all(Verb::List, kind, namespace);
        let lean = |mut item: PartialObjectMeta| {
            lean::meta(&mut item.metadata);
            Some(item)
        };
        self.list_pages(&target, kind, labels, true, lean).await
    }

    /// Reads the metadata of an object as it was at a version; `None` if there was none of that name.
    ///
    /// # Errors
    /// [`Failure::is_expired`] if the server does not know any more how that was.
    pub(crate) async fn get_metadata_at(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        version: &str,
    ) -> Result<Option<PartialObjectMeta>, Failure> {
        let target = Target::all(Verb::List, kind, namespace);
        let params = ListParams::default()
            .fields(&format!("metadata.name={name}"))
            .at(version)
            .matching(VersionMatch::Exact);
        let listed: ObjectList<PartialObjectMeta> = self.list_page(&target, kind, &params, true).await?;
        Ok(listed.items.into_iter().next())
    }

    /// Lists the objects that are wanted, with who owns which field, in one namespace or in all. Only those are held in memory, and a page.
    pub(crate) async fn list_wanted(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        part: Part,
        wanted: impl Fn(&DynamicObject) -> bool,
    ) -> Result<Vec<DynamicObject>, Failure> {
        let target = Target::all(Verb::List, kind, namespace);
        let keep = |object| Some(object).filter(&wanted);
        self.list_pages(&target, kind, None, part == Part::Metadata, keep).await
    }

    /// Reads an object, with who owns which field; `None` if there is none of that name.
    pub(crate) async fn get_part(
        &self,
        kind: &Kind,
        namespace: Option<&str>,
        name: &str,
        part: Part,
    ) -> Result<Option<DynamicObject>, Failure> {
        let target = Target::of(Verb::Get, kind, namespace, name);
        let requests = Self::at(&target, kind)?;
        let request = match part {
            Part::Whole => requests.get(name, &GetParams::default()),
            Part::Metadata => requests.get_metadata(name, &GetParams::default()),
        };
        found(self.send(target.clone(), built(&target, request)?).await)
    }

    /// All pages of a list: what is kept of each item. A list that the server gives up starts anew.
    pub(super) async fn list_pages<T>(
        &self,
        target: &Target,
        kind: &Kind,
        labels: Option<&str>,
        metadata_only: bool,
        keep: impl Fn(T) -> Option<T>,
    ) -> Result<Vec<T>, Failure>
    where
        T: Clone + DeserializeOwned,
    {
        let (mut all, mut lists) = (Vec::new(), LISTS);
        let mut params = page(labels);
        loop {
            let listed = match self.list_page(target, kind, &params, metadata_only).await {
                Err(failure) if failure.is_expired() && lists > 1 => {
                    lists -= 1;
                    all.clear();
                    params = page(labels);
                    continue;
                }
                listed => listed?,
            };
            all.extend(listed.items.into_iter().filter_map(&keep));
            params.continue_token = listed.metadata.continue_.filter(|token| !token.is_empty());
            if params.continue_token.is_none() {
                return Ok(all);
            }
        }
    }

    /// One page of a list: of whole objects, or of their metadata.
    pub(super) async fn list_page<T>(
        &self,
        target: &Target,
        kind: &Kind,
        params: &ListParams,
        metadata_only: bool,
    ) -> Result<ObjectList<T>, Failure>
    where
        T: Clone + DeserializeOwned,
    {
        let requests = Self::at(target, kind)?;
        let request = if metadata_only {
            requests.list_metadata(params)
        } else {
            requests.list(params)
        };
        self.send(target.clone(), built(target, request)?).await
    }

    /// Requests about the target of its kind.
    ///
    /// Names can come from whoever writes an object: none may lead to another path.
    pub(super) fn at(target: &Target, kind: &Kind) -> Result<request::Request, Failure> {
        let parts = [
            target.namespace.as_deref(),
            Some(&*target.name).filter(|name| !name.is_empty()),
        ];
        if let Some(part) = parts.into_iter().flatten().find(|part| !is_segment(part)) {
            return Err(Failure::unsendable(
                target.clone(),
                format!("`{part}` cannot be a name"),
            ));
        }
        if target.namespace.is_none() && kind.namespaced && !target.name.is_empty() {
            return Err(Failure::unsendable(target.clone(), "no namespace is named"));
        }
        Ok(request::Request::new(kind.path(target.namespace.as_deref())))
    }
}

/// The parameters of a list's first page.
pub(super) fn page(labels: Option<&str>) -> ListParams {
    ListParams {
        label_selector: labels.map(str::to_owned),
        limit: Some(PAGE),
        ..ListParams::default()
    }
}

/// What a read has found; that there is no such object is no failure.
pub(super) fn found<T>(answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match answer {
        Ok(object) => Ok(Some(object)),
        Err(failure) if failure.is_not_found() => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// The request, or why kube cannot build it.
pub(super) fn built(
    target: &Target,
    request: Result<Request<Vec<u8>>, request::Error>,
) -> Result<Request<Vec<u8>>, Failure> {
    request.map_err(|err| Failure::unsendable(target.clone(), err.to_string()))
}

/// Whether a name is one segment of a path, for the API server (its `IsValidPathSegmentName`) and for an URI.
pub(super) fn is_segment(name: &str) -> bool {
    let odd = |char: char| char.is_whitespace() || char.is_control() || "/%?#".contains(char);
    !name.is_empty() && name != "." && name != ".." && !name.contains(odd)
}

#[cfg(test)]
mod tests {
    use super::is_segment;

    #[test]
    fn names_cannot_leave_their_place() {
        assert!(["x", "system:node", "a.b-c", "..."].into_iter().all(is_segment));
        assert!(
            !["", ".", "..", "a/b", "a%2fb", "a?x=1", "a#b", "a b", "a\n"]
                .into_iter()
                .any(is_segment)
        );
    }
}
