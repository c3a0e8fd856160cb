//! The words of a graph: ids, dims and types.

use crate::DType;
use daybreak_sys as sys;

/// A value of the graph it was made by. An id of another graph is not noticed here; the plugin checks what it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(pub(super) u32);

impl Value {
    /// Its index in the value table, as in [`crate::Cause::value`] and [`crate::IoInfo::value`].
    pub fn id(self) -> u32 {
        self.0
    }
}

/// A named extent of the graph it was made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symbol(pub(super) u32);

impl Symbol {
    /// Its index in the symbol table, as in [`crate::Run::set_dim`] and [`crate::Executable::symbol`].
    pub fn index(self) -> u32 {
        self.0
    }
}

/// A body of the graph it was made by, for attributes of If, Loop and Scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block(pub(super) u32);

/// One extent of a declared or inferred shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A number, not negative.
    Fixed(i64),
    /// Whatever the symbol will be.
    Symbol(Symbol),
    /// Known only when a tensor is bound or after the run.
    Unknown,
}

impl Dim {
    /// The ABI's number; None for a negative extent, which would read as a symbol there.
    pub(super) fn raw(self) -> Option<i64> {
        match self {
            Self::Fixed(extent) => (extent >= 0).then_some(extent),
            Self::Symbol(symbol) => Some(sys::DBK_DIM_SYMBOL(symbol.0)),
            Self::Unknown => Some(sys::DBK_DIM_UNKNOWN),
        }
    }

    /// From the ABI's number.
    pub(crate) fn from_raw(raw: i64) -> Self {
        match raw {
            0.. => Self::Fixed(raw),
            // What no index of a symbol can be is unknown, as is DBK_DIM_UNKNOWN.
            _ => u32::try_from(-1 - raw).map_or(Self::Unknown, |index| Self::Symbol(Symbol(index))),
        }
    }
}

impl From<i64> for Dim {
    fn from(extent: i64) -> Self {
        Self::Fixed(extent)
    }
}

impl From<i32> for Dim {
    fn from(extent: i32) -> Self {
        Self::Fixed(extent.into())
    }
}

impl From<usize> for Dim {
    /// Extents beyond what the ABI can say become negative and so are refused when the graph is finished.
    fn from(extent: usize) -> Self {
        Self::Fixed(i64::try_from(extent).unwrap_or(-1))
    }
}

impl From<Symbol> for Dim {
    fn from(symbol: Symbol) -> Self {
        Self::Symbol(symbol)
    }
}

/// What is declared about a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub(super) dtype: DType,
    pub(super) kind: u32,
    pub(super) dims: Option<Vec<Dim>>,
}

impl Type {
    /// A tensor of known rank.
    pub fn tensor<D: Into<Dim>>(dtype: DType, dims: impl IntoIterator<Item = D>) -> Self {
        Self { dtype, kind: sys::DBK_KIND_TENSOR, dims: Some(dims.into_iter().map(Into::into).collect()) }
    }

    /// A tensor of unknown rank.
    pub fn unknown_rank(dtype: DType) -> Self {
        Self { dtype, kind: sys::DBK_KIND_TENSOR, dims: None }
    }

    /// Nothing is declared: everything is inferred.
    pub fn inferred() -> Self {
        Self::unknown_rank(DType::NONE)
    }

    /// A sequence of such tensors.
    #[must_use]
    pub fn sequence(self) -> Self {
        Self { kind: self.kind | sys::DBK_KIND_SEQUENCE, ..self }
    }

    /// Such a value or nothing.
    #[must_use]
    pub fn optional(self) -> Self {
        Self { kind: self.kind | sys::DBK_KIND_OPTIONAL, ..self }
    }
}

// `sequence` and `optional` above combine the kinds like bits.
const _: () = assert!(sys::DBK_KIND_OPTIONAL_SEQUENCE == sys::DBK_KIND_OPTIONAL | sys::DBK_KIND_SEQUENCE);
