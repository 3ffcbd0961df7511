//! Typed outputs from resource to resource within a pass.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    marker::PhantomData,
    sync::{Arc, OnceLock},
};

use crate::{error::Result, graph::Hands};

/// The outputs of a pass, one place per resource.
#[derive(Debug)]
pub(crate) struct Outputs {
    index: Arc<HashMap<TypeId, usize>>,
    values: Box<[OnceLock<Box<dyn Any + Send + Sync>>]>,
}

impl Outputs {
    /// `index` says which place belongs to which resource type.
    pub(crate) fn new(index: Arc<HashMap<TypeId, usize>>) -> Self {
        let values = (0..index.len()).map(|_| OnceLock::new()).collect();
        Self { index, values }
    }

    /// Sets the output of a resource; a resource runs at most once in a pass.
    pub(crate) fn set<T: Send + Sync + 'static>(&self, node: usize, output: T) {
        if let Some(place) = self.values.get(node) {
            // A second value could only come from a second run in the same pass, which the plan rules out.
            let _ = place.set(Box::new(output));
        }
    }

    fn get<D: 'static, T: 'static>(&self) -> Option<&T> {
        let index = *self.index.get(&TypeId::of::<D>())?;
        self.values.get(index)?.get()?.downcast_ref()
    }
}

/// An earlier resource, whose output can be read.
#[derive(Debug)]
pub struct Prior<'a, D> {
    outputs: &'a Outputs,
    resource: PhantomData<fn() -> D>,
}

impl<'a, D: 'static> Prior<'a, D> {
    pub(crate) fn new(outputs: &'a Outputs) -> Self {
        Self {
            outputs,
            resource: PhantomData,
        }
    }

    /// What the resource handed on.
    ///
    /// # Errors
    /// If it was skipped in this pass, or is an `External` that is not wanted. Returned by `?`, this error
    /// skips the reader, too.
    pub fn output<ExactlyOneOfManifestExternalStep>(&self) -> Result<&'a D::Output>
    where
        D: Hands<ExactlyOneOfManifestExternalStep>,
    {
        self.outputs
            .get::<D, D::Output>()
            .ok_or_else(|| NotThere(D::NAME).into())
    }
}

/// The error of reading an output that is not there: it skips the reader.
#[derive(Debug)]
pub(crate) struct NotThere(pub(crate) &'static str);

impl fmt::Display for NotThere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` gave no output in this pass", self.0)
    }
}

impl std::error::Error for NotThere {}
