//! `DeleteOptions`, the one body that is no object of the resource: any `apiVersion` does, and what is wrong with it is said
//! without a word around it (`DeleteResource` of `k8s.io/apiserver/pkg/endpoints/handlers`).

use serde_json::Value;

use super::{
    Media,
    json::{from_value, parse},
    refusal::{not_registered, syntax, unreadable},
    strict::{Place, StrictErrors},
    typed,
    version::said,
    yaml,
};
use crate::{protobuf, schema::Schema};

/// Kinds that the scheme of the options knows in `v1`.
const UNVERSIONED: [&str; 5] = ["APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status"];
/// Those that it knows in `meta.k8s.io/v1`.
const META: [&str; 3] = ["PartialObjectMetadata", "PartialObjectMetadataList", "Table"];
/// Those that it knows in both.
const OPTIONS: [&str; 4] = ["CreateOptions", "GetOptions", "PatchOptions", "UpdateOptions"];

/// Reads `DeleteOptions`, of which this is the schema.
///
/// # Errors
///
/// The message of a 400.
pub fn delete_options(body: &[u8], media: Media, schema: Schema<'_>) -> Result<Value, String> {
    const KIND: &str = "DeleteOptions";
    let mut strict = StrictErrors::default();
    let value;
    let document = match media {
        Media::Json => parse(body).map_err(|error| syntax(&error).message)?,
        Media::Yaml => yaml::to_json(body, &mut strict)?,
        Media::Protobuf => {
            let default = Some(("v1", KIND));
            value = protobuf::decode(body, default).map_err(|error| unreadable(&error).message)?;
            from_value(&value)
        }
    };
    let mut said = said(&document)?;
    if said.kind.is_empty() {
        KIND.clone_into(&mut said.kind);
    }
    if said.version.is_empty() {
        (said.group, said.version) = ("meta.k8s.io".into(), "v1".into());
    }
    if said.kind != KIND {
        let kind = said.kind.as_str();
        let known = match said.api_version().as_str() {
            "v1" => UNVERSIONED.contains(&kind) || OPTIONS.contains(&kind),
            "meta.k8s.io/v1" => META.contains(&kind) || OPTIONS.contains(&kind),
            _ => false,
        };
        return Err(if known {
            format!("converting (v1.{kind}) to (v1.{KIND}): unknown conversion")
        } else {
            not_registered(&said)
        });
    }
    typed::read(&document, schema, &Place::Root, Some(&mut strict))
}
