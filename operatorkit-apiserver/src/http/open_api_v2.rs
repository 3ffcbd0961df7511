//! `/openapi/v2`: a document that describes nothing.
//!
//! Its types are those of `/openapi/v3`, which clients ask first. kubectl reads this one too where it finds a kind in none of those: only to
//! learn that it is not here either, and then says so itself.

use serde_json::json;

use super::answer::Answer;

const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/// The same in protobuf: the version, the info with title and version, and no paths.
const BYTES: &[u8] = b"\x0a\x032.0\x12\x15\x0a\x0aKubernetes\x12\x07v1.37.2\x42\x00";

/// The document, in the media type that is asked for: kubectl's is not the one that the answer has.
pub(super) fn answer(accept: &str) -> Answer {
    if accept.contains("com.github.proto-openapi.spec.v2") {
        return Answer::bytes_of(200, PROTOBUF, BYTES);
    }
    let info = json!({ "title": "Kubernetes", "version": "v1.37.2" });
    Answer::json(
        200,
        &json!({ "swagger": "2.0", "info": info, "paths": {}, "definitions": {} }),
    )
}
