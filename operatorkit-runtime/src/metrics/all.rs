//! The metrics of a process: those of its operators, and those that the program adds.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, prometheus_text, text as open_metrics},
    metrics::counter::Counter,
    registry::Registry,
};

use super::{
    Meter, Requests, collector,
    family::{COLLECTOR_FAILURES, LEADING},
    text,
};

/// The form of an exposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// OpenMetrics 1.0.
    OpenMetrics,
    /// The text format of Prometheus before it, 0.0.4.
    Prometheus,
}

/// All metrics of an app; cheap to clone. Nothing in it is global: two apps in a process have nothing in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metrics(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    app: String,
    /// The operators that there will be, once that is known.
    expected: OnceLock<Vec<String>>,
    meters: Mutex<Vec<Arc<Meter>>>,
    /// What the program registered, each call for itself.
    users: Mutex<Vec<Arc<User>>>,
    failures: Counter,
    leads: Mutex<Option<Leads>>,
    /// What the election asks, if there is one.
    election: OnceLock<Arc<Requests>>,
}

#[derive(Debug)]
struct User {
    registry: Registry,
    /// It has failed, which is said once.
    failed: AtomicBool,
}

type Leads = Box<dyn LeadsNow>;

/// Tells whether this process leads.
trait LeadsNow: Send {
    fn leads(&self) -> bool;
}

impl<F: Fn() -> bool + Send> LeadsNow for F {
    fn leads(&self) -> bool {
        self()
    }
}

impl fmt::Debug for dyn LeadsNow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LeadsNow")
    }
}

impl Metrics {
    /// Those of an app.
    pub(crate) fn new(app: &str) -> Self {
        Self(Arc::new(Shared {
            app: app.to_owned(),
            ..Shared::default()
        }))
    }

    /// The app runs these operators.
    pub(crate) fn expect(&self, operators: Vec<String>) {
        // An app runs once.
        let _again = self.0.expected.set(operators);
    }

    /// An operator starts.
    pub(crate) fn add(&self, meter: Arc<Meter>) {
        let mut meters = self.0.meters();
        meters.retain(|known| known.controller != meter.controller);
        meters.push(meter);
    }

    /// What the program measures by itself.
    pub(crate) fn register(&self, registry: Registry) {
        let user = User {
            registry,
            failed: AtomicBool::new(false),
        };
        self.0.users().push(Arc::new(user));
    }

    /// There is an election, and this tells who won.
    pub(crate) fn led_by(&self, leads: impl Fn() -> bool + Send + 'static) {
        let mut told = self.0.leads.lock().unwrap_or_else(PoisonError::into_inner);
        *told = Some(Box::new(leads));
    }

    /// There is an election: what counts its requests.
    pub(crate) fn election(&self) -> Arc<Requests> {
        let requests = self.0.election.get_or_init(|| Arc::new(Requests::of_election()));
        requests.clone()
    }

    pub(super) fn meters(&self) -> Vec<Arc<Meter>> {
        self.0.meters().clone()
    }

    pub(super) fn expected(&self) -> &[String] {
        self.0.expected.get().map_or(&[], Vec::as_slice)
    }

    /// Everything, as it is now. It may run the program's own collectors, which may block.
    pub(crate) fn scrape(&self, format: Format) -> String {
        let users = self.0.users().clone();
        let of_users = users.iter().filter_map(|user| self.of_user(user, format));
        let of_users: Vec<_> = of_users.collect();
        let mut ours = Registry::default();
        ours.register_collector(Box::new(Ours(self.clone())));
        // Ours last, so that what failed just now is counted; first in the text.
        let mut parts = vec![encode(&ours, format).unwrap_or_default()];
        parts.extend(of_users);
        let mut text = if let [ours] = &mut *parts {
            std::mem::take(ours)
        } else {
            let (text, clashes) = text::join(&parts);
            for name in clashes {
                tracing::debug!("a collector's `{name}` is left out: a metric of another type has that name");
            }
            text
        };
        if format == Format::OpenMetrics {
            text.push_str("# EOF\n");
        }
        text
    }

    /// What a collector of the program's brings; its error or panic is nobody else's.
    fn of_user(&self, user: &User, format: Format) -> Option<String> {
        let text = catch_unwind(AssertUnwindSafe(|| encode(&user.registry, format)));
        let why = match text {
            Ok(Ok(text)) => return Some(text),
            Ok(Err(_)) => "answered an error",
            Err(_) => "panicked",
        };
        self.0.failures.inc();
        if !user.failed.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "a metrics collector of the program {why}: what was registered together with it is missing from /metrics"
            );
        }
        None
    }
}

impl Shared {
    fn meters(&self) -> MutexGuard<'_, Vec<Arc<Meter>>> {
        self.meters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn users(&self) -> MutexGuard<'_, Vec<Arc<User>>> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leads(&self) -> bool {
        let leads = self.leads.lock().unwrap_or_else(PoisonError::into_inner);
        leads.as_ref().is_none_or(|leads| leads.leads())
    }
}

/// The exposition of a registry, without its end.
fn encode(registry: &Registry, format: Format) -> Result<String, fmt::Error> {
    let mut text = String::new();
    match format {
        Format::OpenMetrics => open_metrics::encode_registry(&mut text, registry)?,
        Format::Prometheus => prometheus_text::encode(&mut text, registry)?,
    }
    Ok(text)
}

/// What operators measure, and the process.
#[derive(Debug)]
struct Ours(Metrics);

impl Collector for Ours {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let shared = &self.0.0;
        let election = shared.election.get().map(|election| &**election);
        collector::write(&self.0.meters(), election, &mut encoder)?;
        LEADING.write(&mut encoder, |sample| {
            let labels = [("name", &*shared.app)];
            sample.encode_family(&labels)?.encode_gauge(&u32::from(shared.leads()))
        })?;
        COLLECTOR_FAILURES.write(&mut encoder, |sample| {
            sample.encode_counter::<[(&str, &str); 0], _, u64>(&shared.failures.get(), None)
        })
    }
}
