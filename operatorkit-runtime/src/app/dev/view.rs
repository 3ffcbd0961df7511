//! What there is to see: each object with a row for each of its resources, in the order in which they go up or down.

mod row;

use self::row::Row;
use super::samples::Made;
use crate::{
    app::runnable::Runnable,
    cluster::Kind,
    progress::{Progress, Step},
    status::Verdict,
};

/// What is known of an operator.
#[derive(Clone, Debug)]
pub(super) struct Operator {
    name: String,
    pub(super) kind: Kind,
    /// Each resource, and its turn in creation and in deletion.
    graph: Vec<(&'static str, [usize; 2])>,
}

impl Operator {
    pub(super) fn new(name: impl Into<String>, kind: Kind, graph: Vec<(&'static str, [usize; 2])>) -> Self {
        Self {
            name: name.into(),
            kind,
            graph,
        }
    }

    pub(super) fn of(operator: &dyn Runnable) -> Self {
        Self::new(operator.name(), operator.object_kind(), operator.graph())
    }
}

/// No more objects than this are in a table: it has to fit on the screen.
const SHOWN: usize = 5;

/// The objects and how far they are.
#[derive(Debug)]
pub(super) struct View {
    operators: Vec<Operator>,
    objects: Vec<Object>,
}

/// An object.
#[derive(Debug)]
struct Object {
    made: Made,
    backwards: bool,
    rows: Vec<Row>,
    state: State,
}

/// How an object is as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Working,
    Held(Verdict),
    Ready,
    Gone,
}

impl View {
    pub(super) fn new(operators: Vec<Operator>) -> Self {
        Self {
            operators,
            objects: Vec::new(),
        }
    }

    /// Whether an operator is there for objects of this kind.
    pub(super) fn operates(&self, kind: &Kind) -> bool {
        self.operators.iter().any(|operator| operator.kind.is_same(kind))
    }

    /// Takes in how far a pass has come; what is new, a line each.
    pub(super) fn take(&mut self, progress: &Progress) -> Vec<String> {
        let Some(object) = self.object(progress) else {
            return Vec::new();
        };
        if object.backwards != progress.backwards {
            object.turn(progress.backwards);
        }
        let news = match &progress.step {
            Step::Begins(name) => {
                if let Some(row) = object.rows.iter_mut().find(|row| row.name == *name) {
                    row.begin(progress.backwards);
                }
                None
            }
            Step::Is(line) => {
                let row = object.rows.iter_mut().find(|row| row.name == line.name);
                let changed = row.and_then(|row| row.set(line).then(|| row.line(progress.backwards)));
                changed.map(|line| format!("{line}  ({object})"))
            }
            Step::All { .. } => None,
            Step::Ended(held) => object.end(held.clone()),
        };
        news.into_iter().collect()
    }

    fn object(&mut self, progress: &Progress) -> Option<&mut Object> {
        let operator = self.operators.iter().find(|it| it.name == progress.operator)?;
        let made = Made {
            kind: operator.kind.clone(),
            namespace: progress.namespace.clone(),
            name: progress.name.clone(),
        };
        let known = self.objects.iter().position(|it| it.made == made);
        let at = known.unwrap_or_else(|| {
            self.objects.push(Object::new(made, operator));
            self.objects.len() - 1
        });
        self.objects.get_mut(at)
    }

    /// The objects that are still there.
    pub(super) fn left(&self) -> Vec<Made> {
        let left = self.objects.iter().filter(|object| object.state != State::Gone);
        left.map(|object| object.made.clone()).collect()
    }

    /// Whether an object is ready.
    pub(super) fn is_ready(&self, made: &Made) -> bool {
        let mut objects = self.objects.iter();
        objects.any(|it| it.is(made) && it.state == State::Ready && !it.backwards)
    }

    /// What holds objects up, for an error.
    pub(super) fn trouble(&self) -> String {
        let held = self.objects.iter().filter_map(|object| match &object.state {
            State::Held(why) => Some(format!("{object}: {}: {}", why.reason, why.message)),
            State::Working => Some(format!("{object} is being worked on")),
            State::Ready | State::Gone => None,
        });
        held.collect::<Vec<_>>().join("; ")
    }

    /// The table, for a terminal: what is there, or else what was there last.
    pub(super) fn table(&self) -> Vec<String> {
        let mut there: Vec<_> = self
            .objects
            .iter()
            .filter(|object| object.state != State::Gone)
            .collect();
        if there.is_empty() {
            there.extend(self.objects.last());
        }
        let more = there.len().saturating_sub(SHOWN);
        let mut table: Vec<_> = there.into_iter().take(SHOWN).flat_map(Object::table).collect();
        if more > 0 {
            table.push(format!("and {more} more"));
        }
        table
    }
}

impl Object {
    fn new(made: Made, operator: &Operator) -> Self {
        let width = operator
            .graph
            .iter()
            .map(|(name, _)| name.len())
            .max()
            .unwrap_or_default();
        let rows = operator.graph.iter().map(|&(name, turns)| Row::new(name, turns, width));
        let mut object = Self {
            made,
            backwards: false,
            rows: rows.collect(),
            state: State::Working,
        };
        object.turn(false);
        object
    }

    fn is(&self, made: &Made) -> bool {
        self.made.kind.is_same(&made.kind) && self.made.namespace == made.namespace && self.made.name == made.name
    }

    /// Its rows in the order of this direction.
    fn turn(&mut self, backwards: bool) {
        self.backwards = backwards;
        self.state = State::Working;
        self.rows.sort_by_key(|row| row.turn(backwards));
        if !backwards {
            self.rows.iter_mut().for_each(Row::reset);
        }
    }

    fn end(&mut self, held: Option<Verdict>) -> Option<String> {
        let state = match held {
            Some(why) => State::Held(why),
            None if self.backwards => State::Gone,
            None => State::Ready,
        };
        let told = matches!(state, State::Ready | State::Gone) && state != self.state;
        self.state = state;
        told.then(|| format!("{self} is {}", self.word()))
    }

    fn word(&self) -> &'static str {
        match &self.state {
            State::Gone => "gone",
            State::Ready => "ready",
            State::Working | State::Held(_) if self.backwards => "going down",
            State::Working | State::Held(_) => "going up",
        }
    }

    fn table(&self) -> Vec<String> {
        let mut table = vec![String::new(), format!("{self} is {}", self.word())];
        table.extend(self.rows.iter().map(|row| row.cells(self.backwards)));
        table
    }
}

impl std::fmt::Display for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ", self.made.kind.kind)?;
        if let Some(namespace) = &self.made.namespace {
            write!(f, "{namespace}/")?;
        }
        f.write_str(&self.made.name)
    }
}
