//! Memory of a device.

use crate::buffer_handle::BufferHandle;
use crate::callback::Outside;
use crate::element::{bytes_of, bytes_of_mut};
use crate::exclusion::alone;
use crate::{Context, Device, Element, Error, Event, MappedRead, MappedWrite, Result, Status};
use daybreak_sys as sys;
use std::ops::Range;
use std::ptr::{null_mut, NonNull};
use std::sync::Arc;

/// What a buffer may be bound as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BufferUsage {
    /// Input and output.
    #[default]
    All,
    /// Input only.
    Input,
    /// Output only.
    Output,
}

/// Memory of a device. Lives on while bound to a run. Where a run uses it on another thread, calls wait for each other.
///
/// ```
/// # use daybreak::{BufferUsage, DType, GraphBuilder, Plugin, Type};
/// # fn main() -> daybreak::Result<()> {
/// # let library = std::env::var("DAYBREAK_PLUGIN").unwrap_or("../../../build/dev/libdaybreak.so".into());
/// # let context = Plugin::load(library)?.context().build()?;
/// # let mut graph = GraphBuilder::new(20);
/// # let x = graph.input("x", Type::tensor(DType::F32, [2]));
/// # let y = graph.node("Neg").input(x).output();
/// # graph.output("y", y);
/// # let mut executable = context.compile(&graph.finish()?).build()?;
/// # executable.ready()?;
/// # let mut run = executable.create_run()?;
/// let device = context.device(executable.info()?.device)?;
/// let mut x = context.create_buffer(&device, BufferUsage::Input, 8)?;
/// let mut y = context.create_buffer(&device, BufferUsage::Output, 8)?;
/// run.bind_input_buffer(0, DType::F32, &[2], &mut x, 0)?;
/// run.bind_output_buffer(0, DType::F32, &[2], &mut y, 0)?;
/// for i in 0..3 {
///     x.write(0, &[i as f32, 0.5])?;
///     run.run()?;
///     let mut result = [0f32; 2];
///     y.read(0, &mut result)?;
///     assert_eq!(result, [-i as f32, -0.5]);
/// }
/// # Ok(())
/// # }
/// ```
///
/// Nothing else happens to it while it is mapped:
///
/// ```compile_fail,E0499
/// fn use_mapped(buffer: &mut daybreak::Buffer) {
///     let mapped = buffer.map_read(0..4).unwrap();
///     buffer.write(0, &[0u32]).unwrap();
///     drop(mapped);
/// }
/// ```
pub struct Buffer {
    pub(crate) handle: Arc<Outside<BufferHandle>>,
    byte_len: u64,
}

impl Context {
    /// Makes a buffer of zeros.
    pub fn create_buffer(&self, device: &Device, usage: BufferUsage, byte_len: u64) -> Result<Buffer> {
        Buffer::new(self, device, usage, byte_len, null_mut())
    }

    /// Makes a buffer with that content.
    pub fn create_buffer_with<T: Element>(&self, device: &Device, usage: BufferUsage, data: &[T]) -> Result<Buffer> {
        let bytes = bytes_of(data);
        Buffer::new(self, device, usage, bytes.len() as u64, bytes.as_ptr().cast_mut())
    }
}

impl Buffer {
    /// Tensors in a buffer begin at multiples of this many bytes. Behind an output a run may write up to the next multiple
    /// of 16 bytes.
    pub const ALIGN: u64 = sys::DBK_BUFFER_ALIGN as u64;

    /// `content` is NULL or readable for `byte_len` bytes.
    fn new(context: &Context, device: &Device, usage: BufferUsage, byte_len: u64, content: *mut u8) -> Result<Self> {
        let desc = sys::dbk_buffer_desc {
            hdr: sys::dbk_hdr::of::<sys::dbk_buffer_desc>(),
            device: Device::index_in(Some(device), context)?,
            usage: match usage {
                BufferUsage::All => sys::DBK_BUFFER_INPUT | sys::DBK_BUFFER_OUTPUT,
                BufferUsage::Input => sys::DBK_BUFFER_INPUT,
                BufferUsage::Output => sys::DBK_BUFFER_OUTPUT,
            },
            byte_len,
            host_ptr: content.cast(),
            ownership: sys::DBK_COPY,
            reserved: 0,
        };
        let context = context.handle.clone();
        // SAFETY: a live context; the content is copied.
        let raw = context.table.create(|api, out, error| unsafe { (api.buffer_create)(context.raw(), &desc, out, error) })?;
        Ok(Self { handle: Arc::new(Outside::new(BufferHandle::new(raw, context))), byte_len })
    }

    /// Its size.
    pub fn byte_len(&self) -> u64 {
        self.byte_len
    }

    /// Copies elements in from `byte_off` on, in order with the work of the device, and waits.
    pub fn write<T: Element>(&mut self, byte_off: u64, data: &[T]) -> Result<()> {
        let bytes = bytes_of(data);
        // SAFETY: readable for that many bytes, during the call.
        self.call(|api, buffer, error| unsafe {
            (api.buffer_write)(buffer, byte_off, bytes.as_ptr().cast(), bytes.len() as u64, null_mut(), error)
        })
    }

