//! Sentry.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

use anyhow::{anyhow, ensure};
use sentry::{
    Client, ClientOptions, Level, Transport, TransportFactory, TransportOptions,
    protocol::{Event, Exception},
    transports::UreqHttpTransportOptions,
    types::Dsn,
};
use ureq::{
    Agent,
    tls::{RootCerts, TlsConfig},
};

use super::{ErrorReport, ErrorReporter};
use crate::error::Result;

/// How long one request to Sentry may take.
const REQUEST: Duration = Duration::from_secs(10);
/// How many events wait for Sentry at most.
const WAITING_MAX: usize = 1024;
/// Sentry takes no longer values of tags.
const TAG_MAX: usize = 200;

/// Reports errors to Sentry, or to what speaks its protocol; with the feature `sentry`.
///
/// `run` makes one by itself where `--sentry-dsn` or `SENTRY_DSN` is said; this is for an app that knows its DSN otherwise:
/// `App::report_errors(Sentry::new(dsn)?.tag("region", "eu"))`.
///
/// An event has the tags `app`, `operator`, `kind`, `object` (`namespace/name`, cut at 200 bytes), `resource`, `operation`, `reason` and
/// `permanent`, as far as they are known, and the whole identity of the object as extra data. Events of one operator, resource, operation and
/// reason are one issue, whichever object they are about and whatever their texts say. Nothing is sent but what an
/// [`ErrorReport`] holds: no environment, no backtrace, no address, no session.
///
/// Certificates are verified as the system verifies them, so an own authority is trusted where the system trusts it. `HTTPS_PROXY`,
/// `HTTP_PROXY` and `NO_PROXY` are honoured.
pub struct Sentry {
    dsn: Dsn,
    tags: BTreeMap<String, String>,
    release: Option<String>,
    environment: Option<String>,
    /// Made when it is first needed, with a thread of its own.
    client: OnceLock<Client>,
}

impl Sentry {
    /// A reporter to the project that a DSN names: `https://<key>@<host>/<project>`.
    ///
    /// # Errors
    /// If it is no DSN. The text does not show it, since it has a key in it.
    pub fn new(dsn: &str) -> Result<Self> {
        let dsn = dsn
            .trim()
            .parse::<Dsn>()
            .map_err(|why| anyhow!("this is not a DSN of Sentry, `https://<key>@<host>/<project>`: {why}"))?;
        Ok(Self {
            dsn,
            tags: BTreeMap::new(),
            release: None,
            environment: None,
            client: OnceLock::new(),
        })
    }

    /// With one more tag on every event. Those of a report itself win.
    ///
    /// # Errors
    /// If it cannot be a tag: Sentry takes keys of at most 32 letters, digits, `_`, `.`, `:` and `-`, and values of 1 to 200 bytes in one line.
    pub fn tag(mut self, key: impl Into<String>, value: impl Into<String>) -> Result<Self> {
        let (key, value) = (key.into(), value.into());
        let letter = |letter: char| letter.is_ascii_alphanumeric() || "_.:-".contains(letter);
        ensure!(
            (1..=32).contains(&key.len()) && key.chars().all(letter),
            "`{key}` cannot be the key of a tag of Sentry: at most 32 letters, digits, `_`, `.`, `:` and `-`"
        );
        ensure!(
            (1..=TAG_MAX).contains(&value.len()) && !value.contains('\n'),
            "the value of the tag `{key}` has more than {TAG_MAX} bytes, none, or several lines"
        );
        self.tags.insert(key, value);
        Ok(self)
    }

    /// With the release that events are about; default `SENTRY_RELEASE`, or the app's name and version for the one that `run` makes.
    #[must_use]
    pub fn release(self, release: impl Into<String>) -> Self {
        let release = Some(release.into());
        Self { release, ..self }
    }

    /// With the environment that events are from; default `SENTRY_ENVIRONMENT`, else `production`.
    #[must_use]
    pub fn environment(self, environment: impl Into<String>) -> Self {
        let environment = Some(environment.into());
        Self { environment, ..self }
    }

    fn client(&self) -> &Client {
        self.client.get_or_init(|| {
            let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
            let release = self.release.clone().or_else(|| variable("SENTRY_RELEASE"));
            let environment = self.environment.clone().or_else(|| variable("SENTRY_ENVIRONMENT"));
            let mut options = ClientOptions::new()
                .default_integrations(false)
                .transport_channel_capacity(WAITING_MAX)
                .maybe_release(release)
                .environment(environment.unwrap_or_else(|| "production".to_owned()))
                .transport(Https);
            options.dsn = Some(self.dsn.clone());
            Client::with_options(options)
        })
    }

