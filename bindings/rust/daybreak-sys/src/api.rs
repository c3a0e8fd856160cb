//! The function table and the entry symbol. What each slot does is written in the header, section 4.

use crate::*;
use core::ffi::{c_char, c_void};

/// All functions of the plugin. Slots within `size` are never NULL; verify that before making a reference to the table.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dbk_api {
    /// Bytes of this table.
    pub size: u32,
    /// The agreed version.
    pub abi: u32,
    /// Static information.
    pub info: *const dbk_info,
    /// \[any\]
    pub get_extension: unsafe extern "C" fn(*const c_char) -> *const c_void,

    /// \[any\]
    pub error_get: unsafe extern "C" fn(*const dbk_error, u32, *mut dbk_error_info) -> dbk_status,
    /// \[any\]
    pub error_destroy: unsafe extern "C" fn(*mut dbk_error),
    /// \[any\]
    pub text_get: unsafe extern "C" fn(*const dbk_text, *mut *const c_char, *mut u64) -> dbk_status,
    /// \[any\]
    pub text_destroy: unsafe extern "C" fn(*mut dbk_text),

    /// \[any\] \[blocks\]
    pub ctx_create:
        unsafe extern "C" fn(*const dbk_host, *const dbk_options, *mut *mut dbk_ctx, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive ctx\] \[blocks\]
    pub ctx_destroy: unsafe extern "C" fn(*mut dbk_ctx),
    /// \[any\]
    pub device_count: unsafe extern "C" fn(*mut dbk_ctx, *mut u32, *mut *mut dbk_error) -> dbk_status,
    /// \[any\]
    pub device_info: unsafe extern "C" fn(*mut dbk_ctx, u32, *mut dbk_device_info, *mut *mut dbk_error) -> dbk_status,
    /// \[any\] \[blocks\]
    pub device_recover: unsafe extern "C" fn(*mut dbk_ctx, u32, *const dbk_watch, *mut *mut dbk_error) -> dbk_status,
    /// \[any\] \[blocks\]
    pub check: unsafe extern "C" fn(*mut dbk_ctx, *const dbk_compile_desc, *mut *mut dbk_text, *mut *mut dbk_error) -> dbk_status,

    /// \[any\] \[blocks\]
    pub compile:
        unsafe extern "C" fn(*mut dbk_ctx, *const dbk_compile_desc, *mut *mut dbk_exec, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive exec\] \[blocks\]
    pub exec_destroy: unsafe extern "C" fn(*mut dbk_exec),
    /// \[any\]
    pub exec_info: unsafe extern "C" fn(*mut dbk_exec, *mut dbk_exec_info, *mut *mut dbk_error) -> dbk_status,
    /// \[any\]
    pub exec_count: unsafe extern "C" fn(*mut dbk_exec, u32, *mut u32, *mut *mut dbk_error) -> dbk_status,
    /// \[any\]
    pub exec_io: unsafe extern "C" fn(*mut dbk_exec, u32, u32, *mut dbk_io_info, *mut *mut dbk_error) -> dbk_status,
    /// \[any\]
    pub exec_find: unsafe extern "C" fn(*mut dbk_exec, u32, *const dbk_str, *mut u32, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive exec\]
    pub set_param: unsafe extern "C" fn(*mut dbk_exec, u32, *const dbk_tensor, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive exec\] \[blocks\]
    pub exec_ready: unsafe extern "C" fn(*mut dbk_exec, *const dbk_watch, *mut *mut dbk_error) -> dbk_status,

    /// \[any\] \[blocks\]
    pub run_create: unsafe extern "C" fn(*mut dbk_exec, *const dbk_options, *mut *mut dbk_run, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive run\] \[blocks\]
    pub run_destroy: unsafe extern "C" fn(*mut dbk_run),
    /// \[exclusive run\] \[blocks\]
    pub run_set_dim: unsafe extern "C" fn(*mut dbk_run, u32, i64, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive run\] \[blocks\]
    pub run_bind: unsafe extern "C" fn(*mut dbk_run, u32, u32, *const dbk_tensor, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive run\]
    pub run_shape:
        unsafe extern "C" fn(*mut dbk_run, u32, u32, *mut i64, u32, *mut u32, *mut u32, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive run\] \[blocks\] without an event
    pub run: unsafe extern "C" fn(*mut dbk_run, *const dbk_submit, *mut *mut dbk_event, *mut *mut dbk_error) -> dbk_status,
    /// \[any\]
    pub run_cancel: unsafe extern "C" fn(*mut dbk_run, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive run\] \[blocks\] without an event
    pub read:
        unsafe extern "C" fn(*mut dbk_run, *const dbk_copy, u32, u32, *mut *mut dbk_event, *mut *mut dbk_error) -> dbk_status,

    /// \[any\] \[blocks\]
    pub event_wait: unsafe extern "C" fn(*mut dbk_event, u64, *mut *mut dbk_error) -> dbk_status,
    /// \[any\]
    pub event_cancel: unsafe extern "C" fn(*mut dbk_event, *mut *mut dbk_error) -> dbk_status,
    /// \[any\]
    pub event_destroy: unsafe extern "C" fn(*mut dbk_event),

    /// \[any\] \[blocks\]
    pub buffer_create:
        unsafe extern "C" fn(*mut dbk_ctx, *const dbk_buffer_desc, *mut *mut dbk_buffer, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive buffer\] \[blocks\]
    pub buffer_write:
        unsafe extern "C" fn(*mut dbk_buffer, u64, *const c_void, u64, *mut *mut dbk_event, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive buffer\] \[blocks\]
    pub buffer_read:
        unsafe extern "C" fn(*mut dbk_buffer, u64, *mut c_void, u64, *mut *mut dbk_event, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive both\] \[blocks\]
    pub buffer_copy: unsafe extern "C" fn(
        *mut dbk_buffer,
        u64,
        *mut dbk_buffer,
        u64,
        u64,
        *mut *mut dbk_event,
        *mut *mut dbk_error,
    ) -> dbk_status,
    /// \[exclusive buffer\] \[blocks\]
    pub buffer_map: unsafe extern "C" fn(*mut dbk_buffer, u32, u64, u64, *mut *mut c_void, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive buffer\] \[blocks\]
    pub buffer_unmap: unsafe extern "C" fn(*mut dbk_buffer, *mut *mut dbk_error) -> dbk_status,
    /// \[exclusive buffer\] \[blocks\]
    pub buffer_destroy: unsafe extern "C" fn(*mut dbk_buffer),

    /// \[any\]
    pub stats: unsafe extern "C" fn(*mut dbk_ctx, *mut dbk_exec, *mut dbk_run, *mut dbk_stats, *mut *mut dbk_error) -> dbk_status,
    /// \[any\], exclusive run where one is given, \[blocks\]
    pub report: unsafe extern "C" fn(*const dbk_report_desc, *mut *mut dbk_text, *mut *mut dbk_error) -> dbk_status,
}

/// Name of the only exported symbol, of type [`dbk_entry_fn`].
pub const DBK_ENTRY: &core::ffi::CStr = c"dbk_entry";

/// Agrees on a version: host's oldest and newest, the table, room for a reason, bytes of that room.
pub type dbk_entry_fn = unsafe extern "C" fn(u32, u32, *mut *const dbk_api, *mut c_char, u32) -> dbk_status;
