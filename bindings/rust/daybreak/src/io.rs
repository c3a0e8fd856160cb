//! Inputs, outputs, parameters and symbols of an executable.

use crate::table::text_of_array;
use crate::DType;
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
    /// Extents known only to a run.
    Symbol,
}

impl Role {
    pub(crate) fn raw(self) -> u32 {
        match self {
            Self::Input => sys::DBK_INPUT,
            Self::Output => sys::DBK_OUTPUT,
            Self::Param => sys::DBK_PARAM,
            Self::Symbol => sys::DBK_SYMBOL,
        }
    }
}

/// A member of one of these lists.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IoInfo {
    /// Its name, cut at 255 bytes.
    pub name: String,
    /// Bytes of the whole name.
    pub name_len: u64,
    /// Type of its elements.
    pub dtype: DType,
    /// Declared or inferred extents as the ABI writes them: symbol `i` is `-1 - i`, unknown is `i64::MIN`. Of a symbol:
    /// minimum, maximum (negative: none) and what it is a multiple of.
    pub dims: Vec<i64>,
    /// Its id in the graph, see [`crate::Value::id`]; of a symbol its index.
    pub value: u32,
    /// A parameter that has data.
    pub data_set: bool,
    /// An input whose values decide shapes; it must be bound from host memory.
    pub shape_input: bool,
}

impl IoInfo {
    pub(crate) fn empty_raw() -> sys::dbk_io_info {
        sys::dbk_io_info {
            hdr: sys::dbk_hdr::of::<sys::dbk_io_info>(),
            dtype: 0,
            rank: 0,
            dims: [0; sys::DBK_MAX_RANK as usize],
            value: 0,
            flags: 0,
            name_len: 0,
            name: [0; 256],
        }
    }

    pub(crate) fn from_raw(raw: &sys::dbk_io_info, role: Role) -> Self {
        let rank = if role == Role::Symbol { 3 } else { raw.rank as usize };
        Self {
            name: text_of_array(&raw.name),
            name_len: raw.name_len,
            dtype: DType::from_raw(raw.dtype),
            dims: raw.dims[..rank.min(raw.dims.len())].to_vec(),
            value: raw.value,
            data_set: raw.flags & sys::DBK_IO_DATA_SET != 0,
            shape_input: raw.flags & sys::DBK_IO_SHAPE_INPUT != 0,
        }
    }
}

/// Extents of an input or output of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Extents, None where unknown.
    pub dims: Vec<Option<i64>>,
    /// Are they the actual ones? Otherwise they are upper bounds.
    pub exact: bool,
}

impl Shape {
    /// Number of elements, where it is known exactly and can be counted.
    pub fn elements(&self) -> Option<u64> {
        let product = |acc: u64, dim: &Option<i64>| acc.checked_mul(u64::try_from((*dim)?).ok()?);
        self.dims.iter().try_fold(1, product).filter(|_| self.exact)
    }
}
