//! Agreeing on a version, and a look at the table before it is trusted.

use crate::table::text_of_array;
use crate::{Error, Result, Status};
use daybreak_sys as sys;
use std::ffi::c_char;
use std::ptr::{null, NonNull};

/// Bytes of ABI 1.0's table and information struct. Fixed: they do not follow `size_of` when those grow.
const TABLE_BYTES: usize = 328;
const INFO_BYTES: usize = 56;
const _: () = assert!(size_of::<sys::dbk_api>() >= TABLE_BYTES && size_of::<sys::dbk_info>() >= INFO_BYTES);

/// # Safety
/// `entry` behaves as the header says.
pub(crate) unsafe fn negotiate(entry: sys::dbk_entry_fn) -> Result<NonNull<sys::dbk_api>> {
    let mut why = [0 as c_char; 512];
    let mut api = null();
    // SAFETY: room for the answer and the reason.
    let status = unsafe { entry(sys::DBK_ABI_1_0, sys::DBK_ABI_1_0, &mut api, why.as_mut_ptr(), why.len() as u32) };
    if status != sys::DBK_OK {
        return Err(Error::new(Status::from_raw(status), format!("the plugin refuses ABI 1.0: {}", text_of_array(&why))));
    }
    // SAFETY: a table as the header says, looked at word by word.
    match unsafe { flaw(api) } {
        Some(flaw) => Err(Error::new(Status::Internal, format!("the plugin's function table {flaw}"))),
        None => Ok(NonNull::from(unsafe { &*api })),
    }
}

/// What is wrong with a table. A reference to it may exist only after this, because Rust's function pointers are not NULL.
///
/// # Safety
/// `api` is NULL or points at a table of `size` bytes.
unsafe fn flaw(api: *const sys::dbk_api) -> Option<&'static str> {
    if api.is_null() {
        return Some("is NULL");
    }
    // SAFETY: the first two words are frozen for ever; the others lie within `size`.
    unsafe {
        if (*api).size < TABLE_BYTES as u32 {
            return Some("is shorter than that of ABI 1.0");
        }
        if (*api).abi != sys::DBK_ABI_1_0 {
            return Some("is not of the version asked for");
        }
        let words = api.cast::<usize>();
        if (1..TABLE_BYTES / size_of::<usize>()).any(|i| *words.add(i) == 0) {
            return Some("has an empty slot");
        }
        if (*(*api).info).hdr.size < INFO_BYTES as u32 {
            return Some("has an information struct shorter than that of ABI 1.0");
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static ANSWER: Cell<*const sys::dbk_api> = const { Cell::new(null()) };
    }

    unsafe extern "C" fn refuse(_: u32, _: u32, _: *mut *const sys::dbk_api, why: *mut c_char, cap: u32) -> sys::dbk_status {
        let reason = b"speaks 2.0 only\0";
        assert!(cap as usize >= reason.len());
        unsafe { std::ptr::copy_nonoverlapping(reason.as_ptr().cast(), why, reason.len()) };
        sys::DBK_UNIMPLEMENTED
    }

    unsafe extern "C" fn answer(min: u32, max: u32, api: *mut *const sys::dbk_api, _: *mut c_char, _: u32) -> sys::dbk_status {
        assert_eq!((min, max), (sys::DBK_ABI_1_0, sys::DBK_ABI_1_0));
        unsafe { *api = ANSWER.get() };
        sys::DBK_OK
    }

    const WORDS: usize = TABLE_BYTES / 8;

    /// A table as words, since a bad one must never be a `dbk_api`.
    fn flaw_of(change: impl FnOnce(&mut [usize; WORDS], &mut sys::dbk_info)) -> Option<String> {
        let text = c"".as_ptr();
        let hdr = sys::dbk_hdr::of::<sys::dbk_info>();
        let mut info =
            sys::dbk_info { hdr, id: text, version: text, build: text, abi_min: 0, abi_max: 0, sanitizer: 0, reserved: 0 };
        let mut words = [refuse as *const () as usize; WORDS];
        words[0] = TABLE_BYTES | (sys::DBK_ABI_1_0 as usize) << 32;
        words[1] = &raw const info as usize;
        change(&mut words, &mut info);
        ANSWER.set(words.as_ptr().cast());
        unsafe { negotiate(answer) }.err().map(|e| e.to_string())
    }

    #[test]
    fn refusals_carry_the_reason() {
        let error = unsafe { negotiate(refuse) }.unwrap_err();
        assert_eq!(error.status(), Status::Unimplemented);
        assert!(error.message().contains("speaks 2.0 only"), "{error}");
    }

    #[test]
    fn flawed_tables_are_refused() {
        assert_eq!(flaw_of(|_, _| ()), None);
        let has = |flaw: Option<String>, text: &str| assert!(flaw.as_ref().is_some_and(|f| f.contains(text)), "{flaw:?}");
        has(flaw_of(|words, _| words[0] -= 8), "shorter");
        has(flaw_of(|words, _| words[0] += 1 << 32), "version");
        has(flaw_of(|words, _| words[WORDS - 1] = 0), "empty slot");
        has(flaw_of(|words, _| words[1] = 0), "empty slot");
        has(flaw_of(|_, info| info.hdr.size -= 8), "information");
        ANSWER.set(null());
        has(unsafe { negotiate(answer) }.err().map(|e| e.to_string()), "NULL");
    }
}
