//! Reading outputs that stayed with the run.

use crate::callback::Outside;
use crate::element::bytes_of_mut;
use crate::{Element, Error, Event, Result, Role, Run, Status};
use daybreak_sys as sys;
use std::ptr::{null_mut, NonNull};
use std::time::Duration;

impl Run {
    /// The whole output of the last run, if that completed: was done without failure.
    pub fn read<T: Element>(&mut self, output: u32) -> Result<Vec<T>> {
        let mut data = self.room(output)?;
        self.read_range(output, 0, &mut data)?;
        Ok(data)
    }

    /// Elements of an output from `first` on, as many as `into` has room for.
    pub fn read_range<T: Element>(&mut self, output: u32, first: u64, into: &mut [T]) -> Result<()> {
        self.check_dtype::<T>(output)?;
        let byte_off = first.checked_mul(size_of::<T>() as u64).ok_or_else(|| too_large(output))?;
        let bytes = bytes_of_mut(into);
        let outcome = self.copy_out(output, byte_off, bytes.as_mut_ptr(), bytes.len(), null_mut());
        T::DTYPE.normalise(bytes);
        outcome
    }

    /// The whole output as bytes, of any element type that is not text.
    pub fn read_bytes(&mut self, output: u32) -> Result<Vec<u8>> {
        let dtype = self.output_dtype(output)?;
        dtype.check_plain()?;
        let elements = self.elements(output)?;
        let len = dtype.byte_len(elements).and_then(|len| usize::try_from(len).ok()).ok_or_else(|| too_large(output))?;
        let mut bytes = vec![0; len];
        self.copy_out(output, 0, bytes.as_mut_ptr(), len, null_mut())?;
        Ok(bytes)
    }

    /// Starts to read the whole output and does not wait.
    pub fn start_read<T: Element>(&mut self, output: u32) -> Result<Reading<T>> {
        let mut data = self.room::<T>(output)?;
        let mut event = null_mut();
        self.copy_out(output, 0, data.as_mut_ptr().cast(), size_of_val(data.as_slice()), &mut event)?;
        let event = NonNull::new(event).map(|raw| Event::new(raw, self.handle().executable.context.clone()));
        Ok(Reading { target: Outside::new(Target { event, data }) })
    }

    fn copy_out(&mut self, output: u32, byte_off: u64, dst: *mut u8, len: usize, event: *mut *mut sys::dbk_event) -> Result<()> {
        let copy = sys::dbk_copy { output, reserved: 0, byte_off, byte_len: len as u64, dst: dst.cast() };
        let stride = size_of::<sys::dbk_copy>() as u32;
        let _buffers = self.lock_buffers();
        // SAFETY: `dst` has room, and lives until the call or its event is done.
        self.call(|api, run, error| unsafe { (api.read)(run, &copy, 1, stride, event, error) })
    }

    /// Zeros, as many as the output has elements. A read copies bytes, so the type is checked here.
    fn room<T: Element>(&mut self, output: u32) -> Result<Vec<T>> {
        self.check_dtype::<T>(output)?;
        let elements = usize::try_from(self.elements(output)?).map_err(|_| too_large(output))?;
        Ok(vec![T::default(); elements])
    }

    fn elements(&mut self, output: u32) -> Result<u64> {
        let unknown = || Error::new(Status::FailedPrecondition, format!("the shape of output {output} is not known yet"));
        self.shape(Role::Output, output)?.elements().ok_or_else(unknown)
    }

    fn output_dtype(&self, output: u32) -> Result<crate::DType> {
        let dtypes = &self.handle().executable.output_dtypes;
        let outside = || Error::new(Status::OutOfRange, format!("output {output} of {}", dtypes.len()));
        match dtypes.get(output as usize).copied().ok_or_else(outside)? {
            crate::DType::NONE => Err(Error::new(Status::Unimplemented, format!("the type of output {output} is not known"))),
            dtype => Ok(dtype),
        }
    }

    fn check_dtype<T: Element>(&self, output: u32) -> Result<()> {
        let dtype = self.output_dtype(output)?;
        if dtype == T::DTYPE {
            return Ok(());
        }
        Err(Error::new(Status::InvalidArgument, format!("output {output} is {dtype}, not {}", T::DTYPE)))
    }
}

fn too_large(output: u32) -> Error {
    Error::new(Status::OutOfRange, format!("output {output} is larger than memory can be"))
}

/// A read under way. Dropping it waits until the plugin does not write any more.
#[must_use = "dropping it waits and throws the data away"]
pub struct Reading<T: Element> {
    target: Outside<Target<T>>,
}

/// Memory that the plugin writes to until the event is done, and nobody looks at before.
struct Target<T> {
    /// None once the data is here.
    event: Option<Event>,
    data: Vec<T>,
}

impl<T> Drop for Target<T> {
    fn drop(&mut self) {
        if let Some(event) = &self.event {
            // The outcome does not matter, only that the work is over.
            let _ = event.wait();
        }
    }
}

impl<T: Element> Reading<T> {
    /// Waits for at most that long; see [`Event::wait_timeout`].
    pub fn wait_timeout(&self, timeout: Duration) -> Result<bool> {
        self.target.event.as_ref().map_or(Ok(true), |event| event.wait_timeout(timeout))
    }

    /// Waits for the data.
    pub fn wait(mut self) -> Result<Vec<T>> {
        if let Some(event) = &self.target.event {
            event.wait()?;
        }
        self.target.event = None;
        let mut data = std::mem::take(&mut self.target.data);
        T::DTYPE.normalise(bytes_of_mut(&mut data));
        Ok(data)
    }
}
