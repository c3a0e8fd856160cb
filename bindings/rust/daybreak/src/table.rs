//! The one way by which calls reach the plugin, and text comes back.

use crate::{callback, Error, Result, Status};
use daybreak_sys as sys;
use std::ffi::c_char;
use std::ptr::{null, null_mut, NonNull};

/// The function table and the library it lives in.
pub(crate) struct Table {
    api: NonNull<sys::dbk_api>,
    _library: libloading::Library,
}

// SAFETY: the table is constant memory; what threads may do with objects is decided by the types that own them.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

impl Table {
    /// # Safety
    /// `api` was verified and is valid while `library` is loaded.
    pub(crate) unsafe fn new(api: NonNull<sys::dbk_api>, library: libloading::Library) -> Self {
        Self { api, _library: library }
    }

    pub(crate) fn api(&self) -> &sys::dbk_api {
        // SAFETY: verified by negotiate, mapped while self lives.
        unsafe { self.api.as_ref() }
    }

    /// Calls a fallible function with room for its error.
    pub(crate) fn call(&self, f: impl FnOnce(&sys::dbk_api, *mut *mut sys::dbk_error) -> sys::dbk_status) -> Result<()> {
        callback::refuse_inside()?;
        let mut error = null_mut();
        match f(self.api(), &mut error) {
            sys::DBK_OK => Ok(()),
            // SAFETY: the error is ours now.
            status => Err(unsafe { Error::take(self.api(), status, error) }),
        }
    }

    /// Calls a function that makes an object.
    pub(crate) fn create<T>(
        &self,
        f: impl FnOnce(&sys::dbk_api, *mut *mut T, *mut *mut sys::dbk_error) -> sys::dbk_status,
    ) -> Result<NonNull<T>> {
        let mut object = null_mut();
        self.call(|api, error| f(api, &mut object, error))?;
        NonNull::new(object).ok_or_else(|| Error::new(Status::Internal, "the plugin made no object"))
    }

    /// Calls a function that makes a text, and copies it.
    pub(crate) fn text(
        &self,
        f: impl FnOnce(&sys::dbk_api, *mut *mut sys::dbk_text, *mut *mut sys::dbk_error) -> sys::dbk_status,
    ) -> Result<String> {
        let object = self.create(f)?.as_ptr();
        let (mut ptr, mut len) = (null(), 0);
        // SAFETY: a live text; its content is copied before it is destroyed.
        unsafe {
            let status = (self.api().text_get)(object, &mut ptr, &mut len);
            let copy = text(ptr, len);
            (self.api().text_destroy)(object);
            match status {
                sys::DBK_OK => Ok(copy),
                _ => Err(Error::new(Status::from_raw(status), "the plugin's text cannot be read")),
            }
        }
    }
}

/// Copies `len` bytes of text; NULL is empty.
///
/// # Safety
/// `ptr` is NULL or valid for `len` bytes.
pub(crate) unsafe fn text(ptr: *const c_char, len: u64) -> String {
    if ptr.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(ptr.cast(), len as usize) }).into_owned()
}

/// Text of a fixed array, up to its NUL.
pub(crate) fn text_of_array(array: &[c_char]) -> String {
    let bytes: Vec<u8> = array.iter().map(|&c| c as u8).take_while(|&c| c != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
