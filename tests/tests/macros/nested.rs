//! The next version of an operator, in a module that imports all of the version around it.

use operatorkit::{Cx, Flow, Operator, Result, Step, operator, resource};

#[operator(group = "demo.example.com", version = "v1", kind = "Shelf", resources(Board))]
pub(crate) struct ShelfSpec {
    pub(crate) width: u32,
}

#[resource]
pub(crate) struct Board;

impl Step for Board {
    type Operator = Shelf;
    type Output = ();

    async fn ensure_created(&self, _: &Shelf, _: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

mod next {
    use super::*;

    #[operator(group = "demo.example.com", version = "v1", kind = "Shelf", resources(Board, Back))]
    pub(super) struct ShelfSpec {
        pub(super) width: u32,
        pub(super) depth: Option<u32>,
    }

    #[resource(order = 1)]
    pub(super) struct Board;

    #[resource(order = 2)]
    pub(super) struct Back;

    macro_rules! steps {
        ($($name:ident)+) => { $(
            impl Step for $name {
                type Operator = Shelf;
                type Output = ();

                async fn ensure_created(&self, _: &Shelf, _: &Cx<Self>) -> Result<Flow<()>> {
                    Ok(().into())
                }
            }
        )+ };
    }
    steps!(Board Back);
}

#[test]
fn a_version_within_another_is_one_of_its_own() {
    let shelf = Shelf::new("x", ShelfSpec { width: 1 });
    let spec = next::ShelfSpec {
        width: shelf.spec.width,
        depth: Some(2),
    };
    let larger = next::Shelf::new("x", spec);
    assert_eq!(
        (shelf.spec.width, larger.spec.width, larger.spec.depth),
        (1, 1, Some(2))
    );
    let names = |nodes: &[operatorkit::graph::Meta]| nodes.iter().map(|it| it.name).collect::<Vec<_>>();
    assert_eq!(names(Shelf::NODES), ["board"]);
    assert_eq!(names(next::Shelf::NODES), ["board", "back"]);
    let resources = (
        ShelfResources { board: Board },
        next::ShelfResources {
            board: next::Board,
            back: next::Back,
        },
    );
    assert_eq!(format!("{resources:?}"), "(ShelfResources, ShelfResources)");
}
