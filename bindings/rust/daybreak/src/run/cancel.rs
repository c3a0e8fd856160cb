//! Cancelling a run from elsewhere.

use crate::callback::Outside;
use crate::context::ContextHandle;
use crate::Result;
use daybreak_sys as sys;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The run's pointer, and whether it may still be used. Cancellers outlive runs; a run is destroyed by its owner alone.
pub(super) struct Gate {
    raw: NonNull<sys::dbk_run>,
    open: Mutex<bool>,
    context: Arc<Outside<ContextHandle>>,
}

// SAFETY: run_cancel is [any] and called only while the gate is open; everything else needs `&mut Run`.
unsafe impl Send for Gate {}
// SAFETY: as above.
unsafe impl Sync for Gate {}

impl Gate {
    pub(super) fn new(raw: NonNull<sys::dbk_run>, context: Arc<Outside<ContextHandle>>) -> Self {
        Self { raw, open: Mutex::new(true), context }
    }

    /// For the owner, who knows that the run is alive.
    pub(super) fn raw(&self) -> *mut sys::dbk_run {
        self.raw.as_ptr()
    }

    /// Waits for a cancel under way, which is short, and lets no other begin.
    pub(super) fn close(&self) -> *mut sys::dbk_run {
        *self.lock() = false;
        self.raw()
    }

    pub(super) fn cancel(&self) -> Result<()> {
        let open = self.lock();
        if !*open {
            return Ok(());
        }
        // SAFETY: alive while the gate is locked open.
        self.context.table.call(|api, error| unsafe { (api.run_cancel)(self.raw(), error) })
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Cancels a run, from any thread, also after the run is gone.
#[derive(Clone)]
pub struct Canceller {
    gate: Arc<Gate>,
}

impl Canceller {
    pub(super) fn new(gate: Arc<Gate>) -> Self {
        Self { gate }
    }

    /// Asks what the run has in flight to stop at the next possibility; its outcome is then [`crate::Status::Cancelled`].
    /// Without effect when nothing is in flight, on later starts too; [`crate::Event::cancel`] is for one start alone.
    pub fn cancel(&self) -> Result<()> {
        self.gate.cancel()
    }
}
