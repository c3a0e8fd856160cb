//! A compiled graph with its parameters.

use crate::borrowed::Borrowed;
use crate::callback::Outside;
use crate::context::ContextHandle;
use crate::listing::list;
use crate::progress::watched;
use crate::report::Subject;
use crate::shared::Keep;
use crate::tensor::host;
use crate::{DType, Graph, Options, ProgressFn, Result, Role, Run, Shared, Stats, TensorRef};
use daybreak_sys as sys;
use std::ptr::{null, NonNull};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The plugin's object and the host memory it may look at until it is destroyed.
pub(crate) struct ExecutableHandle {
    raw: NonNull<sys::dbk_exec>,
    pub(crate) context: Arc<Outside<ContextHandle>>,
    pub(crate) output_dtypes: Vec<DType>,
    borrowed: Mutex<Borrowed>,
}

// SAFETY: functions tagged [exclusive exec] are called through `&mut Executable` only, of which there is one, and by drop.
unsafe impl Send for ExecutableHandle {}
// SAFETY: as above; all other functions are [any].
unsafe impl Sync for ExecutableHandle {}

impl ExecutableHandle {
    pub(crate) fn raw(&self) -> *mut sys::dbk_exec {
        self.raw.as_ptr()
    }

    pub(crate) fn borrowed(&self) -> MutexGuard<'_, Borrowed> {
        self.borrowed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Callers' closures are sound because the executable is alive.
    pub(crate) fn call(
        &self,
        f: impl FnOnce(&sys::dbk_api, *mut sys::dbk_exec, *mut *mut sys::dbk_error) -> sys::dbk_status,
    ) -> Result<()> {
        self.context.table.call(|api, error| f(api, self.raw(), error))
    }
}

impl Drop for ExecutableHandle {
    fn drop(&mut self) {
        // SAFETY: ours; its runs are gone, since each holds this handle.
        unsafe { (self.context.table.api().exec_destroy)(self.raw()) };
    }
}

/// What an executable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExecutableInfo {
    /// Index of the device it was compiled for, see [`crate::Context::device`].
    pub device: u32,
    /// It was compiled with [`crate::Compile::plan_only`] and cannot run.
    pub plan_only: bool,
    /// [`Executable::ready`] has succeeded for the present parameters.
    pub ready: bool,
}

