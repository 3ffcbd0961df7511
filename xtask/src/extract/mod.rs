//! Reads kinds, schemas and columns from a real server, and writes them as one compressed file.
//!
//! The file is JSON: `version`, `schemas` (by name, as in OpenAPI v3, without descriptions; a `$ref` is only the name) and
//! `resources` (in the order of discovery). The same server gives the same bytes.

use std::{fs, io::Write as _, path::Path};

use anyhow::{Context as _, Result};
use flate2::{Compression, GzBuilder};
use serde_json::{Value, json};

use crate::{DATA, server::Server};

mod resources;
mod schemas;

/// Asks `server`, and writes the file; and `plain`, the same uncompressed and indented.
pub(crate) async fn run(server: &Server, plain: Option<&Path>) -> Result<()> {
    let foreign = resources::foreign_groups(server).await?;
    let schemas = schemas::read(server, &foreign).await?;
    let resources = resources::read(server, &foreign).await?;
    let version = server.get("/version").await?;
    let data = json!({
        "version": { "major": version["major"], "minor": version["minor"], "gitVersion": version["gitVersion"] },
        "schemas": schemas,
        "resources": resources,
    });
    let text = serde_json::to_vec(&data)?;
    let path = Path::new(DATA).join("kinds.json.gz");
    let compressed = compress(&text)?;
    fs::create_dir_all(DATA)?;
    fs::write(&path, &compressed).with_context(|| format!("write {}", path.display()))?;
    if let Some(plain) = plain {
        fs::write(plain, serde_json::to_vec_pretty(&data)?).with_context(|| format!("write {}", plain.display()))?;
    }
    println!(
        "{} of {}: {} schemas, {} resources, {} bytes, compressed {}",
        path.display(),
        data["version"]["gitVersion"],
        data["schemas"].as_object().map_or(0, serde_json::Map::len),
        data["resources"].as_array().map_or(0, Vec::len),
        text.len(),
        compressed.len(),
    );
    Ok(())
}

/// Without a time and a name in the header, so that the bytes depend on the content only.
fn compress(text: &[u8]) -> Result<Vec<u8>> {
    let mut out = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    out.write_all(text)?;
    Ok(out.finish()?)
}

/// Takes a key that is left out when it says nothing.
fn copy(from: &Value, key: &str, into: &mut Value) {
    let empty = match &from[key] {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    };
    if !empty {
        into[key] = from[key].clone();
    }
}
