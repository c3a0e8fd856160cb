//! Inputs, outputs, parameters and symbols of an executable.

use crate::table::text;
use crate::{DType, Dim, Error, Result, Status};
use daybreak_sys as sys;

/// The lists of an executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// What every run is given.
    Input,
    /// What every run yields.
    Output,
    /// What is given once.
    Param,
}

impl Role {
    pub(crate) fn raw(self) -> u32 {
        match self {
            Self::Input => sys::DBK_INPUT,
            Self::Output => sys::DBK_OUTPUT,
            Self::Param => sys::DBK_PARAM,
        }
    }
}

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueKind {
    /// A tensor.
    Tensor,
    /// A sequence of tensors.
    Sequence,
    /// A tensor or nothing.
    Optional,
    /// A sequence or nothing.
    OptionalSequence,
    /// Anything else, with the ABI's number.
    Other(u32),
}

impl ValueKind {
    fn from_raw(raw: u32) -> Self {
        match raw {
            sys::DBK_KIND_TENSOR => Self::Tensor,
            sys::DBK_KIND_SEQUENCE => Self::Sequence,
            sys::DBK_KIND_OPTIONAL => Self::Optional,
            sys::DBK_KIND_OPTIONAL_SEQUENCE => Self::OptionalSequence,
            other => Self::Other(other),
        }
    }
}

/// An input, output or parameter of an executable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IoInfo {
    /// Its name.
    pub name: String,
    /// What it is made of.
    pub kind: ValueKind,
    /// Type of its elements; [`DType::NONE`] where only a binding decides it.
    pub dtype: DType,
    /// Declared or inferred extents; None where not even their number is known.
    pub dims: Option<Vec<Dim>>,
    /// Its id in the graph, see [`crate::Value::id`].
    pub value: u32,
    /// A parameter that has data.
    pub data_set: bool,
    /// An input whose elements decide shapes: it is bound from host memory and read at once.
    pub shape_input: bool,
}

impl IoInfo {
    /// # Safety
    /// `raw.name` is NULL or valid for `raw.name_len` bytes.
    pub(crate) unsafe fn from_raw(raw: &sys::dbk_io_info) -> Result<Self> {
        let dims = ranked(&raw.dims, raw.rank)?;
        Ok(Self {
            // SAFETY: the caller's promise.
            name: unsafe { text(raw.name, raw.name_len) },
            kind: ValueKind::from_raw(raw.kind),
            dtype: DType::from_raw(raw.dtype),
            dims: dims.map(|dims| dims.iter().map(|&dim| Dim::from_raw(dim)).collect()),
            value: raw.value,
            data_set: raw.flags & sys::DBK_IO_DATA_SET != 0,
            shape_input: raw.flags & sys::DBK_IO_SHAPE_INPUT != 0,
        })
    }
}

/// A named extent of an executable, see [`crate::GraphBuilder::symbol`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SymbolInfo {
    /// Its name.
    pub name: String,
    /// The smallest extent.
    pub min: i64,
    /// The largest extent, where there is a bound.
    pub max: Option<i64>,
    /// Every extent is a multiple of this.
    pub multiple_of: i64,
}

impl SymbolInfo {
    /// # Safety
    /// `raw.name` is NULL or valid for `raw.name_len` bytes.
    pub(crate) unsafe fn from_raw(raw: &sys::dbk_io_info) -> Self {
        let [min, max, multiple_of, ..] = raw.dims;
        // SAFETY: the caller's promise.
        let name = unsafe { text(raw.name, raw.name_len) };
        Self { name, min, max: (max > 0).then_some(max), multiple_of: multiple_of.max(1) }
    }
}

/// Extents of an input or output of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Extents, each None where unknown; None as a whole where not even their number is known or, if `exact`, an optional
    /// output is absent.
    pub dims: Option<Vec<Option<i64>>>,
    /// Are they the actual ones? Otherwise they are upper bounds or unknown.
    pub exact: bool,
}