    fn event(&self, report: &ErrorReport) -> Event<'static> {
        let operation = report.operation.map(|operation| operation.as_str().to_owned());
        let known = [
            ("app", Some(report.app.clone())),
            ("operator", report.operator.clone()),
            ("kind", report.kind.clone()),
            ("object", report.object()),
            ("resource", report.resource.clone()),
            ("operation", operation.clone()),
            ("reason", Some(report.reason.clone())),
            ("permanent", Some(report.permanent.to_string())),
        ];
        let mut tags = self.tags.clone();
        tags.extend(
            known
                .into_iter()
                .filter_map(|(key, value)| Some((key.to_owned(), cut(value?)))),
        );
        let whose = [
            ("namespace", &report.namespace),
            ("name", &report.name),
            ("uid", &report.uid),
        ];
        let extra = whose
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value.clone()?.into())));
        let group = [
            report.operator.clone(),
            report.resource.clone(),
            operation,
            Some(report.reason.clone()),
        ];
        Event {
            level: Level::Error,
            transaction: report.operator.clone(),
            fingerprint: group
                .into_iter()
                .map(|part| Cow::Owned(part.unwrap_or_default()))
                .collect(),
            // Sentry has the outermost last.
            exception: exceptions(report).into_iter().rev().collect::<Vec<_>>().into(),
            tags,
            extra: extra.collect(),
            ..Event::default()
        }
    }
}

/// The error with all that is to be said of it, then its causes.
fn exceptions(report: &ErrorReport) -> Vec<Exception> {
    let exception = |ty: &str, value: &str| Exception {
        ty: ty.to_owned(),
        value: Some(value.to_owned()),
        ..Exception::default()
    };
    let causes = report.causes.iter().skip(1).map(|cause| exception("Cause", cause));
    std::iter::once(exception(&report.reason, &report.message))
        .chain(causes)
        .collect()
}

fn cut(mut value: String) -> String {
    value.truncate(value.floor_char_boundary(TAG_MAX));
    value
}

impl ErrorReporter for Sentry {
    fn report(&self, report: &ErrorReport) {
        let _id = self.client().capture_event(self.event(report), None);
    }

    fn flush(&self, limit: Duration) {
        if let Some(client) = self.client.get() {
            client.flush(Some(limit));
        }
    }
}

impl fmt::Debug for Sentry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The DSN has a key in it.
        f.debug_struct("Sentry")
            .field("tags", &self.tags)
            .finish_non_exhaustive()
    }
}

/// Sentry's transport with the certificates of the system and a limit, both of which its default lacks.
struct Https;

impl TransportFactory for Https {
    fn create_transport_with_options(&self, options: TransportOptions) -> Arc<dyn Transport> {
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let agent: Agent = Agent::config_builder()
            .tls_config(tls)
            .timeout_global(Some(REQUEST))
            .build()
            .new_agent();
        Arc::new(UreqHttpTransportOptions::from(options).with_agent(agent).build())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_dsn_is_refused_without_showing_it() {
        for dsn in [
            "",
            "secret-key",
            "https://sentry.example.com/secret-key",
            "ftp://secret-key@sentry.example.com/1",
        ] {
            let err = Sentry::new(dsn).unwrap_err().to_string();
            assert!(
                err.contains("https://<key>@<host>/<project>") && !err.contains("secret-key"),
                "{err}"
            );
        }
    }

    #[test]
    fn tags_that_sentry_would_drop_are_refused() {
        let sentry = || Sentry::new("https://key@sentry.example.com/1").unwrap();
        assert!(sentry().tag("region", "eu").is_ok());
        for (key, value) in [("", "x"), ("a b", "x"), ("x", ""), ("x", "a\nb")] {
            assert!(sentry().tag(key, value).is_err(), "{key}={value}");
        }
    }

    #[test]
    fn one_failure_of_many_objects_is_one_issue() {
        let sentry = Sentry::new("https://key@sentry.example.com/1").unwrap();
        let mut report = ErrorReport::new(&anyhow!("no room for x"));
        report.operator = Some("webapps".to_owned());
        report.name = Some("x".repeat(250));
        let event = sentry.event(&report);
        report.message = "no room for y".to_owned();
        assert_eq!(event.fingerprint, sentry.event(&report).fingerprint);
        assert_eq!(event.tags["object"].len(), TAG_MAX);
        assert_eq!(event.extra["name"], "x".repeat(250));
    }
}
