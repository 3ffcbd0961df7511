//! From `Content-Type` to the form of a body or patch, or 415.

use super::{Endpoint, Format, MEDIA_TYPES};
use crate::failure::{Failure, Target};

/// The form of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatchType {
    /// `application/json-patch+json`
    Json,
    /// `application/merge-patch+json`
    Merge,
    /// `application/strategic-merge-patch+json`, for built-in kinds.
    StrategicMerge,
    /// `application/apply-patch+yaml`
    Apply,
}

/// The form of a body. Nothing means JSON.
///
/// # Errors
///
/// 415 if the server does not know it.
pub fn content_type(header: Option<&str>) -> Result<Format, Failure> {
    let media_type = media_type(header.unwrap_or_default());
    if media_type.is_empty() {
        return Ok(Format::Json);
    }
    let found = Format::ALL.into_iter().find(|it| media_type == it.media_type());
    found.ok_or_else(|| Failure::unsupported_media_type(MEDIA_TYPES))
}

/// The form of a patch.
///
/// # Errors
///
/// 415 if the server does not know it, or not for this kind.
pub fn patch_type(header: Option<&str>, endpoint: Endpoint) -> Result<PatchType, Failure> {
    let custom = endpoint == Endpoint::Custom;
    match media_type(header.unwrap_or_default()).as_str() {
        "application/json-patch+json" => Ok(PatchType::Json),
        "application/merge-patch+json" => Ok(PatchType::Merge),
        "application/apply-patch+yaml" => Ok(PatchType::Apply),
        "application/strategic-merge-patch+json" if !custom => Ok(PatchType::StrategicMerge),
        _ if custom => Err(Failure::unsupported_media_type(
            "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
        )),
        // go-restful answers it.
        _ => Err(Failure::new(415, "UnsupportedMediaType", "415: Unsupported Media Type").about(Target::default())),
    }
}

fn media_type(header: &str) -> String {
    header.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
