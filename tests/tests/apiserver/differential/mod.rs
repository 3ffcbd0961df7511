//! Random sequences of requests, sent to the real control plane and to the embedded server: codes, bodies, warnings and events of
//! watches are the same, but for uids, times and versions.
//!
//! | variable | what |
//! |---|---|
//! | `DIFFERENTIAL_CASES` | how many cases, by default [`CASES`] |
//! | `DIFFERENTIAL_SEED` | what they are drawn from: a number, or `random`; it is printed when a case fails |
//! | `DIFFERENTIAL_CASE` | plays only the case with this number |

mod accepted;
mod kind;
mod place;
mod play;
mod request;
mod shrink;
mod side;
mod smaller;
mod step;

use std::{
    env,
    hash::{BuildHasher as _, RandomState},
    time::Instant,
};

use futures::{StreamExt as _, stream};
use operatorkit::serde_json::Value;

use crate::{
    in_process::embedded,
    server::Server,
    targets::{Place, real},
};

/// How many cases are played unless one asks for more.
const CASES: u64 = 300;
/// How many are played at once: much of it is waiting for the real server's cache.
const AT_ONCE: usize = 24;
/// After so many that differ no more are played.
const ENOUGH: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_servers_answer_the_same() {
    let Some(real) = real(Place::Still) else { return };
    let embedded = embedded(Place::Still);
    tokio::join!(define(&real), define(&embedded));

    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("DIFFERENTIAL_SEED").unwrap_or_else(|| {
        let random = env::var("DIFFERENTIAL_SEED").is_ok_and(|text| text == "random");
        if random {
            RandomState::new().hash_one(0) >> 32
        } else {
            0
        }
    });
    let cases = match number("DIFFERENTIAL_CASE") {
        Some(at) => at..at + 1,
        None => 0..number("DIFFERENTIAL_CASES").unwrap_or(CASES),
    };
    let start = Instant::now();
    let (real, embedded) = (&real, &embedded);
    let mut played = 0;
    let differences: Vec<String> = stream::iter(cases)
        .map(async |at| (at, shrink::case(real, embedded, seed, at).await))
        .buffer_unordered(AT_ONCE)
        .inspect(|_| played += 1)
        .filter_map(async |(at, same)| {
            let text = format!("DIFFERENTIAL_SEED={seed} DIFFERENTIAL_CASE={at}:\n{}", same.err()?);
            // It is seen even if the rest never ends.
            eprintln!("{text}\n");
            Some(text)
        })
        .take(ENOUGH)
        .collect()
        .await;
    eprintln!("{played} cases of seed {seed} in {:.1?}", start.elapsed());
    assert!(
        differences.is_empty(),
        "in {} cases the answers differ (- real, + embedded), see above; the seed is {seed}",
        differences.len()
    );
}

/// Makes the kind that the CRD defines.
async fn define(server: &Server) {
    let definition: Value = serde_saphyr::from_str(kind::WIDGET).expect("YAML");
    let answer = server
        .post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", &definition)
        .await;
    assert_eq!(answer.code, 201, "{}: {}", server.name(), answer.value());
    let path = "/apis/differential.example.com/v1/widgets";
    operatorkit_testing::wait_for(
        "the kind is served",
        operatorkit_testing::PATIENCE,
        async || match server.get(path).await.code {
            200 => Ok(()),
            code => Err(std::io::Error::other(format!("{code}")).into()),
        },
    )
    .await;
}
