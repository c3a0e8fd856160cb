//! Device memory mapped into the host's address space.

use crate::{Buffer, Result};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

macro_rules! mapped {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name<'a> {
            buffer: &'a mut Buffer,
            ptr: NonNull<u8>,
            len: usize,
        }

        // SAFETY: it acts as a slice of bytes, and the buffer is ours alone meanwhile.
        unsafe impl Send for $name<'_> {}
        // SAFETY: as above.
        unsafe impl Sync for $name<'_> {}

        impl<'a> $name<'a> {
            /// # Safety
            /// `ptr` is valid for `len` bytes until the buffer is unmapped.
            pub(crate) unsafe fn new(buffer: &'a mut Buffer, ptr: NonNull<u8>, len: usize) -> Self {
                Self { buffer, ptr, len }
            }
        }

        impl Deref for $name<'_> {
            type Target = [u8];
            fn deref(&self) -> &[u8] {
                // SAFETY: mapped; a run that has the buffer bound is refused meanwhile.
                unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
            }
        }

        impl Drop for $name<'_> {
            fn drop(&mut self) {
                // A buffer that stays mapped says so at its next use.
                let _ = self.buffer.unmap();
            }
        }
    };
}

mapped! {
    /// Bytes of a buffer, to be read.
    MappedRead
}

mapped! {
    /// Bytes of a buffer, to be read and written.
    MappedWrite
}

impl DerefMut for MappedWrite<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: mapped for writing.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }
}

impl MappedWrite<'_> {
    /// Ends the mapping and tells whether the bytes arrived.
    pub fn finish(self) -> Result<()> {
        // The drop must not unmap a second time.
        std::mem::ManuallyDrop::new(self).buffer.unmap()
    }
}