impl Shape {
    pub(crate) fn from_raw(dims: &[i64], rank: u32, exact: bool) -> Result<Self> {
        let known = |&dim: &i64| (dim != sys::DBK_DIM_UNKNOWN).then_some(dim);
        let dims = ranked(dims, rank)?.map(|dims| dims.iter().map(known).collect());
        Ok(Self { dims, exact })
    }

    /// Number of elements, where it is known exactly and can be counted.
    pub fn elements(&self) -> Option<u64> {
        let product = |acc: u64, dim: &Option<i64>| acc.checked_mul(u64::try_from((*dim)?).ok()?);
        self.dims.as_ref()?.iter().try_fold(1, product).filter(|_| self.exact)
    }
}

/// The first `rank` of `dims`; None where the rank is unknown.
fn ranked(dims: &[i64], rank: u32) -> Result<Option<&[i64]>> {
    if rank == sys::DBK_NONE {
        return Ok(None);
    }
    let too_high = || Error::new(Status::Internal, format!("the plugin tells of rank {rank}, above {}", dims.len()));
    dims.get(..rank as usize).map(Some).ok_or_else(too_high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::GraphBuilder;

    fn raw(rank: u32, dims: &[i64]) -> sys::dbk_io_info {
        let mut raw = crate::listing::empty_raw();
        (raw.rank, raw.name, raw.name_len) = (rank, c"x".as_ptr(), 1);
        raw.dims[..dims.len()].copy_from_slice(dims);
        raw
    }

    #[test]
    fn extents_are_fixed_symbols_or_unknown() {
        let symbol = GraphBuilder::new(20).symbol("N", ..);
        let dims = [7, sys::DBK_DIM_SYMBOL(symbol.index()), sys::DBK_DIM_UNKNOWN, i64::MIN + 1];
        let info = unsafe { IoInfo::from_raw(&raw(4, &dims)) }.unwrap();
        assert_eq!(info.name, "x");
        assert_eq!(info.dims, Some(vec![Dim::Fixed(7), Dim::Symbol(symbol), Dim::Unknown, Dim::Unknown]));
    }

    #[test]
    fn ranks_are_known_unknown_or_refused() {
        let dims = |rank| unsafe { IoInfo::from_raw(&raw(rank, &[])) }.map(|info| info.dims.map(|dims| dims.len()));
        assert_eq!(dims(0), Ok(Some(0)));
        assert_eq!(dims(sys::DBK_MAX_RANK), Ok(Some(32)));
        assert_eq!(dims(sys::DBK_NONE), Ok(None));
        assert_eq!(dims(33).unwrap_err().status(), Status::Internal);
        assert_eq!(Shape::from_raw(&[], sys::DBK_NONE, false), Ok(Shape { dims: None, exact: false }));
        assert_eq!(Shape::from_raw(&[1, 2], 3, true).unwrap_err().status(), Status::Internal);
    }

    #[test]
    fn elements_are_counted_where_they_are_known() {
        let elements = |dims: &[i64], exact| Shape::from_raw(dims, dims.len() as u32, exact).unwrap().elements();
        assert_eq!(elements(&[], true), Some(1));
        assert_eq!(elements(&[2, 0, 3], true), Some(0));
        assert_eq!(elements(&[2, 3], false), None);
        assert_eq!(elements(&[2, sys::DBK_DIM_UNKNOWN], true), None);
        assert_eq!(elements(&[i64::MAX, i64::MAX], true), None);
        assert_eq!(Shape { dims: None, exact: false }.elements(), None);
    }

    #[test]
    fn symbols_have_bounds_or_none() {
        let max = |max| unsafe { SymbolInfo::from_raw(&raw(3, &[1, max, 0])) }.max;
        assert_eq!((max(-1), max(0), max(8)), (None, None, Some(8)));
    }

    #[test]
    fn kinds_are_an_open_set() {
        assert_eq!(ValueKind::from_raw(sys::DBK_KIND_OPTIONAL_SEQUENCE), ValueKind::OptionalSequence);
        assert_eq!(ValueKind::from_raw(77), ValueKind::Other(77));
    }
}
