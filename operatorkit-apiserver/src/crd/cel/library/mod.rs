//! The functions of rules: those of the crate `cel`, and those that Kubernetes adds (`k8s.io/apiserver/pkg/cel/library`).
//!
//! | module | what |
//! |---|---|
//! | `comprehensions` | macros with two variables |
//! | `format` | named formats: `format.dns1123Label()` |
//! | `ip` | `ip()` and `cidr()` |
//! | `limits` | what keeps functions within the budget |
//! | `lists` | lists, sets |
//! | `maps` | what macros with two variables are made of |
//! | `quantity` | `quantity()` |
//! | `semver` | `semver()` |
//! | `text` | regular expressions |
//! | `url` | `url()` |

use std::sync::{Arc, LazyLock};

use cel::{DeclarationError, Env, extensions};

mod comprehensions;
mod format;
mod ip;
mod limits;
mod lists;
mod maps;
mod quantity;
mod semver;
mod text;
mod url;

pub(super) use limits::bounded;

static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| {
    let mut env = Env::stdlib();
    add_all(&mut env).expect("no function is declared twice");
    Arc::new(env)
});

/// The environment that rules are read and run in.
pub(super) fn environment() -> Arc<Env> {
    ENVIRONMENT.clone()
}

fn add_all(env: &mut Env) -> Result<(), DeclarationError> {
    extensions::strings(env)?;
    extensions::lists(env)?;
    comprehensions::add(env)?;
    format::add(env)?;
    ip::add(env)?;
    limits::add(env)?;
    lists::add(env)?;
    maps::add(env)?;
    quantity::add(env)?;
    semver::add(env)?;
    text::add(env)?;
    url::add(env)
}

/// Makes a Rust type a type of CEL, with a name and equality.
macro_rules! opaque {
    ($type:ty, $name:literal) => {
        impl cel::common::value::Val for $type {
            fn get_type(&self) -> &cel::common::types::Type {
                <Self as cel::common::value::Val>::cel_type()
            }

            fn cel_type() -> &'static cel::common::types::Type {
                static TYPE: std::sync::LazyLock<cel::common::types::Type> =
                    std::sync::LazyLock::new(|| cel::common::types::Type::new_opaque_type($name));
                &TYPE
            }

            fn equals(&self, other: &dyn cel::common::value::Val) -> bool {
                other.downcast_ref::<Self>().is_some_and(|other| self == other)
            }

            fn clone_as_boxed<'v>(&self) -> Box<dyn cel::common::value::Val + 'v>
            where
                Self: 'v,
            {
                Box::new(self.clone())
            }

            fn as_any(&self) -> Option<&dyn std::any::Any> {
                Some(self)
            }
        }

        impl cel::common::value::StaticVal for $type {}
    };
}

use opaque;

/// An error of a function.
fn wrong(function: &str, why: impl ToString) -> cel::ExecutionError {
    cel::ExecutionError::function_error(function, why)
}
