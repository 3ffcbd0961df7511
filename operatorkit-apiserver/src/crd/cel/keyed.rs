//! Lists of type `set` and `map`: they are equal whatever the order of their items, and `+` joins them by item or key.

use cel::{
    ExecutionError,
    common::{
        traits::{Adder, Container, Indexer, Iterable, Sizer, Zeroer},
        types::{CelList, CelMap, CelString, LIST_TYPE, Type},
        value::{BuiltinRef, CowVal, Val},
    },
};

/// A set, or a list map with the fields that are its keys.
#[derive(Clone, Debug)]
pub(super) struct Keyed {
    list: CelList<'static>,
    keys: Vec<String>,
}

impl Keyed {
    /// A set, if there are no keys.
    pub(super) fn new(list: CelList<'static>, keys: Vec<String>) -> Self {
        Self { list, keys }
    }

    /// Whether two items stand for the same: they are equal, or their keys are.
    fn is_same(&self, one: &dyn Val, other: &dyn Val) -> bool {
        if self.keys.is_empty() {
            return one.equals(other);
        }
        let key = |item: &dyn Val, name: &str| -> Option<Box<dyn Val>> {
            let map = item.downcast_ref::<CelMap<'_>>()?;
            let found = map.inner().iter().find(|(key, _)| {
                key.inner()
                    .downcast_ref::<CelString<'_>>()
                    .is_some_and(|it| it.inner() == name)
            });
            found.and_then(|(_, value)| owned(value.as_ref()))
        };
        self.keys.iter().all(|name| match (key(one, name), key(other, name)) {
            (Some(one), Some(other)) => one.equals(other.as_ref()),
            (None, None) => true,
            _ => false,
        })
    }
}

/// A value that borrows nothing.
fn owned(value: &dyn Val) -> Option<Box<dyn Val>> {
    let value: cel::Value = value.try_into().ok()?;
    value.try_into().ok()
}

impl Val for Keyed {
    fn get_type(&self) -> &Type {
        &LIST_TYPE
    }

    fn cel_type() -> &'static Type {
        &LIST_TYPE
    }

    fn as_adder<'b, 'v>(&'b self) -> Option<&'b (dyn Adder + 'v)>
    where
        Self: 'v,
    {
        Some(self)
    }

    fn as_container(&self) -> Option<&dyn Container> {
        Some(&self.list)
    }

    fn as_indexer<'b, 'v>(&'b self) -> Option<&'b (dyn Indexer + 'v)>
    where
        Self: 'v,
    {
        Some(&self.list)
    }

    fn as_iterable<'b, 'v>(&'b self) -> Option<&'b (dyn Iterable + 'v)>
    where
        Self: 'v,
    {
        Some(&self.list)
    }

    fn as_sizer(&self) -> Option<&dyn Sizer> {
        Some(&self.list)
    }

    fn as_zeroer(&self) -> Option<&dyn Zeroer> {
        Some(&self.list)
    }

    fn equals(&self, other: &dyn Val) -> bool {
        let Some(other) = other.downcast_ref::<CelList<'_>>() else {
            return false;
        };
        let (mine, theirs) = (self.list.inner(), other.inner());
        mine.len() == theirs.len()
            && mine
                .iter()
                .all(|it| theirs.iter().any(|other| it.equals(other.as_ref())))
    }

    fn clone_as_boxed<'v>(&self) -> Box<dyn Val + 'v>
    where
        Self: 'v,
    {
        Box::new(self.clone())
    }

    fn as_builtin<'b, 'v>(&'b self) -> BuiltinRef<'b, 'v>
    where
        Self: 'v,
    {
        BuiltinRef::List(&self.list)
    }
}

impl Adder for Keyed {
    fn add<'b, 'v>(&'b self, other: &(dyn Val + 'v)) -> Result<CowVal<'b, 'v>, ExecutionError>
    where
        Self: 'v,
    {
        let Some(other) = other.downcast_ref::<CelList<'_>>() else {
            return Err(ExecutionError::no_such_overload("_+_", Vec::new()));
        };
        let mut joined = self.list.inner().to_vec();
        for item in other.inner() {
            let Some(item) = owned(item.as_ref()) else { continue };
            match joined.iter_mut().find(|it| self.is_same(it.as_ref(), item.as_ref())) {
                Some(same) => *same = item,
                None => joined.push(item),
            }
        }
        Ok(CowVal::owned(Self::new(CelList::from(joined), self.keys.clone())))
    }
}
