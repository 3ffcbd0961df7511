//! `CronJob`.

use serde_json::Value;

use super::spec::job_spec;
use crate::{
    kinds::{
        edit,
        pod::template,
        schedule,
        strategy::Strategy,
        workload::{non_negative, warnings},
    },
    validation::{At, Errors, selector},
};

/// `CronJob`.
pub static CRON_JOB: Strategy = Strategy {
    status: true,
    generation: &["spec"],
    defaults: |object| edit::items_in(object, &["spec", "jobTemplate", "spec"], template_defaults),
    validate: |object| {
        let mut errors = cron_job(object, true);
        let name = At::root(object).get("metadata").get("name");
        if name.text().len() > 52 {
            errors.push(name.invalid("must be no more than 52 characters"));
        }
        errors
    },
    validate_update: Some(|new, old| {
        let zone = ["spec", "timeZone"];
        cron_job(new, edit::get(new, &zone) != edit::get(old, &zone))
    }),
    warn: |object, old| {
        let mut warnings = match old {
            None => warnings(object, &["spec", "jobTemplate", "spec", "template"]),
            Some(_) => template::warn(
                &At::root(object)
                    .get("spec")
                    .get("jobTemplate")
                    .get("spec")
                    .get("template"),
            ),
        };
        if edit::text(object, &["spec", "schedule"]).contains("TZ") {
            let says = "CRON_TZ or TZ used in spec.schedule is not officially supported";
            warnings.push(format!(
                "{says}, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
            ));
        }
        warnings
    },
    ..Strategy::NAMESPACED
};

pub(super) fn template_defaults(spec: &mut Value) {
    edit::items_in(spec, &["template", "spec"], template::spec_defaults);
}

pub(super) fn cron_job(object: &Value, check_zone: bool) -> Errors {
    let spec = At::root(object).get("spec");
    let at = spec.get("schedule");
    let mut errors = Errors::new();
    if at.is_empty() {
        errors.push(at.required(""));
    } else {
        errors.extend(schedule::parse(at.text()).err().map(|it| at.invalid(it)));
        if at.text().contains("TZ") {
            errors.push(at.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
        }
    }
    errors.extend(non_negative(&spec, &["startingDeadlineSeconds"]));
    if check_zone {
        errors.extend(schedule::time_zone(&spec.get("timeZone")));
    }
    let policy = spec.get("concurrencyPolicy");
    let known = ["Allow", "Forbid", "Replace"];
    if policy.is_empty() {
        errors.push(policy.required(""));
    } else if !policy.is_any(&known) {
        errors.push(policy.not_supported(&known));
    }
    let job = spec.get("jobTemplate").get("spec");
    errors.extend(job_spec(&job));
    let (selected, manual) = (job.get("selector"), job.get("manualSelector"));
    if selected.is_set() {
        errors.push(selected.invalid_in_order(&selector::ORDER, "`selector` will be auto-generated"));
    }
    if manual.is_true() {
        errors.push(manual.not_supported(&["nil", "false"]));
    }
    errors.extend(non_negative(
        &spec,
        &["successfulJobsHistoryLimit", "failedJobsHistoryLimit"],
    ));
    errors
}
