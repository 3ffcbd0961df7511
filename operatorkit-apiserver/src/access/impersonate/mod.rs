//! Asking as somebody else: the headers, and who may (KEP-5284 and the older rules, `filters/impersonation` of `k8s.io/apiserver`).
//!
//! | module | what |
//! |---|---|
//! | [`headers`] | whom the headers ask to be |
//! | `mode`, `check` | the ways to be somebody else, and who may |

mod check;
pub mod headers;
mod mode;

pub use headers::requested;

use super::{Attributes, Authorize, User};
use crate::failure::Failure;
use check::Check;
use mode::Mode;

/// Who the caller is from now on, if `requestor` may do what `attributes` says as `wanted`.
///
/// # Errors
///
/// 403 in the words of the first way that applies and is refused.
pub fn impersonate(
    wanted: &User,
    requestor: &User,
    attributes: &Attributes,
    authorizer: &impl Authorize,
) -> Result<User, Failure> {
    let mut refusal = None;
    for mode in Mode::ALL {
        if !mode.applies(wanted, requestor) {
            continue;
        }
        match (Check {
            mode,
            requestor,
            authorizer,
        })
        .run(wanted, attributes)
        {
            Ok(user) => return Ok(user),
            Err(failure) => _ = refusal.get_or_insert(failure),
        }
    }
    Err(refusal.unwrap_or_else(|| Failure::internal("all impersonation modes failed")))
}
