//! What a case is made of: steps, drawn at random. What a step says of versions, uids and fields is put in when it is sent.

use proptest::{collection::vec, option, prelude::*, sample::Index};

/// A request, or something done with a watch.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Which of the kinds.
    pub(super) kind: Index,
    /// Which of the names.
    pub(super) name: Index,
    pub(super) act: Act,
    pub(super) options: Options,
}

/// What is done.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Create {
        named: bool,
        edits: Vec<Edit>,
    },
    Get {
        to: Index,
    },
    List {
        select: Select,
        limit: Option<u8>,
        version: ListVersion,
    },
    Update {
        to: Index,
        seen: bool,
        edits: Vec<Edit>,
        meets: Meets,
    },
    Json {
        to: Index,
        edits: Vec<Edit>,
        test: Option<Edit>,
        strange: Option<Strange>,
    },
    Merge {
        to: Index,
        edits: Vec<Edit>,
        meets: Meets,
    },
    Strategic {
        to: Index,
        edits: Vec<Edit>,
        directives: Vec<Edit>,
        meets: Meets,
    },
    Apply {
        to: Index,
        manager: Index,
        force: bool,
        whole: bool,
        edits: Vec<Edit>,
        meets: Meets,
    },
    Delete {
        meets: Meets,
        policy: Policy,
        grace: Option<u8>,
    },
    DeleteCollection {
        select: Select,
        policy: Policy,
    },
    Watch {
        select: Select,
        from: WatchFrom,
        bookmarks: bool,
    },
}

/// A change of a field: which one, to which of its values; removed if there is none.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) field: Index,
    pub(super) value: Option<Index>,
    pub(super) wrong: bool,
}

/// A JSON patch's operation beyond `add`, `replace`, `remove` and `test`.
#[derive(Clone, Debug)]
pub(super) enum Strange {
    Move(Index, Index),
    Copy(Index, Index),
    Nothing,
    BadPath,
}

/// What a request says of the object that it is for.
#[derive(Clone, Debug)]
pub(super) struct Meets {
    pub(super) version: Version,
    pub(super) uid: Uid,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Version {
    Unsaid,
    Current,
    Stale,
    One,
    Bad,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Uid {
    Unsaid,
    Right,
    Wrong,
}

/// What a delete does with dependents.
#[derive(Clone, Copy, Debug)]
pub(super) enum Policy {
    Unsaid,
    Background,
    Foreground,
    Orphan,
    Both,
    Bad,
}

/// Selectors, by the place in their tables.
#[derive(Clone, Debug)]
pub(super) struct Select {
    pub(super) labels: Option<Index>,
    pub(super) fields: Option<Index>,
}

#[derive(Clone, Debug)]
pub(super) enum ListVersion {
    Unsaid,
    Zero,
    NotOlderThan(Index),
    Exact(Index),
    Bad,
}

#[derive(Clone, Debug)]
pub(super) enum WatchFrom {
    Unsaid,
    Zero,
    Version(Index),
    Initial,
    InitialZero,
    InitialVersion(Index),
}

/// What most requests may say.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) dry_run: bool,
    pub(super) validation: Option<Index>,
    pub(super) manager: Option<Index>,
    pub(super) accept: Option<Index>,
    /// Says a field twice.
    pub(super) twice: bool,
}

/// The steps of a case.
pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    // A case has one or two kinds, so that its requests meet.
    (
        vec(step(), 1..30),
        any::<Index>(),
        any::<Index>(),
        prop::bool::weighted(0.3),
    )
        .prop_map(|(mut steps, one, two, both)| {
            for (at, step) in steps.iter_mut().enumerate() {
                step.kind = if both && at % 3 == 0 { two } else { one };
            }
            steps
        })
}

fn step() -> impl Strategy<Value = Step> {
    (any::<Index>(), any::<Index>(), act(), options()).prop_map(|(kind, name, act, options)| Step {
        kind,
        name,
        act,
        options,
    })
}

