//! A case, run: its steps in order, with what it knows so far.

use std::{collections::BTreeMap, time::Duration};

use operatorkit::{kube::Client, serde_json::Value};

use super::{
    diff,
    normal::Normal,
    parse::{Case, Row, Step},
    path, step,
};
use crate::server::{Server, Watch};

/// What a case knows, and whom it acts as.
pub(super) struct State {
    server: Server,
    pub(super) variables: BTreeMap<String, String>,
    pub(super) normal: Normal,
    pub(super) watches: BTreeMap<String, Watch>,
    stranger: Option<Client>,
    /// For how long an answer that is to come is waited for.
    pub(super) patience: Duration,
    pub(super) bless: bool,
}

impl State {
    async fn new(server: &Server, prefix: &str, case: &Case, bless: bool) -> Self {
        let namespace = server.namespace(prefix).await;
        let group = format!("{namespace}.example.com");
        let mut normal = Normal::new(said(case));
        normal.name(&group, "{group}");
        normal.name(&namespace, "{ns}");
        let paths = [
            ("core", format!("/api/v1/namespaces/{namespace}")),
            ("apps", format!("/apis/apps/v1/namespaces/{namespace}")),
            ("batch", format!("/apis/batch/v1/namespaces/{namespace}")),
            ("cr", format!("/apis/{group}/v1/namespaces/{namespace}")),
            ("crds", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions".into()),
            ("ns", namespace),
            ("group", group),
        ];
        Self {
            server: server.clone(),
            variables: paths.map(|(name, value)| (name.to_owned(), value)).into(),
            normal,
            watches: BTreeMap::new(),
            stranger: None,
            patience: if bless {
                Duration::from_secs(15)
            } else {
                operatorkit_testing::PATIENCE
            },
            bless,
        }
    }

    /// A text with the variables in it replaced.
    pub(super) fn filled(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, value) in &self.variables {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }

    /// Whom a step acts as.
    pub(super) fn client(&mut self, step: &Step) -> Client {
        match step.option("as").as_deref() {
            None => self.server.admin.clone(),
            Some("nobody") => self.server.nobody(),
            Some("stranger") => self.stranger(),
            Some(other) => panic!("nobody is called `{other}`"),
        }
    }

    fn stranger(&mut self) -> Client {
        if let Some(client) = &self.stranger {
            return client.clone();
        }
        let (name, client) = self.server.stranger();
        self.normal.name(&name, "{stranger}");
        self.variables.insert("stranger".into(), name);
        self.stranger.insert(client).clone()
    }

    /// Remembers what a step wants to be known of its answer.
    pub(super) fn learn(&mut self, step: &Step, answer: &Value) {
        for option in step.options("set").chain(step.options("name")) {
            let (variable, at) = option.split_once(' ').expect("`@ set VAR PATH`");
            let value = match path::get(answer, &path::parse(at)) {
                Value::String(text) => text,
                other => other.to_string(),
            };
            self.variables.insert(variable.to_owned(), value);
        }
    }
}

/// Runs a case, and tells every answer that is not the expected one; with `bless`, writes the answers into the case instead.
pub(super) async fn run(server: &Server, prefix: &str, case: &mut Case, bless: bool) -> Vec<String> {
    let mut state = State::new(server, prefix, case, bless).await;
    // The user's name is a variable, which steps before the first of theirs may use.
    if said(case).contains("stranger") {
        let _client = state.stranger();
    }
    let mut failures = Vec::new();
    for step in &mut case.steps {
        for at in 0..step.rows.len() {
            let answered = step::run(&mut state, step, at).await;
            if bless {
                step.rows[at].expected = answered;
                continue;
            }
            let mut differs = step.options("differs").filter_map(|it| it.split_once(' '));
            let differs = differs.find(|(name, _)| *name == server.name());
            match (answered == step.rows[at].expected, differs) {
                (true, None) | (false, Some(_)) => {}
                (true, Some((name, why))) => failures.push(format!(
                    "== {}\n{}\nanswers what is expected, though `differs {name}` says: {why}",
                    case.title, step.line
                )),
                (false, None) => {
                    failures.push(failure(&case.title, step, at, &answered));
                    // What follows may never come.
                    state.patience = Duration::from_secs(2);
                }
            }
        }
    }
    failures
}

/// The request as it stands in the file, and what of its answer is other than expected.
fn failure(title: &str, step: &Step, at: usize, answered: &[String]) -> String {
    let row = &step.rows[at];
    let mut asked = step.clone();
    asked.comments.clear();
    asked.rows = vec![Row {
        text: row.text.clone(),
        expected: Vec::new(),
    }];
    format!("== {title}\n{asked}{}", diff::lines(&row.expected, answered))
}

/// All that the requests of a case say.
fn said(case: &Case) -> String {
    let mut said = String::new();
    for step in &case.steps {
        let rows = step.rows.iter().filter_map(|row| row.text.as_ref());
        for text in std::iter::once(&step.line)
            .chain(&step.options)
            .chain(&step.body)
            .chain(rows)
        {
            said.push_str(text);
            said.push('\n');
        }
    }
    said
}
