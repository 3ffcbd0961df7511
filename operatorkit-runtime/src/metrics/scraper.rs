//! Reading the metrics of an app in the process.

use super::{Format, Metrics};

/// Reads the metrics of an [`App`](crate::app::App), as `/metrics` shows them: for programs that serve them themselves, and for tests.
///
/// Made by [`App::scraper`](crate::app::App::scraper), before the app runs; cheap to clone.
#[derive(Clone, Debug)]
pub struct Scraper(Metrics);

impl Scraper {
    pub(crate) fn new(metrics: Metrics) -> Self {
        Self(metrics)
    }

    /// Everything as it is now, in OpenMetrics 1.0 (`application/openmetrics-text; version=1.0.0; charset=utf-8`).
    ///
    /// It runs the collectors that the program has registered, which may block.
    pub fn scrape(&self) -> String {
        self.0.scrape(Format::OpenMetrics)
    }
}
