//! Writing what all operators of a process have measured.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fmt,
    sync::{Arc, atomic::Ordering},
};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use prometheus_client::encoding::{DescriptorEncoder, EncodeGaugeValue, EncodeMetric, MetricEncoder};

use super::{
    Meter,
    family::{
        ACTIVE_WORKERS, CHILDREN, CREATION_TIMESTAMP, DELETION_TIMESTAMP, DEPTH, ERRORS, EVENT, EVENT_LATENCY, Family,
        HEARTBEAT, LAST_RECONCILED, LONGEST_RUNNING, MAX_CONCURRENT, OPERATION, OPERATION_TOTAL, PANICS,
        PAUSED_OBJECTS, QUEUE_DURATION, RECONCILE, REQUESTS, WATCH_AGE, WATCH_CONNECTED, WATCH_LAST_EVENT,
        WATCHED_OBJECTS,
    },
    meter::{Came, Outcome},
    operations::Operations,
    requests::Requests,
    source::{ChildrenOf, ObjectSeen, QueueSeen},
    watch::State,
};

/// An operator at one moment.
struct Seen {
    meter: Arc<Meter>,
    queue: QueueSeen,
    objects: Vec<ObjectSeen>,
    children: BTreeMap<ChildrenOf, usize>,
    watches: BTreeMap<[String; 3], State>,
}

type Written = fmt::Result;
type Sample<'a, 'b> = &'a mut MetricEncoder<'b>;

/// Writes every family, with the samples of every operator, and the requests of the election, if there is one.
pub(super) fn write(
    meters: &[Arc<Meter>],
    election: Option<&Requests>,
    encoder: &mut DescriptorEncoder<'_>,
) -> Written {
    let all: Vec<_> = meters.iter().map(Seen::new).collect();
    passes(&all, encoder)?;
    operations(&all, encoder)?;
    queue(&all, encoder)?;
    objects(&all, encoder)?;
    requests(&all, election, encoder)?;
    watches(&all, encoder)
}

fn passes(all: &[Seen], encoder: &mut DescriptorEncoder<'_>) -> Written {
    each(&ERRORS, all, encoder, |seen, sample| {
        seen.plain(sample, &seen.meter.errors)
    })?;
    each(&EVENT, all, encoder, |seen, sample| {
        for (event, by_outcome) in ["update", "delete"].iter().zip(&seen.meter.events) {
            for (outcome, result) in Outcome::ALL {
                let labels = [("controller", seen.controller()), ("event", event), ("result", result)];
                by_outcome[outcome as usize].encode(sample.encode_family(&labels)?)?;
            }
        }
        Ok(())
    })?;
    each(&LAST_RECONCILED, all, encoder, |seen, sample| {
        seen.gauge(sample, &seen.meter.last_reconciled.load(Ordering::Relaxed))
    })?;
    each(&RECONCILE, all, encoder, |seen, sample| {
        for (came, result) in Came::ALL {
            let labels = [("controller", seen.controller()), ("result", result)];
            seen.meter.passes[came as usize].encode(sample.encode_family(&labels)?)?;
        }
        Ok(())
    })?;
    each(&PANICS, all, encoder, |seen, sample| {
        seen.plain(sample, &seen.meter.panics)
    })?;
    each(&EVENT_LATENCY, all, encoder, |seen, sample| {
        seen.plain(sample, &seen.meter.latency)
    })?;
    each(&HEARTBEAT, all, encoder, |seen, sample| {
        seen.gauge(sample, &seen.meter.last_beat())
    })
}

fn operations(all: &[Seen], encoder: &mut DescriptorEncoder<'_>) -> Written {
    let each_operation = |family: &Family, encoder: &mut DescriptorEncoder<'_>, total: bool| {
        each(family, all, encoder, |seen, sample| {
            for (resource, operation) in seen.meter.operations().into_iter().flat_map(Operations::iter) {
                for (outcome, result) in Outcome::ALL {
                    let measured = operation.measured(outcome);
                    let labels = [
                        ("controller", seen.controller()),
                        ("resource", resource),
                        ("operation", operation.verb.as_str()),
                        ("result", result),
                    ];
                    let mut sample = sample.encode_family(&labels)?;
                    if total {
                        sample.encode_gauge(&measured.total.get())?;
                    } else {
                        measured.took.encode(sample)?;
                    }
                }
            }
            Ok(())
        })
    };
    each_operation(&OPERATION_TOTAL, encoder, true)?;
    each_operation(&OPERATION, encoder, false)
}

fn queue(all: &[Seen], encoder: &mut DescriptorEncoder<'_>) -> Written {
    each(&DEPTH, all, encoder, |seen, sample| {
        seen.gauge(sample, &seen.queue.queued)
    })?;
    each(&ACTIVE_WORKERS, all, encoder, |seen, sample| {
        seen.gauge(sample, &seen.queue.running)
    })?;
    each(&MAX_CONCURRENT, all, encoder, |seen, sample| {
        seen.gauge(sample, &seen.meter.concurrency.load(Ordering::Relaxed))
    })?;
    each(&QUEUE_DURATION, all, encoder, |seen, sample| {
        seen.plain(sample, &seen.meter.queue_time)
    })?;
    each(&LONGEST_RUNNING, all, encoder, |seen, sample| {
        seen.gauge(sample, &seen.queue.longest.as_secs_f64())
    })
}

