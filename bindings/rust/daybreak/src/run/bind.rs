//! Binding inputs and outputs of a run for more than one call.

use super::slots::Slot;
use super::Run;
use crate::exclusion::together;
use crate::tensor::host;
use crate::{Buffer, Context, DType, Error, Result, Role, Shared, Status, TensorRef};
use daybreak_sys as sys;
use std::ptr::{null, null_mut};

impl Run {
    /// Binds an input to a copy of the tensor.
    pub fn bind_input(&mut self, index: u32, tensor: &TensorRef<'_>) -> Result<()> {
        self.bind_raw(Role::Input, index, &tensor.raw(sys::DBK_COPY), None)
    }

    /// Binds an input to shared memory, which is read at every run until it is bound again.
    pub fn bind_input_shared(&mut self, index: u32, dims: &[i64], data: &Shared) -> Result<()> {
        let (ptr, len) = (data.as_ptr().cast_mut(), data.bytes().len());
        let tensor = host(data.dtype(), dims, ptr, len, sys::DBK_UNTIL_DESTROY);
        self.bind_raw(Role::Input, index, &tensor, Some(Slot::Shared(data.keep())))
    }

    /// Binds an input to device memory from `byte_off`, a multiple of [`Buffer::ALIGN`]; it is read at every run until it
    /// is bound again.
    pub fn bind_input_buffer(
        &mut self,
        index: u32,
        dtype: DType,
        dims: &[i64],
        buffer: &mut Buffer,
        byte_off: u64,
    ) -> Result<()> {
        let tensor = self.in_buffer(dtype, dims, buffer, byte_off)?;
        self.bind_raw(Role::Input, index, &tensor, Some(Slot::Buffer(buffer.handle.clone())))
    }

    /// Nothing is bound to the input any more: it is missing, or absent if it is optional.
    pub fn unbind_input(&mut self, index: u32) -> Result<()> {
        self.bind_raw(Role::Input, index, null(), None)
    }

    /// Binds an output to device memory from `byte_off`, a multiple of [`Buffer::ALIGN`]; it is written by every run until
    /// it is bound again. Results of the last run are forgotten.
    pub fn bind_output_buffer(
        &mut self,
        index: u32,
        dtype: DType,
        dims: &[i64],
        buffer: &mut Buffer,
        byte_off: u64,
    ) -> Result<()> {
        let tensor = self.in_buffer(dtype, dims, buffer, byte_off)?;
        self.bind_raw(Role::Output, index, &tensor, Some(Slot::Buffer(buffer.handle.clone())))
    }

    /// The output stays with the run again: what the next run makes can be read with [`Self::read`]. The result of the last
    /// run is forgotten.
    pub fn unbind_output(&mut self, index: u32) -> Result<()> {
        self.bind_raw(Role::Output, index, null(), None)
    }

    fn in_buffer(&self, dtype: DType, dims: &[i64], buffer: &Buffer, byte_off: u64) -> Result<sys::dbk_tensor> {
        Context::check_same(&self.handle.executable.context, &buffer.handle.context, "buffer")?;
        dtype.check_plain()?;
        let byte_len = buffer.byte_len().checked_sub(byte_off).ok_or_else(|| {
            Error::new(Status::OutOfRange, format!("offset {byte_off} in a buffer of {} bytes", buffer.byte_len()))
        })?;
        let tensor = host(dtype, dims, null_mut(), 0, sys::DBK_UNTIL_DESTROY);
        Ok(sys::dbk_tensor { buffer: buffer.handle.raw(), byte_off, byte_len, ..tensor })
    }

    /// `tensor` is NULL or good during the call; memory it names longer than that is that of `slot`.
    pub(super) fn bind_raw(&mut self, role: Role, index: u32, tensor: *const sys::dbk_tensor, slot: Option<Slot>) -> Result<()> {
        let outcome = {
            let _buffers = together(self.handle.slots.exclusions().chain(slot.as_ref().and_then(Slot::exclusion)));
            // SAFETY: as said above.
            self.call(|api, run, error| unsafe { (api.run_bind)(run, role.raw(), index, tensor, error) })
        };
        self.handle.slots.record(role, index, slot, &outcome);
        outcome
    }
}
