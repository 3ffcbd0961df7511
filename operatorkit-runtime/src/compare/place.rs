//! What a path means for the comparison: whether a quantity may stand there, text, or something atomic.

use serde_json::Value;

/// The meaning of the place at which two values are compared.
///
/// It is told by the keys on the way, as the Kubernetes API uses them; a place that is not known is [`Place::Plain`],
/// where values are compared as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing special.
    Plain,
    /// A quantity: `1000m` is `1`.
    Amount,
    /// A quantity, or an object whose members are quantities (`limits`, `requests`, `capacity`).
    Amounts,
    /// An item of the list `limits` of a `LimitRange`, whose `default`, `min`, `max` … hold quantities.
    LimitItem,
    /// The target of an autoscaler's metric, whose `value` is a quantity.
    MetricTarget,
    /// Text of the user's, to any depth: `1000m` is not `1`, and an empty string is not an absent one.
    Text,
    /// Text that the API server takes as a whole: a member that was not sent changes the meaning (a selector).
    Whole,
}

/// Objects of quantities.
const AMOUNTS: [&str; 7] = [
    "allocatable",
    "capacity",
    "hard",
    "limits",
    "overhead",
    "podFixed",
    "requests",
];

/// Single quantities.
const AMOUNT: [&str; 7] = [
    "averageValue",
    "divisor",
    "maximumVolumeSize",
    "sizeLimit",
    "targetAverageValue",
    "targetValue",
    "tolerance",
];

const LIMIT_ITEM: [&str; 5] = ["default", "defaultRequest", "max", "maxLimitRequestRatio", "min"];

/// Maps from the user's keys to the user's values.
const TEXT: [&str; 6] = [
    "annotations",
    "binaryData",
    "data",
    "labels",
    "parameters",
    "stringData",
];

/// Atomic in the Kubernetes API; the server adds nothing to them. A selector or schema with one more member is another one.
const WHOLE: [&str; 8] = [
    "labelSelector",
    "matchLabels",
    "namespaceSelector",
    "nodeSelector",
    "objectSelector",
    "openAPIV3Schema",
    "podSelector",
    "selector",
];

impl Place {
    /// The place of an object's member.
    pub(super) fn member(self, key: &str) -> Self {
        match (self, key) {
            (Self::Text | Self::Whole, _) => self,
            (_, key) if WHOLE.contains(&key) => Self::Whole,
            (_, key) if TEXT.contains(&key) => Self::Text,
            (_, key) if AMOUNTS.contains(&key) => Self::Amounts,
            (_, key) if AMOUNT.contains(&key) => Self::Amount,
            (Self::LimitItem, key) if LIMIT_ITEM.contains(&key) => Self::Amounts,
            (Self::Amounts, _) | (Self::MetricTarget | Self::Amount, "value") => Self::Amount,
            (_, "target") => Self::MetricTarget,
            _ => Self::Plain,
        }
    }

    /// The place of a list's items.
    pub(super) fn item(self) -> Self {
        match self {
            Self::Text | Self::Whole => self,
            Self::Amounts => Self::LimitItem,
            _ => Self::Plain,
        }
    }

    /// Whether scalars here are quantities.
    pub(super) fn is_amount(self) -> bool {
        matches!(self, Self::Amount | Self::Amounts)
    }

    /// Whether the value says here no more than an absent one: the API server drops such values, or answers `null`.
    pub(super) fn is_empty(self, value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Object(map) => map.iter().all(|(key, member)| self.member(key).is_empty(member)),
            Value::Array(items) => items.is_empty(),
            Value::String(text) => text.is_empty() && !matches!(self, Self::Text | Self::Whole),
            Value::Bool(_) | Value::Number(_) => false,
        }
    }
}
