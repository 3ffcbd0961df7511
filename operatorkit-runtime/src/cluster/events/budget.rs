//! How often an object may be spoken of: 25 requests in five minutes, as much as client-go's recorder allows at once.

use std::{collections::HashMap, time::Duration};

use tokio::time::Instant;

use super::About;

const REQUESTS: u32 = 25;
const WINDOW: Duration = Duration::from_mins(5);
/// More objects than this are not counted apart.
const OBJECTS: usize = 8192;

#[derive(Debug, Default)]
pub(super) struct Budget(HashMap<About, (Instant, u32)>);

impl Budget {
    /// Takes one request of an object's; `false` if it has none left.
    pub(super) fn take(&mut self, about: &About) -> bool {
        let now = Instant::now();
        if self.0.len() >= OBJECTS {
            self.0.retain(|_, (since, _)| now.duration_since(*since) < WINDOW);
            if self.0.len() >= OBJECTS {
                self.0.clear();
            }
        }
        let (since, used) = self.0.entry(about.clone()).or_insert((now, 0));
        if now.duration_since(*since) >= WINDOW {
            (*since, *used) = (now, 0);
        }
        *used += 1;
        *used <= REQUESTS
    }
}
