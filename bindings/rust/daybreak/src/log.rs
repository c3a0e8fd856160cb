//! The log hook of a context.

use crate::callback;
use daybreak_sys as sys;
use std::ffi::{c_char, c_void};

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LogLevel {
    /// Something failed.
    Error,
    /// Something is not as it should be.
    Warning,
    /// Worth knowing.
    Info,
    /// For those who look inside.
    Debug,
}

impl LogLevel {
    pub(crate) fn raw(self) -> u32 {
        match self {
            Self::Error => sys::DBK_LOG_ERROR,
            Self::Warning => sys::DBK_LOG_WARNING,
            Self::Info => sys::DBK_LOG_INFO,
            Self::Debug => sys::DBK_LOG_DEBUG,
        }
    }

    // More talkative levels of later versions count as the most talkative one known here.
    fn from_raw(raw: u32) -> Self {
        match raw {
            0 | sys::DBK_LOG_ERROR => Self::Error,
            sys::DBK_LOG_WARNING => Self::Warning,
            sys::DBK_LOG_INFO => Self::Info,
            _ => Self::Debug,
        }
    }
}

/// A closure on the heap, at an address that stays: the plugin holds it as its `user` pointer.
pub(crate) struct LogHook(pub(crate) Box<LogFn>);

type LogFn = dyn Fn(LogLevel, &str) + Send + Sync;

/// # Safety
/// `user` is a live [`LogHook`] and `msg` is NULL or valid for `len` bytes.
pub(crate) unsafe extern "C" fn log(user: *mut c_void, level: u32, msg: *const c_char, len: u64) {
    let logged = callback::enter(|| {
        // SAFETY: the caller's promise.
        let (hook, text) = unsafe { (&*user.cast::<LogHook>(), crate::table::text(msg, len)) };
        (hook.0)(LogLevel::from_raw(level), &text);
    });
    // There is nobody to tell: this may be a thread of the plugin. The panic hook has reported it.
    if let Err(payload) = logged {
        callback::discard(payload);
    }
}
