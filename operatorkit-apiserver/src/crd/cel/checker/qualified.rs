//! Names with dots: `google.protobuf.Duration`, `optional.of`.

use cel::common::ast::{Expr, IdedExpr, SelectExpr};

/// Whether a selection is the name of a type.
pub(super) fn is_type(select: &SelectExpr) -> bool {
    let Expr::Select(protobuf) = &select.operand.expr else {
        return false;
    };
    let Expr::Ident(google) = &protobuf.operand.expr else {
        return false;
    };
    let known = matches!(select.field.as_str(), "Duration" | "Timestamp");
    google == "google" && protobuf.field == "protobuf" && known && !select.test
}

/// The name of a function with a dot: `optional` in front of `of`.
pub(super) fn namespace(target: &IdedExpr) -> Option<&str> {
    match &target.expr {
        Expr::Ident(name) => Some(name),
        _ => None,
    }
}
