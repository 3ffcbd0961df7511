//! From `Accept` to the form of the answer, or 406 (`endpoints/handlers/negotiation`, and go-restful before it).

use super::{
    Format, MEDIA_TYPES, STREAM_TYPES,
    clause::{Clause, clauses},
};
use crate::failure::{Failure, Target};

/// What is asked, as far as the forms of its answers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// An object of a built-in kind.
    BuiltIn,
    /// A collection of a built-in kind, which can be watched, too.
    BuiltInCollection,
    /// A CRD's kind.
    Custom,
    /// `/api` and `/apis/<group>/<version>`.
    Resources,
    /// `/apis` and `/apis/<group>`.
    Groups,
    /// `/version`: JSON only.
    Version,
}

/// What objects become on their way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// Rows and columns.
    Table,
    /// Only the metadata, of one object.
    PartialObjectMetadata,
    /// Only the metadata, of a list.
    PartialObjectMetadataList,
    /// All groups, versions and resources at once.
    Discovery,
}

/// What objects become on their way out, and in which version of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convert {
    /// What they become.
    pub to: Transform,
    /// `v1` or `v1beta1` of `meta.k8s.io`, `v2` of `apidiscovery.k8s.io`.
    pub version: &'static str,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// How it is written.
    pub format: Format,
    /// What objects become first.
    pub convert: Option<Convert>,
    /// With line breaks, for people.
    pub pretty: bool,
}

impl Accepted {
    /// The `Content-Type` of the answer.
    pub fn content_type(&self) -> String {
        let media_type = self.format.media_type();
        match self.convert {
            Some(Convert {
                to: Transform::Discovery,
                version,
            }) => {
                format!("{media_type};g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList")
            }
            _ => media_type.into(),
        }
    }

    /// The `Content-Type` of a watch.
    pub fn watch_content_type(&self) -> String {
        match self.format {
            Format::Protobuf => format!("{};stream=watch", self.format.media_type()),
            _ => self.format.media_type().into(),
        }
    }
}

/// The form of the answer. `header` is all of `Accept`; nothing and empty mean JSON. `watch`: the answer is a stream.
///
/// # Errors
///
/// 406, in the words of the part of the real server that answers it.
pub fn accept(header: Option<&str>, endpoint: Endpoint, watch: bool) -> Result<Accepted, Failure> {
    let header = header.unwrap_or_default();
    if header.is_empty() {
        return Ok(Accepted::default());
    }
    produces(header, endpoint)?;
    let clauses = clauses(header);
    let formats = || Format::ALL.into_iter().filter(|_| endpoint != Endpoint::Version);
    let found = clauses.iter().find_map(|clause| {
        let mut formats = formats().filter(|it| clause.matches(it.media_type()));
        formats.find_map(|format| allowed(clause, format, endpoint))
    });
    match found {
        None if endpoint == Endpoint::Version => Ok(Accepted::default()),
        None => Err(Failure::not_acceptable(MEDIA_TYPES)),
        Some(found) if watch && found.format == Format::Yaml => Err(Failure::not_acceptable(STREAM_TYPES)),
        Some(found) => Ok(found),
    }
}

/// The form of a `Status`: as asked, without transformation, and pretty JSON if that cannot be.
pub fn accept_for_error(header: Option<&str>) -> Accepted {
    accept(header, Endpoint::Groups, false)
        .ok()
        .filter(|it| it.convert.is_none())
        .unwrap_or(Accepted {
            pretty: true,
            ..Accepted::default()
        })
}

/// go-restful looks at the media types alone, without wildcards in the subtype, and has its own words.
fn produces(header: &str, endpoint: Endpoint) -> Result<(), Failure> {
    let mut types = match endpoint {
        Endpoint::Custom | Endpoint::Groups => return Ok(()),
        Endpoint::Version => "application/json".to_owned(),
        _ => MEDIA_TYPES.to_owned(),
    };
    if endpoint == Endpoint::BuiltInCollection {
        types = format!("{types}, {STREAM_TYPES}");
    }
    let media = |part: &str| part.split(';').next().unwrap_or_default().trim().to_owned();
    let known = |part: String| part == "*/*" || types.split(", ").any(|it| it == part);
    if header.split(',').map(media).any(known) {
        return Ok(());
    }
    let message = format!("406: Not Acceptable\n\nAvailable representations: {types}");
    Err(Failure::new(406, "NotAcceptable", message).about(Target::default()))
}

fn allowed(clause: &Clause<'_>, format: Format, endpoint: Endpoint) -> Option<Accepted> {
    if let Some(stream) = clause.param("stream")
        && (stream != "watch" || format == Format::Yaml)
    {
        return None;
    }
    let asks = ["as", "g", "v"].iter().any(|it| clause.param(it).is_some());
    let convert = if asks {
        Some(convert(clause, format, endpoint)?)
    } else {
        None
    };
    if endpoint == Endpoint::Custom && format == Format::Protobuf && convert.is_none() {
        return None;
    }
    Some(Accepted {
        format,
        convert,
        pretty: clause.param("pretty") == Some("1"),
    })
}

fn convert(clause: &Clause<'_>, format: Format, endpoint: Endpoint) -> Option<Convert> {
    let (kind, group, version) = (clause.param("as")?, clause.param("g")?, clause.param("v")?);
    match (endpoint, group) {
        (Endpoint::BuiltIn | Endpoint::BuiltInCollection | Endpoint::Custom, "meta.k8s.io") => {
            let version = *["v1", "v1beta1"].iter().find(|it| **it == version)?;
            let to = match kind {
                "Table" if format != Format::Protobuf => Transform::Table,
                "PartialObjectMetadata" => Transform::PartialObjectMetadata,
                "PartialObjectMetadataList" => Transform::PartialObjectMetadataList,
                _ => return None,
            };
            Some(Convert { to, version })
        }
        (Endpoint::Resources | Endpoint::Groups, "apidiscovery.k8s.io") => {
            let known = kind == "APIGroupDiscoveryList" && version == "v2";
            known.then_some(Convert {
                to: Transform::Discovery,
                version: "v2",
            })
        }
        _ => None,
    }
}

/// Is the answer for people? `pretty` is the query parameter.
pub fn is_pretty(pretty: Option<&str>, user_agent: Option<&str>) -> bool {
    match pretty {
        Some(text) if !text.is_empty() => matches!(text, "1" | "t" | "T" | "true" | "TRUE" | "True"),
        _ => {
            let agent = user_agent.unwrap_or_default();
            ["curl", "Wget", "Mozilla/5.0"].iter().any(|it| agent.starts_with(it))
        }
    }
}
