//! One activation of an executable: bindings, extents, execution.

mod bind;
mod cancel;
mod slots;
mod start;

pub use cancel::Canceller;
pub use start::RunOptions;

use crate::callback::Outside;
use crate::executable::ExecutableHandle;
use crate::report::Subject;
use crate::{Error, Result, Role, Shape, Stats, Status};
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
pub struct Run {
    handle: Outside<RunHandle>,
}

impl Run {
    pub(crate) fn new(executable: &Arc<Outside<ExecutableHandle>>) -> Result<Self> {
        let table = &executable.context.table;
        // SAFETY: a live executable.
        let raw = table.create(|api, out, error| unsafe { (api.run_create)(executable.raw(), out, error) })?;
        let gate = Arc::new(Gate::new(raw, executable.context.clone()));
        Ok(Self { handle: Outside::new(RunHandle { gate, slots: Slots::default(), executable: executable.clone() }) })
    }

    /// Fixes the extent of a symbol. Binding an input sets the symbols of its dims too, or fails where they are fixed
    /// otherwise. Tensors bound with older extents stay bound, but nothing runs until they are bound again.
    pub fn set_dim(&mut self, symbol: u32, extent: i64) -> Result<()> {
        if extent < 0 {
            return Err(Error::new(Status::OutOfRange, format!("extent {extent} of symbol {symbol} is negative")));
        }
        self.call(|api, run, error| unsafe { (api.run_set_dim)(run, symbol, extent, error) })
    }

    /// Lets go of the extent of a symbol, fixed or learnt from a binding.
    pub fn forget_dim(&mut self, symbol: u32) -> Result<()> {
        self.call(|api, run, error| unsafe { (api.run_set_dim)(run, symbol, sys::DBK_DIM_UNKNOWN, error) })
    }

    /// Extents of an input or output, from symbols and bindings before the run and exact after it.
    pub fn shape(&mut self, role: Role, index: u32) -> Result<Shape> {
        let mut dims = [0i64; sys::DBK_MAX_RANK as usize];
        let (mut rank, mut exact) = (0, 0);
        self.call(|api, run, error| unsafe {
            let cap = dims.len() as u32;
            (api.run_shape)(run, role.raw(), index, dims.as_mut_ptr(), cap, &mut rank, &mut exact, error)
        })?;
        let known = |&dim: &i64| (dim != sys::DBK_DIM_UNKNOWN).then_some(dim);
        let dims = dims.get(..rank as usize).ok_or_else(|| Error::new(Status::Internal, "the rank exceeds the ABI's maximum"))?;
        Ok(Shape { dims: dims.iter().map(known).collect(), exact: exact != 0 })
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
        self.subject().report(&self.handle.executable.context.table, kind)
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

    /// For functions tagged [exclusive run]. Callers' closures are sound because the run is alive and exclusively ours.
    pub(crate) fn call(
        &mut self,
        f: impl FnOnce(&sys::dbk_api, *mut sys::dbk_run, *mut *mut sys::dbk_error) -> sys::dbk_status,
    ) -> Result<()> {
        let run = self.raw();
        self.handle.executable.context.table.call(|api, error| f(api, run, error))
    }
}