fn objects(all: &[Seen], encoder: &mut DescriptorEncoder<'_>) -> Written {
    let of_kind = |seen: &Seen, sample: Sample<'_, '_>, count: usize| {
        let labels = [("controller", seen.controller()), ("kind", &*seen.meter.kind)];
        sample.encode_family(&labels)?.encode_gauge(&count)
    };
    each(&WATCHED_OBJECTS, all, encoder, |seen, sample| {
        of_kind(seen, sample, seen.objects.len())
    })?;
    each(&PAUSED_OBJECTS, all, encoder, |seen, sample| {
        of_kind(seen, sample, seen.objects.iter().filter(|object| object.paused).count())
    })?;
    each(&CREATION_TIMESTAMP, all, encoder, |seen, sample| {
        seen.times(sample, |object| object.meta.creation_timestamp.as_ref())
    })?;
    each(&DELETION_TIMESTAMP, all, encoder, |seen, sample| {
        seen.times(sample, |object| object.meta.deletion_timestamp.as_ref())
    })?;
    each(&CHILDREN, all, encoder, |seen, sample| {
        for (of, count) in &seen.children {
            let labels = [
                ("controller", seen.controller()),
                ("resource", &*of.resource),
                ("group", &*of.group),
                ("kind", &*of.kind),
            ];
            sample.encode_family(&labels)?.encode_gauge(count)?;
        }
        Ok(())
    })
}

fn requests(all: &[Seen], election: Option<&Requests>, encoder: &mut DescriptorEncoder<'_>) -> Written {
    REQUESTS.write(encoder, |metric| {
        all.iter().try_for_each(|seen| seen.meter.requests().write(metric))?;
        election.map_or(Ok(()), |election| election.write(metric))
    })
}

fn watches(all: &[Seen], encoder: &mut DescriptorEncoder<'_>) -> Written {
    let each_watch = |family: &Family, encoder: &mut DescriptorEncoder<'_>, value: fn(&State) -> f64| {
        each(family, all, encoder, |seen, sample| {
            for ([group, kind, namespace], state) in &seen.watches {
                let labels = [
                    ("controller", seen.controller()),
                    ("group", &**group),
                    ("kind", &**kind),
                    ("namespace", &**namespace),
                ];
                sample.encode_family(&labels)?.encode_gauge(&value(state))?;
            }
            Ok(())
        })
    };
    each_watch(&WATCH_CONNECTED, encoder, |state| f64::from(u8::from(state.connected)))?;
    each_watch(&WATCH_LAST_EVENT, encoder, |state| state.last_event.as_secs_f64())?;
    each_watch(&WATCH_AGE, encoder, |state| state.age().as_secs_f64())
}

fn each(
    family: &Family,
    all: &[Seen],
    encoder: &mut DescriptorEncoder<'_>,
    samples: impl Fn(&Seen, Sample<'_, '_>) -> Written,
) -> Written {
    family.write(encoder, |metric| all.iter().try_for_each(|seen| samples(seen, metric)))
}

impl Seen {
    fn new(meter: &Arc<Meter>) -> Self {
        let source = meter.source();
        let mut watches = BTreeMap::new();
        for watch in &*meter.watches() {
            let labels = [watch.group.clone(), watch.kind.clone(), watch.namespace.clone()];
            match watches.entry(labels) {
                Entry::Vacant(entry) => _ = entry.insert(watch.state()),
                Entry::Occupied(mut entry) => {
                    let both = entry.get().and(watch.state());
                    entry.insert(both);
                }
            }
        }
        Self {
            queue: source.as_ref().map(|source| source.queue()).unwrap_or_default(),
            objects: source.as_ref().map(|source| source.objects()).unwrap_or_default(),
            children: source.map(|source| source.children()).unwrap_or_default(),
            watches,
            meter: meter.clone(),
        }
    }

    fn controller(&self) -> &str {
        &self.meter.controller
    }

    /// A metric with the label `controller` alone.
    fn plain(&self, sample: Sample<'_, '_>, metric: &impl EncodeMetric) -> Written {
        metric.encode(sample.encode_family(&[("controller", self.controller())])?)
    }

    /// A gauge with the label `controller` alone.
    fn gauge(&self, sample: Sample<'_, '_>, value: &impl EncodeGaugeValue) -> Written {
        sample
            .encode_family(&[("controller", self.controller())])?
            .encode_gauge(value)
    }

    /// A time of each object that has one.
    fn times(&self, sample: Sample<'_, '_>, time: impl Fn(&ObjectSeen) -> Option<&Time>) -> Written {
        for object in &self.objects {
            let Some(Time(time)) = time(object) else { continue };
            let labels = [
                ("kind", &*self.meter.kind),
                ("name", object.meta.name.as_deref().unwrap_or_default()),
                ("namespace", object.meta.namespace.as_deref().unwrap_or_default()),
                ("controller", self.controller()),
            ];
            sample.encode_family(&labels)?.encode_gauge(&time.as_second())?;
        }
        Ok(())
    }
}
