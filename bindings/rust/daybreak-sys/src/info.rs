//! Tensors, and the structs the plugin fills with information.

use crate::{dbk_buffer, dbk_hdr, dbk_status, DBK_MAX_RANK};
use core::ffi::{c_char, c_void};

/// Data in host or device memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_tensor {
    /// Head.
    pub hdr: dbk_hdr,
    /// Element type.
    pub dtype: u32,
    /// Number of dims.
    pub rank: u32,
    /// Extents.
    pub dims: *const i64,
    /// Bytes between neighbours per dim, or NULL: dense, row-major.
    pub byte_strides: *const i64,
    /// Host memory, element 0.
    pub data: *mut c_void,
    /// Device memory.
    pub buffer: *mut dbk_buffer,
    /// Bytes into the buffer.
    pub byte_off: u64,
    /// Bytes from `data`, or from `byte_off` in the buffer.
    pub byte_len: u64,
    /// Of `data`; `DBK_UNTIL_DESTROY` with a buffer.
    pub ownership: u32,
    /// Zero.
    pub reserved: u32,
}

/// What a device is and can do.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_device_info {
    /// Head.
    pub hdr: dbk_hdr,
    /// `DBK_DEVICE_*`.
    pub kind: u32,
    /// `DBK_API_*`.
    pub api: u32,
    /// PCI vendor or zero.
    pub vendor_id: u32,
    /// PCI device or zero.
    pub device_id: u32,
    /// Of the physical device, or zero.
    pub uuid: [u8; 16],
    /// Bytes; 0 = unknown.
    pub mem_total: u64,
    /// Bytes; 0 = unknown.
    pub mem_free: u64,
    /// Bytes of one buffer.
    pub max_buffer: u64,
    /// Bytes of one tensor that a kernel can see.
    pub max_binding: u64,
    /// `DBK_FEATURE_*`.
    pub features: u64,
    /// Higher is the better default; 0 = unusable. Of the moment.
    pub score: u32,
    /// Alignment for borrowing; 0 = always copies.
    pub host_ptr_align: u32,
    /// Smallest subgroup.
    pub subgroup_min: u32,
    /// Largest subgroup.
    pub subgroup_max: u32,
    /// Name, NUL-terminated.
    pub name: [c_char; 128],
    /// Driver, NUL-terminated.
    pub driver: [c_char; 128],
    /// Why the score is 0, NUL-terminated.
    pub unusable: [c_char; 256],
}

/// What an executable is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_exec_info {
    /// Head.
    pub hdr: dbk_hdr,
    /// Index of the device that compile chose.
    pub device: u32,
    /// `DBK_COMPILE_*`.
    pub mode: u32,
    /// `DBK_EXEC_*`.
    pub flags: u32,
    /// Zero.
    pub reserved: u32,
}

/// An input, output, parameter or symbol of an executable.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_io_info {
    /// Head.
    pub hdr: dbk_hdr,
    /// Element type, `DBK_DTYPE_NONE` where only bind decides it.
    pub dtype: u32,
    /// Number of dims, `DBK_NONE` where unknown.
    pub rank: u32,
    /// Extents, symbols, unknown; of a symbol: min, max (-1: no bound), multiple_of.
    pub dims: [i64; DBK_MAX_RANK as usize],
    /// Id in the value table, or index of the symbol.
    pub value: u32,
    /// `DBK_IO_*`.
    pub flags: u32,
    /// `DBK_KIND_*`.
    pub kind: u32,
    /// Zero.
    pub reserved: u32,
    /// Name, NUL-terminated, borrowed until `exec_destroy`.
    pub name: *const c_char,
    /// Bytes of the name.
    pub name_len: u64,
}

/// One cause of an error.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_error_info {
    /// Head.
    pub hdr: dbk_hdr,
    /// Status code of this cause.
    pub code: dbk_status,
    /// Index in the node table, or `DBK_NONE`.
    pub node: u32,
    /// Index in the value table, or `DBK_NONE`.
    pub value: u32,
    /// Causes in this error.
    pub count: u32,
    /// Text, NUL-terminated, borrowed until `error_destroy`.
    pub msg: *const c_char,
    /// Bytes of the text.
    pub len: u64,
}

/// Counters since the object was made.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_stats {
    /// Head.
    pub hdr: dbk_hdr,
    /// Live bytes of weights.
    pub weight_bytes: u64,
    /// Live bytes of activations.
    pub activation_bytes: u64,
    /// Live bytes of staging memory.
    pub staging_bytes: u64,
    /// Pipelines built.
    pub pipelines_built: u64,
    /// Pipelines found in the cache.
    pub pipeline_cache_hits: u64,
    /// Buffers created.
    pub buffers_created: u64,
    /// All GPU API objects, buffers included; 0 where not counted.
    pub device_objects: u64,
    /// Runs.
    pub runs: u64,
    /// Dispatches.
    pub dispatches: u64,
    /// Submitted command buffers or host parts.
    pub segments: u64,
    /// Parts that ran on the host for a device.
    pub host_islands: u64,
    /// Bytes moved for them.
    pub island_bytes: u64,
    /// Uploads.
    pub uploads: u64,
    /// Bytes of them.
    pub upload_bytes: u64,
    /// Uploads saved because the data was unchanged.
    pub uploads_skipped: u64,
    /// Bytes read back.
    pub readback_bytes: u64,
    /// Memory plans made after compile.
    pub replans: u64,
    /// Allocations by the plugin's own code, process-wide, where the build counts them.
    pub host_allocations: u64,
    /// Live handles of this object's children.
    pub objects: u64,
}

/// Static information about the plugin; `hdr.size` tells which fields it has.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_info {
    /// Head.
    pub hdr: dbk_hdr,
    /// "daybreak".
    pub id: *const c_char,
    /// Semantic version.
    pub version: *const c_char,
    /// Commit, compiler, versions of parts.
    pub build: *const c_char,
    /// Oldest ABI spoken.
    pub abi_min: u32,
    /// Newest ABI spoken.
    pub abi_max: u32,
    /// `DBK_SANITIZER_*`.
    pub sanitizer: u32,
    /// Zero.
    pub reserved: u32,
}
