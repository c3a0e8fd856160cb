//! What is bound to a run, as far as memory safety depends on it.

use crate::buffer::BufferHandle;
use crate::callback::Outside;
use crate::shared::Keep;
use crate::{Error, Result, Status};
use std::sync::Arc;

/// What an input or output is bound to.
#[derive(Default)]
pub(super) enum Slot {
    /// Nothing, or memory of the plugin.
    #[default]
    Plugin,
    /// Host memory that lives as long as it is here.
    Shared(#[allow(dead_code)] Keep),
    /// Device memory.
    Buffer(#[allow(dead_code)] Arc<Outside<BufferHandle>>),
    /// Host memory of a call that is over. The plugin still has its address and would read it at the next run.
    Gone,
}

#[derive(Default)]
pub(super) struct Slots {
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
    /// An output could not be unbound from memory of a call that is over: the run must not run again.
    pub(super) broken: bool,
}

impl Slots {
    /// To be called after the plugin accepted the binding, and so knows the index.
    pub(super) fn set_input(&mut self, index: u32, slot: Slot) {
        set(&mut self.inputs, index, slot);
    }

    pub(super) fn set_output(&mut self, index: u32, slot: Slot) {
        set(&mut self.outputs, index, slot);
    }

    /// Fails when the run would touch memory that is gone. The first `fresh` inputs have just been bound.
    pub(super) fn check(&self, fresh: usize) -> Result<()> {
        if self.broken {
            return Err(Error::new(Status::FailedPrecondition, "an output of this run is bound to memory that is gone"));
        }
        let gone = |(_, slot): &(usize, &Slot)| matches!(slot, Slot::Gone);
        match self.inputs.iter().enumerate().skip(fresh).find(gone) {
            None => Ok(()),
            Some((index, _)) => {
                let why = format!("input {index} was borrowed for an earlier run_with and must be bound again");
                Err(Error::new(Status::FailedPrecondition, why))
            }
        }
    }
}

fn set(slots: &mut Vec<Slot>, index: u32, slot: Slot) {
    let index = index as usize;
    if slots.len() <= index {
        slots.resize_with(index + 1, Slot::default);
    }
    slots[index] = slot;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gone_inputs_are_refused_until_bound_again() {
        let mut slots = Slots::default();
        slots.set_input(2, Slot::Gone);
        assert!(slots.check(3).is_ok());
        assert!(slots.check(2).unwrap_err().message().contains("input 2"));
        slots.set_input(2, Slot::Plugin);
        assert!(slots.check(0).is_ok());
        slots.broken = true;
        assert_eq!(slots.check(0).unwrap_err().status(), Status::FailedPrecondition);
    }
}
