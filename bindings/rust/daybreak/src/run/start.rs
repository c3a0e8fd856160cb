//! Executing a run.

use super::slots::Slot;
use super::Run;
use crate::{Context, Event, Result, Role, TensorMut, TensorRef};
use daybreak_sys as sys;
use std::ptr::{null, null_mut};

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

    /// Measures each step; see report "profile" of the run.
    #[must_use]
    pub fn profile(self) -> Self {
        self.with(sys::DBK_RUN_PROFILE)
    }

    /// Names the first step that makes NaN or Inf.
    #[must_use]
    pub fn check_values(self) -> Self {
        self.with(sys::DBK_RUN_CHECK_VALUES)
    }

    /// Uploads inputs even where they are known to be unchanged.
    #[must_use]
    pub fn force_upload(self) -> Self {
        self.with(sys::DBK_RUN_FORCE_UPLOAD)
    }

    /// Does not copy outputs to host memory; a later read costs the copy.
    #[must_use]
    pub fn no_readback(self) -> Self {
        self.with(sys::DBK_RUN_NO_READBACK)
    }

    /// Begins when this event is done; its failure fails the run.
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
        self.handle.slots.check(0)?;
        self.call(|api, run, error| unsafe { (api.run)(run, null(), null_mut(), error) })
    }

    /// The same with options.
    pub fn run_options(&mut self, options: &RunOptions<'_>) -> Result<()> {
        self.submit(options, 0, false).map(drop)
    }

    /// Executes with what is bound and does not wait: the event tells when it is done. Until then bindings cannot change.
    pub fn start(&mut self, options: &RunOptions<'_>) -> Result<Event> {
        let event = self.submit(options, 0, true)?;
        event.ok_or_else(|| crate::Error::new(crate::Status::Internal, "the plugin made no event"))
    }

    /// Executes on borrowed memory and waits until it is done: `inputs[i]` is bound to input `i`, `outputs[i]` to output
    /// `i`, where the memory is used in place if the device can. Inputs and outputs beyond these stay as they are bound.
    ///
    /// Afterwards the outputs are not bound any more, and the inputs must be given again before the run runs again.
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
        let mut bound = 0;
        let outcome = self.run_borrowed(inputs, outputs, &mut bound, options);
        // Whatever happened: the plugin must not keep addresses that it would write to.
        for index in 0..bound {
            if self.unbind_output(index).is_err() {
                self.handle.slots.broken = true;
            }
        }
        outputs.iter_mut().for_each(TensorMut::normalise);
        outcome
    }

    fn run_borrowed(
        &mut self,
        inputs: &[TensorRef<'_>],
        outputs: &mut [TensorMut<'_>],
        bound: &mut u32,
        options: &RunOptions<'_>,
    ) -> Result<()> {
        for (index, tensor) in (0..).zip(inputs) {
            // Values that decide shapes may be looked at whenever another binding changes, so they are copied.
            if self.handle.executable.shape_inputs.get(index as usize) == Some(&true) {
                self.bind_input(index, tensor)?;
                continue;
            }
            self.bind_raw(Role::Input, index, &tensor.raw(sys::DBK_UNTIL_EVENT))?;
            // Inputs cannot be unbound. Once this call is over the address is stale, which the slot remembers.
            self.handle.slots.set_input(index, Slot::Gone);
        }
        for (index, tensor) in (0..).zip(outputs) {
            self.bind_raw(Role::Output, index, &tensor.raw(sys::DBK_UNTIL_EVENT))?;
            *bound = index + 1;
        }
        self.submit(options, inputs.len(), false).map(drop)
    }

    fn submit(&mut self, options: &RunOptions<'_>, fresh: usize, with_event: bool) -> Result<Option<Event>> {
        self.handle.slots.check(fresh)?;
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
        self.call(|api, run, error| unsafe { (api.run)(run, &submit, out, error) })?;
        Ok(std::ptr::NonNull::new(event).map(|raw| Event::new(raw, context)))
    }
}
