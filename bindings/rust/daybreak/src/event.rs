//! Completion of work that was started without waiting.

use crate::callback::Outside;
use crate::context::ContextHandle;
use crate::Result;
use daybreak_sys as sys;
use std::ptr::{null_mut, NonNull};
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
        self.wait_nanoseconds(sys::DBK_WAIT_FOREVER).map(|_| ())
    }

    /// Waits for at most that long. `Ok(true)`: done; `Ok(false)`: not yet; an error is that of the work.
    pub fn wait_timeout(&self, timeout: Duration) -> Result<bool> {
        let nanoseconds = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX).min(sys::DBK_WAIT_FOREVER - 1);
        self.wait_nanoseconds(nanoseconds)
    }

    /// Is the work done? Does not wait.
    pub fn is_done(&self) -> Result<bool> {
        self.wait_timeout(Duration::ZERO)
    }

    /// Asks the work to stop at the next possibility, if it is a run; its outcome is then [`crate::Status::Cancelled`], or as if
    /// nothing had been asked where it was too late. Later starts of the run go on.
    pub fn cancel(&self) -> Result<()> {
        // SAFETY: a live event.
        self.handle.context.table.call(|api, error| unsafe { (api.event_cancel)(self.raw(), error) })
    }

    fn wait_nanoseconds(&self, nanoseconds: u64) -> Result<bool> {
        let mut done = true;
        // SAFETY: a live event. "Not yet" makes no error, as polls are many; a failure is asked for again with its reason.
        self.handle.context.table.call(|api, error| unsafe {
            match (api.event_wait)(self.raw(), nanoseconds, null_mut()) {
                sys::DBK_DEADLINE_EXCEEDED => {
                    done = false;
                    sys::DBK_OK
                }
                sys::DBK_OK => sys::DBK_OK,
                _ => (api.event_wait)(self.raw(), 0, error),
            }
        })?;
        Ok(done)
    }
}