fn act() -> impl Strategy<Value = Act> {
    let to = any::<Index>;
    let edits = || vec(edit(), 0..4);
    prop_oneof![
        10 => (prop::bool::weighted(0.97), edits()).prop_map(|(named, edits)| Act::Create { named, edits }),
        3 => to().prop_map(|to| Act::Get { to }),
        5 => (select(), option::weighted(0.4, 1..3_u8), list_version())
            .prop_map(|(select, limit, version)| Act::List { select, limit, version }),
        10 => (to(), prop::bool::weighted(0.7), edits(), meets())
            .prop_map(|(to, seen, edits, meets)| Act::Update { to, seen, edits, meets }),
        9 => (to(), vec(edit(), 1..4), option::weighted(0.2, edit()), option::weighted(0.1, strange()))
            .prop_map(|(to, edits, test, strange)| Act::Json { to, edits, test, strange }),
        9 => (to(), vec(edit(), 1..4), meets()).prop_map(|(to, edits, meets)| Act::Merge { to, edits, meets }),
        9 => (to(), vec(edit(), 0..3), vec(edit(), 0..3), meets())
            .prop_map(|(to, edits, directives, meets)| Act::Strategic { to, edits, directives, meets }),
        22 => (to(), to(), prop::bool::weighted(0.4), prop::bool::weighted(0.6), edits(), meets())
            .prop_map(|(to, manager, force, whole, edits, meets)| Act::Apply { to, manager, force, whole, edits, meets }),
        6 => (meets(), policy(), option::weighted(0.3, 0..3_u8))
            .prop_map(|(meets, policy, grace)| Act::Delete { meets, policy, grace }),
        2 => (select(), policy()).prop_map(|(select, policy)| Act::DeleteCollection { select, policy }),
        3 => (select(), watch_from(), any::<bool>()).prop_map(|(select, from, bookmarks)| Act::Watch { select, from, bookmarks }),
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    (
        any::<Index>(),
        option::weighted(0.85, any::<Index>()),
        prop::bool::weighted(0.06),
    )
        .prop_map(|(field, value, wrong)| Edit { field, value, wrong })
}

fn strange() -> impl Strategy<Value = Strange> {
    let two = || (any::<Index>(), any::<Index>());
    prop_oneof![
        3 => two().prop_map(|(from, to)| Strange::Move(from, to)),
        3 => two().prop_map(|(from, to)| Strange::Copy(from, to)),
        1 => Just(Strange::Nothing),
        1 => Just(Strange::BadPath),
    ]
}

fn meets() -> impl Strategy<Value = Meets> {
    let version = prop_oneof![
        14 => Just(Version::Unsaid),
        5 => Just(Version::Current),
        2 => Just(Version::Stale),
        1 => Just(Version::One),
        1 => Just(Version::Bad),
    ];
    let uid = prop_oneof![12 => Just(Uid::Unsaid), 3 => Just(Uid::Right), 1 => Just(Uid::Wrong)];
    (version, uid).prop_map(|(version, uid)| Meets { version, uid })
}

fn policy() -> impl Strategy<Value = Policy> {
    prop_oneof![
        8 => Just(Policy::Unsaid),
        3 => Just(Policy::Background),
        3 => Just(Policy::Foreground),
        3 => Just(Policy::Orphan),
        1 => Just(Policy::Both),
        1 => Just(Policy::Bad),
    ]
}

fn select() -> impl Strategy<Value = Select> {
    (
        option::weighted(0.35, any::<Index>()),
        option::weighted(0.25, any::<Index>()),
    )
        .prop_map(|(labels, fields)| Select { labels, fields })
}

fn list_version() -> impl Strategy<Value = ListVersion> {
    prop_oneof![
        6 => Just(ListVersion::Unsaid),
        1 => Just(ListVersion::Zero),
        1 => any::<Index>().prop_map(ListVersion::NotOlderThan),
        2 => any::<Index>().prop_map(ListVersion::Exact),
        1 => Just(ListVersion::Bad),
    ]
}

fn watch_from() -> impl Strategy<Value = WatchFrom> {
    prop_oneof![
        2 => Just(WatchFrom::Unsaid),
        2 => Just(WatchFrom::Zero),
        8 => any::<Index>().prop_map(WatchFrom::Version),
        2 => Just(WatchFrom::Initial),
        1 => Just(WatchFrom::InitialZero),
        2 => any::<Index>().prop_map(WatchFrom::InitialVersion),
    ]
}

fn options() -> impl Strategy<Value = Options> {
    (
        prop::bool::weighted(0.07),
        option::weighted(0.4, any::<Index>()),
        option::weighted(0.4, any::<Index>()),
        option::weighted(0.06, any::<Index>()),
        prop::bool::weighted(0.02),
    )
        .prop_map(|(dry_run, validation, manager, accept, twice)| Options {
            dry_run,
            validation,
            manager,
            accept,
            twice,
        })
}
