//! The plugin's buffer.

use crate::callback::Outside;
use crate::context::ContextHandle;
use crate::exclusion::Exclusion;
use daybreak_sys as sys;
use std::ptr::NonNull;
use std::sync::Arc;

/// The plugin's object. Runs hold the handles of the buffers bound to them, and may use those on one thread while another
/// has the `Buffer` itself.
pub(crate) struct BufferHandle {
    raw: NonNull<sys::dbk_buffer>,
    pub(crate) context: Arc<Outside<ContextHandle>>,
    /// Functions tagged [exclusive buffer] are alone; run_bind and run, which must not meet them, are together.
    pub(crate) exclusion: Exclusion,
}

// SAFETY: [exclusive buffer] functions are kept apart as said above; destroy happens when nobody has the handle any more.
unsafe impl Send for BufferHandle {}
// SAFETY: as above.
unsafe impl Sync for BufferHandle {}

impl BufferHandle {
    pub(crate) fn new(raw: NonNull<sys::dbk_buffer>, context: Arc<Outside<ContextHandle>>) -> Self {
        Self { raw, context, exclusion: Exclusion::default() }
    }

    pub(crate) fn raw(&self) -> *mut sys::dbk_buffer {
        self.raw.as_ptr()
    }
}

impl Drop for BufferHandle {
    fn drop(&mut self) {
        // SAFETY: ours, and no run has it bound any more.
        unsafe { (self.context.table.api().buffer_destroy)(self.raw()) };
    }
}
