//! Errors: a status and every cause that the plugin found, copied out so that nothing of the plugin outlives it.

use crate::Status;
use daybreak_sys as sys;
use std::fmt;

/// Result of everything that may fail.
pub type Result<T> = std::result::Result<T, Error>;

/// One reason for a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Status of this cause.
    pub status: Status,
    /// Index of the culprit in the graph's node table.
    pub node: Option<u32>,
    /// Index of the culprit in the graph's value table, see [`crate::Value::id`].
    pub value: Option<u32>,
    /// What is wrong, naming the culprit.
    pub message: String,
}

/// Why a call failed.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    status: Status,
    causes: Vec<Cause>,
}

impl Error {
    /// The status that the call returned.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Message of the first cause.
    pub fn message(&self) -> &str {
        self.causes.first().map_or("", |cause| &cause.message)
    }

    /// Every cause found, the most important one first. Never empty.
    pub fn causes(&self) -> &[Cause] {
        &self.causes
    }

    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self::of_causes(status, vec![Cause { status, node: None, value: None, message: message.into() }])
    }

    pub(crate) fn of_causes(status: Status, causes: Vec<Cause>) -> Self {
        Self { status, causes }
    }

    /// Takes over the plugin's error object, which may be NULL.
    ///
    /// # Safety
    /// `error` is NULL or a live error of `api`, and is not used afterwards.
    pub(crate) unsafe fn take(api: &sys::dbk_api, status: sys::dbk_status, error: *mut sys::dbk_error) -> Self {
        let status = Status::from_raw(status);
        let mut causes = Vec::new();
        if !error.is_null() {
            // SAFETY: alive until the destroy below.
            while let Some((cause, count)) = unsafe { cause(api, error, causes.len() as u32) } {
                causes.push(cause);
                if causes.len() >= count as usize {
                    break;
                }
            }
            // SAFETY: the caller gives it away.
            unsafe { (api.error_destroy)(error) };
        }
        if causes.is_empty() {
            return Self::new(status, "the plugin gave no details");
        }
        Self::of_causes(status, causes)
    }
}

/// Cause `index` and the number of causes.
///
/// # Safety
/// `error` is a live error of `api`.
unsafe fn cause(api: &sys::dbk_api, error: *const sys::dbk_error, index: u32) -> Option<(Cause, u32)> {
    let mut info = sys::dbk_error_info {
        hdr: sys::dbk_hdr::of::<sys::dbk_error_info>(),
        code: 0,
        node: sys::DBK_NONE,
        value: sys::DBK_NONE,
        count: 0,
        msg: std::ptr::null(),
        len: 0,
    };
    // SAFETY: the out-struct carries its size.
    if unsafe { (api.error_get)(error, index, &mut info) } != sys::DBK_OK {
        return None;
    }
    // SAFETY: borrowed until the error is destroyed.
    let message = unsafe { crate::table::text(info.msg, info.len) };
    let present = |id: u32| (id != sys::DBK_NONE).then_some(id);
    let cause = Cause { status: Status::from_raw(info.code), node: present(info.node), value: present(info.value), message };
    Some((cause, info.count))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status)?;
        for (i, cause) in self.causes.iter().enumerate() {
            write!(f, "{} {}", if i == 0 { ":" } else { ";" }, cause.message)?;
        }
        Ok(())
    }
}

// `unwrap` and `main` print Debug: the readable form serves there better than the struct.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Error {}
