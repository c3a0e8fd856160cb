//! Executing a run.

use super::slots::Slot;
use super::Run;
use crate::{Context, Error, Event, Result, Role, Status, TensorMut, TensorRef};
use daybreak_sys as sys;
use std::ptr::{null_mut, NonNull};

/// How to execute a run.
#[derive(Clone, Default)]
pub struct RunOptions<'a> {
    mode: u32,
    wait: Vec<&'a Event>,
}

impl<'a> RunOptions<'a> {
    /// As fast as possible, at once.
    pub fn new() -> Self {
        Self::default()
    }

    /// Measures each step; see report "profile" of the run. Reserved: [`Status::Unimplemented`] for now.
    #[must_use]
    pub fn profile(self) -> Self {
        self.with(sys::DBK_RUN_PROFILE)
    }

    /// Looks for NaN and Inf in every step's results; see report "values" of the run. Reserved:
    /// [`Status::Unimplemented`] for now.
    #[must_use]
    pub fn check_values(self) -> Self {
        self.with(sys::DBK_RUN_CHECK_VALUES)
    }

    /// Uploads inputs even where they are known to be unchanged.
    #[must_use]
    pub fn force_upload(self) -> Self {
        self.with(sys::DBK_RUN_FORCE_UPLOAD)
    }

    /// Prepares nothing for [`Run::read`], which then costs a copy of its own.
    #[must_use]
    pub fn no_readback(self) -> Self {
        self.with(sys::DBK_RUN_NO_READBACK)
    }

    /// Begins when this event is done; its failure fails the run with the same status.
    #[must_use]
    pub fn wait_for(mut self, event: &'a Event) -> Self {
        self.wait.push(event);
        self
    }

    fn with(self, bit: u32) -> Self {
        Self { mode: self.mode | bit, ..self }
    }
}

impl Run {
    /// Executes with what is bound and waits until it is done.
    pub fn run(&mut self) -> Result<()> {
        self.run_options(&RunOptions::new())
    }

    /// The same with options.
    pub fn run_options(&mut self, options: &RunOptions<'_>) -> Result<()> {
        self.submit(options, (0, 0), false).map(drop)
    }

    /// Executes with what is bound and does not wait: the event tells when it is done. Until then bindings cannot change.
    pub fn start(&mut self, options: &RunOptions<'_>) -> Result<Event> {
        let event = self.submit(options, (0, 0), true)?;
        event.ok_or_else(|| Error::new(Status::Internal, "the plugin made no event"))
    }

    /// Executes on borrowed memory and waits until it is done: `inputs[i]` is bound to input `i`, `outputs[i]` to output
    /// `i`, where the memory is used in place if the device can. Inputs and outputs beyond these stay as they are bound.
    ///
    /// Afterwards these outputs are not bound any more, nor can they be read: what they are is in the memory that was given.
    /// Inputs must be given again before the run runs again.
    pub fn run_with(&mut self, inputs: &[TensorRef<'_>], outputs: &mut [TensorMut<'_>]) -> Result<()> {
        self.run_with_options(inputs, outputs, &RunOptions::new())
    }

    /// The same with options.
    pub fn run_with_options(
        &mut self,
        inputs: &[TensorRef<'_>],
        outputs: &mut [TensorMut<'_>],
        options: &RunOptions<'_>,
    ) -> Result<()> {
        let outcome = self.run_borrowed(inputs, outputs, options);
        // Outputs stay with the run again, from the next one on. Inputs are left as they are: their addresses, like those of outputs
        // that could not be unbound, are not used before the next run, which the slots refuse until something else is bound.
        for index in (0..).take(outputs.len()) {
            if self.handle.slots.output_gone(index) {
                let _ = self.unbind_output(index);
            }
        }
        outputs.iter_mut().for_each(TensorMut::normalise);
        outcome
    }

    /// Whatever comes of it, the memory is not used any more until the next run.
    fn run_borrowed(&mut self, inputs: &[TensorRef<'_>], outputs: &mut [TensorMut<'_>], options: &RunOptions<'_>) -> Result<()> {
        for (index, tensor) in (0..).zip(inputs) {
            self.bind_raw(Role::Input, index, &tensor.raw(sys::DBK_UNTIL_EVENT), Some(Slot::Gone))?;
        }
        let fresh = (inputs.len() as u32, outputs.len() as u32);
        for (index, tensor) in (0..).zip(outputs) {
            self.bind_raw(Role::Output, index, &tensor.raw(sys::DBK_UNTIL_EVENT), Some(Slot::Gone))?;
        }
        self.submit(options, fresh, false).map(drop)
    }

    /// `fresh`: how many inputs and outputs have just been bound to memory that is still there.
    fn submit(&mut self, options: &RunOptions<'_>, fresh: (u32, u32), with_event: bool) -> Result<Option<Event>> {
        self.handle.slots.check(fresh.0, fresh.1)?;
        let context = self.handle.executable.context.clone();
        for event in &options.wait {
            Context::check_same(&context, &event.handle.context, "event to wait for")?;
        }
        let wait: Vec<_> = options.wait.iter().map(|event| event.raw()).collect();
        let submit = sys::dbk_submit {
            hdr: sys::dbk_hdr::of::<sys::dbk_submit>(),
            wait: wait.as_ptr(),
            wait_count: wait.len() as u32,
            mode: options.mode,
        };
        let mut event = null_mut();
        let out = if with_event { &raw mut event } else { null_mut() };
        let _buffers = self.lock_buffers();
        // SAFETY: events and memory are there until the run is done.
        self.call(|api, run, error| unsafe { (api.run)(run, &submit, out, error) })?;
        Ok(NonNull::new(event).map(|raw| Event::new(raw, context)))
    }
}
