//! Rules in CEL: `x-kubernetes-validations`.
//!
//! Expressions are read and run by the crate `cel`. Around it stand what CEL for CRDs needs: a check of types against
//! the schema when the CRD is made, the functions of Kubernetes, and a budget for each run.
//!
//! | module | what |
//! |---|---|
//! | `budget` | how much a rule may do |
//! | `checker` | the types of an expression, before it runs |
//! | `declarations` | the functions and their types |
//! | `declare` | the types of schemas |
//! | `escape` | names of fields as expressions write them |
//! | `keyed` | lists of type `set` and `map` |
//! | `kind` | the types of CEL |
//! | `library` | the functions |
//! | `program` | an expression that is ready to run |
//! | `rules` | all rules of a schema, and running them |
//! | `stack` | room for recursion |
//! | `value` | values of objects as rules see them |

mod budget;
mod checker;
mod declarations;
mod declare;
mod escape;
mod keyed;
mod kind;
// Functions of the library have the forms that the crate `cel` gives them.
#[allow(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    clippy::unnecessary_wraps
)]
mod library;
mod program;
mod rules;
mod stack;
mod value;

pub(super) use rules::{Rules, compile_at};
