//! A program whose operator always fails: its errors go where `--sentry-dsn` says.

use std::process::ExitCode;

use operatorkit::{anyhow::anyhow, k8s_openapi::api::core::v1::ConfigMap, prelude::*};

/// Fails for every ConfigMap that asks for it.
#[operator(for = ConfigMap, name = "failing.sentry.test", selector = "sentry.test/fail=true", resources(Broken))]
#[derive(Debug)]
pub struct Failing;

/// Never works.
#[resource]
#[derive(Debug)]
pub struct Broken;

impl Step for Broken {
    type Operator = Failing;
    type Output = ();
    async fn ensure_created(&self, map: &ConfigMap, _cx: &Cx<Self>) -> Result<Flow<()>> {
        let err = anyhow!("no room").context(format!("cannot place {}", map.name_any()));
        Err(err.reason("QuotaExceeded"))
    }
}

fn main() -> ExitCode {
    App::new("failing-operator")
        .version("1.2.3")
        .operator(|_env| async { Ok(FailingResources { broken: Broken }) })
        .main()
}
