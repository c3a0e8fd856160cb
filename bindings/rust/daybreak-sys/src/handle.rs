//! Opaque objects, and the small structs that everything else is made of.

use core::ffi::c_char;
use core::marker::{PhantomData, PhantomPinned};

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[repr(C)]
        pub struct $name {
            _bytes: [u8; 0],
            // Neither Send, Sync nor Unpin by itself: what threads may do is decided where the handle is wrapped.
            _marker: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )*};
}

opaque! {
    /// Why a call failed: one or more causes.
    dbk_error;
    /// UTF-8 text owned by the plugin.
    dbk_text;
    /// A host's session: devices, caches, threads.
    dbk_ctx;
    /// A compiled graph with its weights.
    dbk_exec;
    /// Bindings and memory of one activation of an executable.
    dbk_run;
    /// Completion of a run, read or copy.
    dbk_event;
    /// Memory of a device.
    dbk_buffer;
}

/// Head of an optional extension struct.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_chain {
    /// The next link, or NULL.
    pub next: *const dbk_chain,
    /// What the link is; [`crate::DBK_CHAIN_REQUIRED`] may be set.
    pub r#type: u32,
    /// Bytes of the whole link, this head included.
    pub size: u32,
}

/// First member of every struct that may grow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_hdr {
    /// The caller's size of the whole struct.
    pub size: u32,
    /// Zero.
    pub flags: u32,
    /// Extension structs, or NULL.
    pub next: *const dbk_chain,
}

impl dbk_hdr {
    /// The head of a `T` without extensions.
    pub const fn of<T>() -> Self {
        Self { size: size_of::<T>() as u32, flags: 0, next: core::ptr::null() }
    }
}

/// UTF-8 text with a length; needs no NUL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_str {
    /// First byte.
    pub ptr: *const c_char,
    /// Bytes.
    pub len: u64,
}

impl dbk_str {
    /// Borrows `text`; the lifetime is the caller's business, as in C.
    pub const fn borrow(text: &str) -> Self {
        Self { ptr: text.as_ptr().cast(), len: text.len() as u64 }
    }
}

/// Value of an option; `dbk_kv.type` says which member counts.
#[repr(C)]
#[derive(Clone, Copy)]
pub union dbk_kv_value {
    /// INT, and BOOL as 0 or 1.
    pub i: i64,
    /// FLOAT.
    pub f: f64,
    /// STRING.
    pub s: dbk_str,
}

/// One option.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dbk_kv {
    /// Name of the option.
    pub key: dbk_str,
    /// `DBK_OPTION_INT` ... `DBK_OPTION_BOOL`.
    pub r#type: u32,
    /// [`crate::DBK_OPTION_OPTIONAL`] or 0.
    pub flags: u32,
    /// The value.
    pub v: dbk_kv_value,
}

/// A list of options.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dbk_options {
    /// Head.
    pub hdr: dbk_hdr,
    /// The options.
    pub items: *const dbk_kv,
    /// How many.
    pub count: u32,
    /// The caller's size of one item.
    pub stride: u32,
}
