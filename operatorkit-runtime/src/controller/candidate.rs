//! Waiting to lead: the watches run, and no passes.

use std::time::Duration;

use tokio::time::interval;

use crate::{executor::Running, leader::Leadership, operator::Operator};

/// How often objects that are gone are freed; a pass does it where there are passes.
const TIDY: Duration = Duration::from_mins(1);

/// Until this process leads.
pub(super) async fn leads<O: Operator>(running: &Running<O>, leadership: &Leadership) {
    let tidy = async {
        let mut tidy = interval(TIDY);
        loop {
            tidy.tick().await;
            running.forget_gone();
        }
    };
    tokio::select! {
        biased;
        () = leadership.begun() => {}
        () = tidy => {}
    }
}
