//! What the command line says of Sentry.

use anyhow::Context as _;

use super::App;
use crate::reporting::Sentry;

/// Where errors are reported to.
#[derive(Clone, Default, clap::Args)]
#[expect(clippy::struct_field_names, reason = "they name the flags")]
pub(super) struct SentryArgs {
    /// The DSN of a project of Sentry to report errors to, `https://<key>@<host>/<project>` [default: errors are not reported]
    #[arg(long, value_name = "DSN", env = "SENTRY_DSN", hide_env_values = true)]
    sentry_dsn: Option<String>,

    /// A tag on every error that is reported to Sentry; may be repeated, or be several with commas
    #[arg(
        long = "sentry-tag",
        value_name = "KEY=VALUE",
        env = "SENTRY_TAGS",
        value_delimiter = ',',
        value_parser = tag
    )]
    sentry_tags: Vec<(String, String)>,

    /// The environment that errors are reported from [default: production]
    #[arg(long, value_name = "NAME", env = "SENTRY_ENVIRONMENT")]
    sentry_environment: Option<String>,
}

impl SentryArgs {
    /// Lets an app report to Sentry, if there is a DSN. An empty one is none, as a chart leaves it that has no value.
    pub(super) fn add_to(&self, app: &mut App) -> anyhow::Result<()> {
        let Some(dsn) = self.sentry_dsn.as_deref().filter(|dsn| !dsn.trim().is_empty()) else {
            return Ok(());
        };
        let mut sentry = Sentry::new(dsn).context("--sentry-dsn or SENTRY_DSN")?;
        for (key, value) in &self.sentry_tags {
            sentry = sentry.tag(key, value).context("--sentry-tag or SENTRY_TAGS")?;
        }
        if let Some(version) = app.version {
            sentry = sentry.release(format!("{}@{version}", app.name));
        }
        if let Some(environment) = self.sentry_environment.as_deref().filter(|name| !name.is_empty()) {
            sentry = sentry.environment(environment);
        }
        app.reporters.push(Box::new(sentry));
        Ok(())
    }
}

fn tag(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("a tag is written KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// Without the DSN, which has a key in it.
impl std::fmt::Debug for SentryArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SentryArgs")
            .field("sentry_tags", &self.sentry_tags)
            .finish_non_exhaustive()
    }
}
