//! What the host tells the plugin: itself, and what it wants from a call.

use crate::{dbk_ctx, dbk_event, dbk_exec, dbk_graph, dbk_hdr, dbk_options, dbk_run, dbk_str};
use core::ffi::{c_char, c_void};

/// Log hook: user, level, text, bytes of the text.
pub type dbk_log_fn = unsafe extern "C" fn(*mut c_void, u32, *const c_char, u64);
/// Host services by name.
pub type dbk_host_extension_fn = unsafe extern "C" fn(*mut c_void, *const c_char) -> *const c_void;
/// Progress hook: user, stage, done, total; nonzero cancels.
pub type dbk_progress_fn = unsafe extern "C" fn(*mut c_void, u32, u64, u64) -> i32;

/// The host's side of a context.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_host {
    /// Head.
    pub hdr: dbk_hdr,
    /// The agreed version.
    pub abi: u32,
    /// The most talkative `DBK_LOG_*` wanted, 0 = warnings.
    pub log_level: u32,
    /// NUL-terminated, may be NULL.
    pub name: *const c_char,
    /// NUL-terminated, may be NULL.
    pub version: *const c_char,
    /// First argument of the hooks.
    pub user: *mut c_void,
    /// May be absent.
    pub log: Option<dbk_log_fn>,
    /// May be absent.
    pub get_extension: Option<dbk_host_extension_fn>,
}

/// Progress of a long call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_watch {
    /// Head.
    pub hdr: dbk_hdr,
    /// First argument of the hook.
    pub user: *mut c_void,
    /// May be absent.
    pub progress: Option<dbk_progress_fn>,
}

/// What to compile or check, and how.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_compile_desc {
    /// Head.
    pub hdr: dbk_hdr,
    /// The graph.
    pub graph: *const dbk_graph,
    /// May be NULL.
    pub options: *const dbk_options,
    /// May be NULL.
    pub watch: *const dbk_watch,
    /// May be NULL: executable of the same context to take the data of parameters from, by name.
    pub share: *mut dbk_exec,
    /// Index, or `DBK_DEVICE_DEFAULT`.
    pub device: u32,
    /// `DBK_COMPILE_*`.
    pub mode: u32,
}

/// How to start a run.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_submit {
    /// Head.
    pub hdr: dbk_hdr,
    /// Events that must be done first.
    pub wait: *const *mut dbk_event,
    /// How many.
    pub wait_count: u32,
    /// `DBK_RUN_*`.
    pub mode: u32,
}

/// Bytes of an output, to host memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_copy {
    /// Index of the output.
    pub output: u32,
    /// Zero.
    pub reserved: u32,
    /// First byte.
    pub byte_off: u64,
    /// Bytes.
    pub byte_len: u64,
    /// Where to.
    pub dst: *mut c_void,
}

/// Memory to create on a device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_buffer_desc {
    /// Head.
    pub hdr: dbk_hdr,
    /// Index, or `DBK_DEVICE_DEFAULT`.
    pub device: u32,
    /// `DBK_BUFFER_*`, 0 = all.
    pub usage: u32,
    /// Bytes.
    pub byte_len: u64,
    /// Host memory to use or copy, or NULL.
    pub host_ptr: *mut c_void,
    /// Of `host_ptr`.
    pub ownership: u32,
    /// Zero.
    pub reserved: u32,
}

/// Which report is wanted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_report_desc {
    /// Head.
    pub hdr: dbk_hdr,
    /// Or NULL.
    pub ctx: *mut dbk_ctx,
    /// Or NULL.
    pub exec: *mut dbk_exec,
    /// Or NULL.
    pub run: *mut dbk_run,
    /// Name of the report.
    pub kind: dbk_str,
    /// May be NULL.
    pub options: *const dbk_options,
    /// May be NULL.
    pub watch: *const dbk_watch,
}
