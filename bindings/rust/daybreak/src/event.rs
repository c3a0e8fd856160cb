//! Completion of work that was started without waiting.

use crate::callback::Outside;
use crate::context::ContextHandle;
use crate::{Result, Status};
use daybreak_sys as sys;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct EventHandle {
    raw: NonNull<sys::dbk_event>,
    pub(crate) context: Arc<Outside<ContextHandle>>,
}

// SAFETY: every function of an event is [any].
unsafe impl Send for EventHandle {}
// SAFETY: as above.
unsafe impl Sync for EventHandle {}

impl Drop for EventHandle {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe { (self.context.table.api().event_destroy)(self.raw.as_ptr()) };
    }
}

/// Completion of a run or copy. May be asked from any thread any number of times. Dropping it neither waits nor cancels.
pub struct Event {
    pub(crate) handle: Outside<EventHandle>,
}

impl Event {
    pub(crate) fn new(raw: NonNull<sys::dbk_event>, context: Arc<Outside<ContextHandle>>) -> Self {
        Self { handle: Outside::new(EventHandle { raw, context }) }
    }

    pub(crate) fn raw(&self) -> *mut sys::dbk_event {
        self.handle.raw.as_ptr()
    }

    /// Waits until the work is done and returns its outcome.
    pub fn wait(&self) -> Result<()> {
        self.wait_raw(sys::DBK_WAIT_FOREVER)
    }

    /// Waits for at most that long. `Ok(true)`: done; `Ok(false)`: not yet; an error is that of the work.
    pub fn wait_timeout(&self, timeout: Duration) -> Result<bool> {
        let nanoseconds = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX).min(sys::DBK_WAIT_FOREVER - 1);
        done(self.wait_raw(nanoseconds))
    }

    /// Is the work done? Does not wait.
    pub fn is_done(&self) -> Result<bool> {
        self.wait_timeout(Duration::ZERO)
    }

    fn wait_raw(&self, nanoseconds: u64) -> Result<()> {
        // SAFETY: a live event.
        self.handle.context.table.call(|api, error| unsafe { (api.event_wait)(self.raw(), nanoseconds, error) })
    }
}

fn done(outcome: Result<()>) -> Result<bool> {
    match outcome {
        Ok(()) => Ok(true),
        Err(error) if error.status() == Status::DeadlineExceeded => Ok(false),
        Err(error) => Err(error),
    }
}
