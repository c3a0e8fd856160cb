//! A graph as index-linked tables.

use crate::dbk_hdr;
use core::ffi::c_void;

/// An array with the caller's element size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_pool {
    /// First element, or NULL when empty.
    pub ptr: *const c_void,
    /// Elements.
    pub count: u32,
    /// The caller's size of one element.
    pub stride: u32,
}

/// Elements `[off, off + len)` of a pool.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct dbk_slice {
    /// First element.
    pub off: u32,
    /// Elements.
    pub len: u32,
}

/// Constant or parameter data at any alignment.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_blob {
    /// First byte.
    pub ptr: *const c_void,
    /// Bytes.
    pub len: u64,
    /// `DBK_COPY` or `DBK_UNTIL_DESTROY`.
    pub ownership: u32,
    /// Zero.
    pub reserved: u32,
}

/// A value of a graph.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_value {
    /// In text.
    pub name: dbk_slice,
    /// In ints: extents, symbols or `DBK_DIM_UNKNOWN`.
    pub dims: dbk_slice,
    /// Element type, or `DBK_DTYPE_NONE` to infer it.
    pub dtype: u32,
    /// `DBK_KIND_*`.
    pub kind: u32,
    /// `DBK_ORIGIN_*`.
    pub origin: u32,
    /// `DBK_VALUE_*`.
    pub flags: u32,
    /// The input of block 0 whose memory this output of block 0 may share, or `DBK_NONE`.
    pub alias: u32,
    /// Index of the blob with the data, or `DBK_NONE`.
    pub blob: u32,
    /// Bytes into the blob.
    pub blob_off: u64,
    /// Exactly the tensor's size in bytes.
    pub blob_len: u64,
}

/// A node of a graph.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_node {
    /// In text; empty is ONNX's default domain.
    pub domain: dbk_slice,
    /// In text.
    pub op: dbk_slice,
    /// In text; for messages and reports.
    pub name: dbk_slice,
    /// In refs: value ids or `DBK_NONE`.
    pub inputs: dbk_slice,
    /// In refs: value ids or `DBK_NONE`.
    pub outputs: dbk_slice,
    /// Of the attribute table.
    pub attrs: dbk_slice,
    /// Version of the node's domain.
    pub op_version: u32,
    /// Zero.
    pub flags: u32,
}

/// Scalar part of an attribute.
#[repr(C)]
#[derive(Clone, Copy)]
pub union dbk_attr_value {
    /// INT, TENSOR, BLOCK and TYPE.
    pub i: i64,
    /// FLOAT.
    pub f: f64,
}

/// An attribute of a node.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dbk_attr {
    /// In text.
    pub name: dbk_slice,
    /// In the pool that the type implies; empty where `v` holds the value.
    pub data: dbk_slice,
    /// `DBK_ATTR_*`.
    pub r#type: u32,
    /// Zero.
    pub flags: u32,
    /// The scalar; zero where `data` holds the value.
    pub v: dbk_attr_value,
}

/// A named extent.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_symbol {
    /// In text.
    pub name: dbk_slice,
    /// Smallest extent.
    pub min: i64,
    /// Largest extent; 0 or less: no bound.
    pub max: i64,
    /// The extent is a multiple of this; 0 or 1: any.
    pub multiple_of: i64,
}

/// A sequence of nodes in executable order.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_block {
    /// In text.
    pub name: dbk_slice,
    /// Of the node table.
    pub nodes: dbk_slice,
    /// In refs.
    pub inputs: dbk_slice,
    /// In refs.
    pub outputs: dbk_slice,
    /// Zero.
    pub flags: u32,
    /// Zero.
    pub reserved: u32,
}

/// All tables of a graph.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_graph {
    /// Head.
    pub hdr: dbk_hdr,
    /// Of [`dbk_value`].
    pub values: dbk_pool,
    /// Of [`dbk_node`].
    pub nodes: dbk_pool,
    /// Of [`dbk_attr`].
    pub attrs: dbk_pool,
    /// Of [`dbk_symbol`].
    pub symbols: dbk_pool,
    /// Of [`dbk_block`]; block 0 is the main graph.
    pub blocks: dbk_pool,
    /// Of [`dbk_blob`].
    pub blobs: dbk_pool,
    /// Of `i64`.
    pub ints: dbk_pool,
    /// Of `f64`.
    pub floats: dbk_pool,
    /// Of `u32`: value ids or block indices.
    pub refs: dbk_pool,
    /// Of [`dbk_slice`]: ranges of text.
    pub slices: dbk_pool,
    /// Of bytes.
    pub text: dbk_pool,
}