/// A compiled graph. Parameters are set and made ready by one thread (`&mut`); afterwards any number of threads share
/// it, each with runs of its own.
///
/// ```
/// # use daybreak::{DType, GraphBuilder, Plugin, Role, Status, TensorRef, Type};
/// # fn main() -> daybreak::Result<()> {
/// # let library = std::env::var("DAYBREAK_PLUGIN").unwrap_or("../../../build/dev/libdaybreak.so".into());
/// # let context = Plugin::load(library)?.context().build()?;
/// # let mut graph = GraphBuilder::new(20);
/// # let x = graph.input("x", Type::tensor(DType::F32, [2]));
/// # let w = graph.param("W", DType::F32, [2]);
/// # let y = graph.node("Mul").inputs([x, w]).output();
/// # graph.output("y", y);
/// # let graph = graph.finish()?;
/// let mut executable = context.compile(&graph).build()?;
/// let w = executable.find(Role::Param, "W")?;
/// executable.set_param(w, &TensorRef::new(&[2], &[2f32, 3.0]))?;
/// executable.ready()?;
/// assert!(executable.info()?.ready && executable.io(Role::Param, w)?.data_set);
///
/// // Parameters may change between runs, and must be made ready again.
/// executable.remove_param(w)?;
/// assert!(!executable.info()?.ready);
/// assert_eq!(executable.ready().unwrap_err().status(), Status::FailedPrecondition);
/// # Ok(())
/// # }
/// ```
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
    /// Takes over an executable that was compiled just now; graph and share are those of the compilation.
    pub(crate) fn new(
        raw: NonNull<sys::dbk_exec>,
        context: Arc<Outside<ContextHandle>>,
        graph: &Graph<'_>,
        share: Option<&Self>,
    ) -> Result<Self> {
        // A failure below destroys the executable while graph and share still hold all it may look at.
        let mut handle = Outside::new(ExecutableHandle { raw, context, output_dtypes: Vec::new(), borrowed: Mutex::default() });
        handle.output_dtypes = list(&handle, Role::Output)?.iter().map(|output| output.dtype).collect();
        handle.borrowed = Mutex::new(Borrowed::by(&handle, graph, share)?);
        Ok(Self { handle: Arc::new(handle) })
    }

    /// What it is: the device it was compiled for, and whether it is ready.
    pub fn info(&self) -> Result<ExecutableInfo> {
        let hdr = sys::dbk_hdr::of::<sys::dbk_exec_info>();
        let mut raw = sys::dbk_exec_info { hdr, device: 0, mode: 0, flags: 0, reserved: 0 };
        // SAFETY: an out-struct with its size.
        self.handle.call(|api, exec, error| unsafe { (api.exec_info)(exec, &mut raw, error) })?;
        Ok(ExecutableInfo {
            device: raw.device,
            plan_only: raw.mode == sys::DBK_COMPILE_PLAN_ONLY,
            ready: raw.flags & sys::DBK_EXEC_READY != 0,
        })
    }

    /// Gives or replaces a parameter, copying it. Afterwards [`Self::ready`] must be called (again).
    pub fn set_param(&mut self, index: u32, tensor: &TensorRef<'_>) -> Result<()> {
        self.set_raw(index, &tensor.raw(sys::DBK_COPY), None)
    }

    /// Gives or replaces a parameter without copying it, where the device has [`crate::Features::BORROW`]. The memory is
    /// held until the value is replaced and ready again, here and in all executables that share it.
    pub fn set_param_shared(&mut self, index: u32, dims: &[i64], data: &Shared) -> Result<()> {
        let (ptr, len) = (data.as_ptr().cast_mut(), data.bytes().len());
        self.set_raw(index, &host(data.dtype(), dims, ptr, len, sys::DBK_UNTIL_DESTROY), Some(data.keep()))
    }

    /// Takes the value of a parameter away: an optional one is then absent, another has no data. Afterwards
    /// [`Self::ready`] must be called again.
    pub fn remove_param(&mut self, index: u32) -> Result<()> {
        self.set_raw(index, null(), None)
    }

    /// `tensor` is NULL or good during the call; memory it names longer than that is that of `keep`.
    fn set_raw(&mut self, index: u32, tensor: *const sys::dbk_tensor, keep: Option<Keep>) -> Result<()> {
        // SAFETY: as said above.
        self.handle.call(|api, exec, error| unsafe { (api.set_param)(exec, index, tensor, error) })?;
        self.handle.borrowed().replace(index, keep);
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
        // SAFETY: the watch outlives the call.
        watched(progress, |watch| self.handle.call(|api, exec, error| unsafe { (api.exec_ready)(exec, watch, error) }))?;
        // An owner's drop is the user's code: it runs when nothing is locked any more.
        let free = self.handle.borrowed().ready();
        drop(free);
        Ok(())
    }

    /// Makes a run, for one thread at a time. The executable must be ready.
    pub fn create_run(&self) -> Result<Run> {
        Run::new(&self.handle, None)
    }

    /// The same with options. ABI 1.0 defines none; those of a newer plugin are in report "options" of the context.
    pub fn create_run_with(&self, options: &Options) -> Result<Run> {
        Run::new(&self.handle, Some(options))
    }

    /// Counters of this executable and its runs.
    pub fn stats(&self) -> Result<Stats> {
        self.subject().stats(&self.handle.context.table)
    }

    /// A JSON text: "plan", "placement", "schedule", "stats"; an unknown kind fails with the list of known ones.
    pub fn report(&self, kind: &str) -> Result<String> {
        self.report_with(kind, None, None)
    }

    /// The same with options, watched.
    pub fn report_with(&self, kind: &str, options: Option<&Options>, progress: Option<ProgressFn<'_>>) -> Result<String> {
        self.subject().report(&self.handle.context.table, kind, options, progress)
    }

    fn subject(&self) -> Subject {
        Subject { exec: self.handle.raw(), ..Subject::none() }
    }
}
