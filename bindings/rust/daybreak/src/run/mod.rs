//! One activation of an executable: bindings, extents, execution.

mod bind;
mod cancel;
mod slots;
mod start;

pub use cancel::Canceller;
pub use start::RunOptions;

use crate::callback::Outside;
use crate::exclusion::{together, Together};
use crate::executable::ExecutableHandle;
use crate::report::Subject;
use crate::{Error, Options, ProgressFn, Result, Role, Shape, Stats, Status};
use cancel::Gate;
use daybreak_sys as sys;
use slots::Slots;
use std::sync::Arc;

/// The plugin's object and all the host and device memory bound to it.
pub(crate) struct RunHandle {
    gate: Arc<Gate>,
    slots: Slots,
    pub(crate) executable: Arc<Outside<ExecutableHandle>>,
}

impl Drop for RunHandle {
    fn drop(&mut self) {
        // From here on no canceller can reach the run.
        let raw = self.gate.close();
        // SAFETY: ours; waits while in flight, so bound memory is free afterwards.
        unsafe { (self.executable.context.table.api().run_destroy)(raw) };
    }
}

/// Bindings and memory of one activation of an executable, for one thread at a time. Dropping it waits for its work.
///
/// ```
/// # use daybreak::{DType, GraphBuilder, Plugin, RunOptions, Status, TensorRef, Type};
/// # fn main() -> daybreak::Result<()> {
/// # let library = std::env::var("DAYBREAK_PLUGIN").unwrap_or("../../../build/dev/libdaybreak.so".into());
/// # let context = Plugin::load(library)?.context().build()?;
/// # let mut graph = GraphBuilder::new(20);
/// # let x = graph.input("x", Type::tensor(DType::F32, [2]));
/// # let y = graph.node("Relu").input(x).output();
/// # graph.output("y", y);
/// # let mut executable = context.compile(&graph.finish()?).build()?;
/// # executable.ready()?;
/// let mut run = executable.create_run()?;
/// run.bind_input(0, &TensorRef::new(&[2], &[-1f32, 1.0]))?;
/// let event = run.start(&RunOptions::new())?;
/// event.wait()?;
/// assert_eq!(run.read::<f32>(0)?, [0.0, 1.0]);
///
/// run.unbind_input(0)?;
/// assert_eq!(run.run().unwrap_err().status(), Status::FailedPrecondition);
/// # Ok(())
/// # }
/// ```
pub struct Run {
    handle: Outside<RunHandle>,
}

impl Run {
    pub(crate) fn new(executable: &Arc<Outside<ExecutableHandle>>, options: Option<&Options>) -> Result<Self> {
        let table = &executable.context.table;
        // SAFETY: a live executable.
        let raw = Options::lend(options, |options| {
            table.create(|api, out, error| unsafe { (api.run_create)(executable.raw(), options, out, error) })
        })?;
        let gate = Arc::new(Gate::new(raw, executable.context.clone()));
        Ok(Self { handle: Outside::new(RunHandle { gate, slots: Slots::default(), executable: executable.clone() }) })
    }

    /// Fixes the extent of a symbol. Binding an input sets the symbols of its dims too, or fails where they are fixed
    /// otherwise. Tensors bound with older extents stay bound, but nothing runs until they are bound again. A new extent
    /// forgets the results of the last run.
    pub fn set_dim(&mut self, symbol: u32, extent: i64) -> Result<()> {
        if extent < 0 {
            return Err(Error::new(Status::OutOfRange, format!("extent {extent} of symbol {symbol} is negative")));
        }
        self.set_dim_raw(symbol, extent)
    }

    /// Lets go of the extent of a symbol; the next binding of an input that has it sets it.
    pub fn forget_dim(&mut self, symbol: u32) -> Result<()> {
        self.set_dim_raw(symbol, sys::DBK_DIM_UNKNOWN)
    }

    fn set_dim_raw(&mut self, symbol: u32, extent: i64) -> Result<()> {
        let _buffers = self.lock_buffers();
        self.call(|api, run, error| unsafe { (api.run_set_dim)(run, symbol, extent, error) })
    }

    /// Extents of an input or output: those of the last run, or from symbols and bindings before it and once a binding or
    /// extent has changed.
    pub fn shape(&mut self, role: Role, index: u32) -> Result<Shape> {
        let mut dims = [0i64; sys::DBK_MAX_RANK as usize];
        let (mut rank, mut exact) = (0, 0);
        self.call(|api, run, error| unsafe {
            let cap = dims.len() as u32;
            (api.run_shape)(run, role.raw(), index, dims.as_mut_ptr(), cap, &mut rank, &mut exact, error)
        })?;
        Shape::from_raw(&dims, rank, exact != 0)
    }

    /// Asks work in flight to stop at the next possibility, see [`Self::canceller`].
    pub fn cancel(&self) -> Result<()> {
        self.handle.gate.cancel()
    }

    /// A way to cancel from other threads, also while this one waits.
    pub fn canceller(&self) -> Canceller {
        Canceller::new(self.handle.gate.clone())
    }

    /// Counters of this run.
    pub fn stats(&self) -> Result<Stats> {
        self.subject().stats(&self.handle.executable.context.table)
    }

    /// A JSON text: "plan", "placement", "schedule", "stats", and "profile" after a run with
    /// [`RunOptions::profile`]; an unknown kind fails with the list of known ones.
    pub fn report(&mut self, kind: &str) -> Result<String> {
        self.report_with(kind, None, None)
    }

    /// The same with options, watched.
    pub fn report_with(&mut self, kind: &str, options: Option<&Options>, progress: Option<ProgressFn<'_>>) -> Result<String> {
        self.subject().report(&self.handle.executable.context.table, kind, options, progress)
    }

    fn subject(&self) -> Subject {
        Subject { run: self.raw(), ..Subject::none() }
    }

    pub(crate) fn handle(&self) -> &RunHandle {
        &self.handle
    }

    pub(crate) fn raw(&self) -> *mut sys::dbk_run {
        self.handle.gate.raw()
    }

    /// Keeps calls on the buffers bound to the run away while the result lives: binding, extents, running and reading use
    /// those.
    pub(crate) fn lock_buffers(&self) -> Together<'_> {
        together(self.handle.slots.exclusions())
    }

    /// Callers' closures are sound because the run is alive and, where a function is tagged [exclusive run], they have
    /// `&mut self`.
    pub(crate) fn call(
        &self,
        f: impl FnOnce(&sys::dbk_api, *mut sys::dbk_run, *mut *mut sys::dbk_error) -> sys::dbk_status,
    ) -> Result<()> {
        let run = self.raw();
        self.handle.executable.context.table.call(|api, error| f(api, run, error))
    }
}
