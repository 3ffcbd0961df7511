//! A body to an object of a kind: `Serializer.Decode`, and what the handlers make of its errors.

use serde_json::Value;

use super::{
    Content, Decoded, FieldValidation, Kind, Media, custom,
    json::{Json, from_value, parse},
    refusal::{DecodeError, not_registered, syntax, unreadable},
    strict::{Place, StrictErrors},
    typed,
    version::{Said, said},
    yaml,
};
use crate::{failure::Failure, protobuf};

impl Kind<'_> {
    /// Reads the body of a create or an update.
    ///
    /// # Errors
    ///
    /// 400, in the words of the real server.
    pub fn decode(&self, body: &[u8], media: Media, validation: FieldValidation) -> Result<Decoded, Failure> {
        let mut strict = StrictErrors::default();
        let default = self.api_version();
        let value;
        let document = match media {
            Media::Json => parse(body).map_err(|error| syntax(&error)),
            Media::Yaml => yaml::to_json(body, &mut strict).map_err(|message| DecodeError { said: None, message }),
            Media::Protobuf => match protobuf::decode(body, Some((&default, self.kind))) {
                Ok(decoded) => {
                    value = decoded;
                    Ok(from_value(&value))
                }
                Err(error) => Err(unreadable(&error)),
            },
        };
        let (object, said) = document
            .and_then(|document| self.read(&document, body, &mut strict))
            .map_err(|error| self.refuse(&error, body))?;
        let errors = strict.into_errors();
        if validation == FieldValidation::Strict && !errors.is_empty() {
            let message = format!("strict decoding error: {}", errors.join(", "));
            let said = Some(said);
            return Err(self.refuse(&DecodeError { said, message }, body));
        }
        if (said.group.as_str(), said.version.as_str()) != (self.group, self.version) {
            return Err(Failure::bad_request(format!(
                "the API version in the data ({}) does not match the expected API version ({})",
                said.api_version(),
                self.api_version()
            )));
        }
        let mut warnings: Vec<String> = Vec::new();
        if validation == FieldValidation::Warn {
            for warning in errors.iter().flat_map(|error| yaml::warnings(error)) {
                // Each is told once.
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
            }
        }
        Ok(Decoded { object, warnings })
    }

    /// Reads a patched document.
    pub(crate) fn decode_patched(&self, document: &str, strict: &mut StrictErrors) -> Result<Value, DecodeError> {
        let parsed = parse(document.as_bytes()).map_err(|error| syntax(&error))?;
        self.read(&parsed, document.as_bytes(), strict)
            .map(|(object, _)| object)
    }

    fn read(&self, document: &Json<'_>, body: &[u8], strict: &mut StrictErrors) -> Result<(Value, Said), DecodeError> {
        let mut said = said(document).map_err(|message| DecodeError { said: None, message })?;
        let refuse = |said: &Said, message: String| DecodeError {
            said: Some(said.clone()),
            message,
        };
        match self.content {
            Content::Custom { metadata, prune } => {
                if said.kind.is_empty() {
                    let body = String::from_utf8_lossy(body);
                    return Err(refuse(&said, format!("Object 'Kind' is missing in '{body}'")));
                }
                let object = custom::read(document, metadata, prune, strict).map_err(|error| refuse(&said, error))?;
                Ok((object, said))
            }
            Content::Typed { schema, registered } => {
                self.complete(&mut said);
                if said.version.is_empty() {
                    let body = String::from_utf8_lossy(body);
                    return Err(refuse(&said, format!("Object 'apiVersion' is missing in '{body}'")));
                }
                let same = (said.kind.as_str(), said.group.as_str(), said.version.as_str())
                    == (self.kind, self.group, self.version);
                let other = if same {
                    Some(schema)
                } else {
                    registered(&said.api_version(), &said.kind)
                };
                let schema = other.ok_or_else(|| refuse(&said, not_registered(&said)))?;
                let read = typed::read(document, schema, &Place::Root, Some(strict));
                let mut object = read.map_err(|error| refuse(&said, error))?;
                if said.kind != self.kind {
                    return Err(refuse(&said, self.unknown_conversion(&said)));
                }
                object["apiVersion"] = self.api_version().into();
                object["kind"] = self.kind.into();
                Ok((object, said))
            }
        }
    }

    /// What a body of a built-in kind does not say, the path does.
    fn complete(&self, said: &mut Said) {
        if said.kind.is_empty() {
            self.kind.clone_into(&mut said.kind);
        }
        if said.version.is_empty() && said.group.is_empty() {
            self.group.clone_into(&mut said.group);
        }
        if said.version.is_empty() && said.group == self.group {
            self.version.clone_into(&mut said.version);
        }
    }
}
