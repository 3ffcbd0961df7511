//! Whether the process lives, and whether it is ready: honest answers, from what its operators have measured.

use super::Metrics;

impl Metrics {
    /// What only a new start will help, a line each; empty: it lives.
    ///
    /// An API server that is away or refuses is none of it: a new start would not bring it back.
    pub(crate) fn dead(&self) -> Vec<String> {
        let meters = self.meters();
        let dead = meters
            .iter()
            .filter_map(|meter| Some(format!("{}: {}", meter.controller, meter.dead()?)));
        dead.collect()
    }

    /// What is not ready yet, or not any more, a line each; empty: everything is.
    pub(crate) fn unready(&self) -> Vec<String> {
        let meters = self.meters();
        let expected = self.expected();
        let unready =
            expected
                .iter()
                .filter_map(|name| match meters.iter().find(|meter| *meter.controller == **name) {
                    None => Some(format!("{name}: is being set up")),
                    Some(meter) if !meter.is_ready() => Some(format!("{name}: its stores are not filled, or it stops")),
                    Some(_) => None,
                });
        unready.collect()
    }
}
