//! Logs as JSON: one flat object per line.

use std::fmt;

use jiff::Timestamp;
use serde_json::{Map, Value};
use tracing::{Event, Subscriber};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent, FormatFields, FormattedFields,
        format::{JsonFields, Writer},
    },
    registry::{LookupSpan, Scope},
};

/// The fields of the spans from the outermost inwards, then those of the event, then `time`, `level`, `message` and `function` (module
/// and line), each at the top: so every line of a pass has `controller`, `object`, `loop`, `version`, and of a resource also `resource`, the keys of
/// Go's operatorkit. tracing's own JSON nests them per span.
pub(super) struct Json;

impl<S> FormatEvent<S, JsonFields> for Json
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
{
    fn format_event(
        &self,
        ctx: &FmtContext<'_, S, JsonFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = Map::new();
        for span in ctx.event_scope().into_iter().flat_map(Scope::from_root) {
            if let Some(fields) = span.extensions().get::<FormattedFields<JsonFields>>() {
                merge(&mut line, fields);
            }
        }
        let mut fields = String::new();
        ctx.format_fields(Writer::new(&mut fields), event)?;
        merge(&mut line, &fields);
        let meta = event.metadata();
        line.insert("time".into(), Timestamp::now().to_string().into());
        line.insert("level".into(), meta.level().as_str().to_lowercase().into());
        let module = meta.module_path().unwrap_or_else(|| meta.target());
        line.insert(
            "function".into(),
            meta.line()
                .map_or_else(|| module.to_owned(), |at| format!("{module}:{at}"))
                .into(),
        );
        writeln!(writer, "{}", Value::Object(line))
    }
}

fn merge(line: &mut Map<String, Value>, fields: &str) {
    if let Ok(Value::Object(fields)) = serde_json::from_str(fields) {
        line.extend(fields);
    }
}