    /// Copies elements out from `byte_off` on, as many as `into` has room for, in order with the work of the device, and
    /// waits.
    pub fn read<T: Element>(&mut self, byte_off: u64, into: &mut [T]) -> Result<()> {
        let bytes = bytes_of_mut(into);
        let (ptr, len) = (bytes.as_mut_ptr().cast(), bytes.len() as u64);
        // SAFETY: writable for that many bytes, during the call.
        let outcome = self.call(|api, buffer, error| unsafe { (api.buffer_read)(buffer, byte_off, ptr, len, null_mut(), error) });
        T::DTYPE.normalise(bytes);
        outcome
    }

    /// Copies bytes from another buffer of the same context and waits.
    pub fn copy_from(&mut self, byte_off: u64, source: &mut Self, source_range: Range<u64>) -> Result<()> {
        self.copy_raw(byte_off, Some(source), source_range, null_mut())
    }

    /// Copies bytes from another buffer of the same context and does not wait.
    pub fn start_copy_from(&mut self, byte_off: u64, source: &mut Self, source_range: Range<u64>) -> Result<Event> {
        let mut event = null_mut();
        self.copy_raw(byte_off, Some(source), source_range, &mut event)?;
        let none = || Error::new(Status::Internal, "the plugin made no event");
        NonNull::new(event).map(|raw| Event::new(raw, self.handle.context.clone())).ok_or_else(none)
    }

    /// Copies bytes within the buffer, not overlapping, and waits.
    pub fn copy_within(&mut self, byte_off: u64, source_range: Range<u64>) -> Result<()> {
        self.copy_raw(byte_off, None, source_range, null_mut())
    }

    fn copy_raw(
        &mut self,
        off: u64,
        source: Option<&mut Self>,
        range: Range<u64>,
        event: *mut *mut sys::dbk_event,
    ) -> Result<()> {
        let len = range.end.checked_sub(range.start).ok_or_else(|| self.outside(range.start))?;
        let (target, source) = (&self.handle, source.map_or(&self.handle, |source| &source.handle));
        Context::check_same(&target.context, &source.context, "source buffer")?;
        let _both = alone([&target.exclusion, &source.exclusion]);
        let table = &target.context.table;
        // SAFETY: live buffers, both ours alone.
        table.call(|api, error| unsafe { (api.buffer_copy)(target.raw(), off, source.raw(), range.start, len, event, error) })
    }

    /// Maps a range for reading; ends when the result is dropped.
    pub fn map_read(&mut self, range: Range<u64>) -> Result<MappedRead<'_>> {
        let (ptr, len) = self.map(sys::DBK_MAP_READ, range)?;
        // SAFETY: mapped until the result is dropped.
        Ok(unsafe { MappedRead::new(self, ptr, len) })
    }

    /// Maps a range for reading and writing; what is written arrives when the result is dropped or, to see errors,
    /// [`MappedWrite::finish`]ed.
    pub fn map_write(&mut self, range: Range<u64>) -> Result<MappedWrite<'_>> {
        let (ptr, len) = self.map(sys::DBK_MAP_READ | sys::DBK_MAP_WRITE, range)?;
        // SAFETY: mapped until the result is dropped.
        Ok(unsafe { MappedWrite::new(self, ptr, len) })
    }

    fn map(&mut self, mode: u32, range: Range<u64>) -> Result<(NonNull<u8>, usize)> {
        let len = range.end.checked_sub(range.start).filter(|_| range.end <= self.byte_len);
        let len = len.and_then(|len| usize::try_from(len).ok()).ok_or_else(|| self.outside(range.start))?;
        let mut ptr = null_mut();
        self.call(|api, buffer, error| unsafe { (api.buffer_map)(buffer, mode, range.start, len as u64, &mut ptr, error) })?;
        match NonNull::new(ptr.cast()) {
            Some(ptr) => Ok((ptr, len)),
            None => self.unmap().and(Err(Error::new(Status::Internal, "the plugin mapped nothing"))),
        }
    }

    pub(crate) fn unmap(&mut self) -> Result<()> {
        self.call(|api, buffer, error| unsafe { (api.buffer_unmap)(buffer, error) })
    }

    fn outside(&self, byte_off: u64) -> Error {
        Error::new(Status::OutOfRange, format!("a range at {byte_off} leaves the buffer of {} bytes", self.byte_len))
    }

    /// Callers' closures are sound because the buffer is alive and exclusively ours.
    fn call(
        &mut self,
        f: impl FnOnce(&sys::dbk_api, *mut sys::dbk_buffer, *mut *mut sys::dbk_error) -> sys::dbk_status,
    ) -> Result<()> {
        let _this = alone([&self.handle.exclusion]);
        self.handle.context.table.call(|api, error| f(api, self.handle.raw(), error))
    }
}
