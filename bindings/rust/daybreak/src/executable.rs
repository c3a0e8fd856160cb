//! A compiled graph with its parameters.

use crate::callback::Outside;
use crate::context::ContextHandle;
use crate::progress::watched;
use crate::report::Subject;
use crate::shared::Keep;
use crate::tensor::host;
use crate::{DType, IoInfo, ProgressFn, Result, Role, Run, Shared, Stats, TensorRef};
use daybreak_sys as sys;
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};

/// The plugin's object and the host memory it may look at until it is destroyed.
pub(crate) struct ExecutableHandle {
    raw: NonNull<sys::dbk_exec>,
    pub(crate) context: Arc<Outside<ContextHandle>>,
    pub(crate) output_dtypes: Vec<DType>,
    /// Per input: do its values decide shapes?
    pub(crate) shape_inputs: Vec<bool>,
    memory: Mutex<Memory>,
    /// Parameters taken from another executable stay with it.
    _share: Option<Arc<Outside<ExecutableHandle>>>,
}

// SAFETY: functions tagged [exclusive exec] are called through `&mut Executable` only, of which there is one.
unsafe impl Send for ExecutableHandle {}
// SAFETY: as above; all other functions are [any].
unsafe impl Sync for ExecutableHandle {}

impl ExecutableHandle {
    pub(crate) fn raw(&self) -> *mut sys::dbk_exec {
        self.raw.as_ptr()
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ExecutableHandle {
    fn drop(&mut self) {
        // SAFETY: ours; its runs are gone, since each holds this handle.
        unsafe { (self.context.table.api().exec_destroy)(self.raw()) };
    }
}

/// Host memory in use. A replaced parameter's memory is free only when the executable is ready again.
#[derive(Clone, Default)]
struct Memory {
    graph: Vec<Keep>,
    params: BTreeMap<u32, Keep>,
    replaced: Vec<Keep>,
}

impl Memory {
    fn set(&mut self, index: u32, keep: Option<Keep>) {
        let old = match keep {
            Some(keep) => self.params.insert(index, keep),
            None => self.params.remove(&index),
        };
        self.replaced.extend(old);
    }
}

/// A compiled graph. Parameters are set and made ready by one thread (`&mut`); afterwards any number of threads share
/// it, each with runs of its own.
///
/// A shared one cannot be changed:
///
/// ```compile_fail,E0596
/// fn replace(executable: &daybreak::Executable, w: &daybreak::TensorRef<'_>) {
///     executable.set_param(0, w).unwrap();
/// }
/// ```
pub struct Executable {
    pub(crate) handle: Arc<Outside<ExecutableHandle>>,
}

impl Executable {
    pub(crate) fn new(
        raw: NonNull<sys::dbk_exec>,
        context: Arc<Outside<ContextHandle>>,
        graph: Vec<Keep>,
        share: Option<&Self>,
    ) -> Result<Self> {
        let mut memory = share.map_or_else(Memory::default, |s| s.handle.memory().clone());
        // What the other executable uses now may be used by this one for ever, whatever is replaced there.
        let inherited = std::mem::take(&mut memory.params).into_values().chain(std::mem::take(&mut memory.replaced));
        memory.graph.extend(inherited);
        memory.graph.extend(graph);
        let handle = ExecutableHandle {
            raw,
            context,
            output_dtypes: Vec::new(),
            shape_inputs: Vec::new(),
            memory: Mutex::new(memory),
            _share: share.map(|s| s.handle.clone()),
        };
        let mut handle = Outside::new(handle);
        handle.output_dtypes = infos(&handle, Role::Output)?.iter().map(|output| output.dtype).collect();
        handle.shape_inputs = infos(&handle, Role::Input)?.iter().map(|input| input.shape_input).collect();
        Ok(Self { handle: Arc::new(handle) })
    }

    /// Length of a list.
    pub fn count(&self, role: Role) -> Result<u32> {
        count(&self.handle, role)
    }

    /// A member of a list.
    pub fn info(&self, role: Role, index: u32) -> Result<IoInfo> {
        info(&self.handle, role, index)
    }

    /// Index by name; [`crate::Status::NotFound`] names the nearest.
    pub fn find(&self, role: Role, name: &str) -> Result<u32> {
        let (name, mut index) = (sys::dbk_str::borrow(name), 0);
        self.call(|api, exec, error| unsafe { (api.exec_find)(exec, role.raw(), &name, &mut index, error) })?;
        Ok(index)
    }

    /// Gives or replaces a parameter, copying it. Afterwards [`Self::ready`] must be called (again).
    pub fn set_param(&mut self, index: u32, tensor: &TensorRef<'_>) -> Result<()> {
        self.set_raw(index, &tensor.raw(sys::DBK_COPY), None)
    }

    /// Gives or replaces a parameter without copying it, where the device has [`crate::Features::BORROW`].
    pub fn set_param_shared(&mut self, index: u32, dims: &[i64], data: &Shared) -> Result<()> {
        data.dtype().check_alignment(data.as_ptr())?;
        let (ptr, len) = (data.as_ptr().cast_mut(), data.bytes().len());
        self.set_raw(index, &host(data.dtype(), dims, ptr, len, sys::DBK_UNTIL_DESTROY), Some(data.keep()))
    }

    fn set_raw(&mut self, index: u32, tensor: &sys::dbk_tensor, keep: Option<Keep>) -> Result<()> {
        self.call(|api, exec, error| unsafe { (api.set_param)(exec, index, tensor, error) })?;
        self.handle.memory().set(index, keep);
        Ok(())
    }

    /// Transforms and uploads parameters, builds and warms every kernel. Fails with
    /// [`crate::Status::FailedPrecondition`], naming every parameter without data.
    pub fn ready(&mut self) -> Result<()> {
        self.make_ready(None)
    }

    /// The same, watched.
    pub fn ready_with(&mut self, progress: ProgressFn<'_>) -> Result<()> {
        self.make_ready(Some(progress))
    }

    fn make_ready(&mut self, progress: Option<ProgressFn<'_>>) -> Result<()> {
        watched(progress, |watch| self.call(|api, exec, error| unsafe { (api.exec_ready)(exec, watch, error) }))?;
        let free = std::mem::take(&mut self.handle.memory().replaced);
        drop(free);
        Ok(())
    }

    /// Makes a run, for one thread at a time. The executable must be ready.
    pub fn create_run(&self) -> Result<Run> {
        Run::new(&self.handle)
    }

    /// Counters of this executable and its runs.
    pub fn stats(&self) -> Result<Stats> {
        self.subject().stats(&self.handle.context.table)
    }

    /// A JSON text: "plan", "placement", "schedule", "stats"; an unknown kind fails with the list of known ones.
    pub fn report(&self, kind: &str) -> Result<String> {
        self.subject().report(&self.handle.context.table, kind)
    }

    fn subject(&self) -> Subject {
        Subject { exec: self.handle.raw(), ..Subject::none() }
    }

    fn call(&self, f: impl FnOnce(&sys::dbk_api, *mut sys::dbk_exec, *mut *mut sys::dbk_error) -> sys::dbk_status) -> Result<()> {
        self.handle.context.table.call(|api, error| f(api, self.handle.raw(), error))
    }
}

fn count(handle: &ExecutableHandle, role: Role) -> Result<u32> {
    let mut count = 0;
    // SAFETY: a live executable.
    handle.context.table.call(|api, error| unsafe { (api.exec_count)(handle.raw(), role.raw(), &mut count, error) })?;
    Ok(count)
}

fn info(handle: &ExecutableHandle, role: Role, index: u32) -> Result<IoInfo> {
    let mut raw = IoInfo::empty_raw();
    // SAFETY: a live executable and an out-struct with its size.
    handle.context.table.call(|api, error| unsafe { (api.exec_io)(handle.raw(), role.raw(), index, &mut raw, error) })?;
    Ok(IoInfo::from_raw(&raw, role))
}

fn infos(handle: &ExecutableHandle, role: Role) -> Result<Vec<IoInfo>> {
    (0..count(handle, role)?).map(|index| info(handle, role, index)).collect()
}
