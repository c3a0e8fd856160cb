//! What is bound to a run, as far as memory safety depends on it.

use crate::buffer_handle::BufferHandle;
use crate::callback::Outside;
use crate::exclusion::Exclusion;
use crate::shared::Keep;
use crate::{Error, Result, Role, Status};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Memory that an input or output is bound to, where it is not the plugin's.
pub(super) enum Slot {
    /// Host memory that lives as long as it is here.
    Shared(#[allow(dead_code)] Keep),
    /// Device memory.
    Buffer(Arc<Outside<BufferHandle>>),
    /// Host memory of a call that is over. The plugin still has its address and would use it at the next run.
    Gone,
}

impl Slot {
    /// Of the buffer, if it is one.
    pub(super) fn exclusion(&self) -> Option<&Exclusion> {
        match self {
            Self::Buffer(buffer) => Some(&buffer.exclusion),
            _ => None,
        }
    }
}

/// By index; none where nothing is bound, or the plugin has a copy.
type List = BTreeMap<u32, Slot>;

#[derive(Default)]
pub(super) struct Slots {
    inputs: List,
    outputs: List,
}

impl Slots {
    fn list(&mut self, role: Role) -> &mut List {
        match role {
            Role::Output => &mut self.outputs,
            Role::Input | Role::Param => &mut self.inputs,
        }
    }

    /// Remembers what came of a binding: after a failure the old one stands.
    pub(super) fn record(&mut self, role: Role, index: u32, slot: Option<Slot>, outcome: &Result<()>) {
        if outcome.is_err() {
            return;
        }
        let list = self.list(role);
        let old = match slot {
            Some(slot) => list.insert(index, slot),
            None => list.remove(&index),
        };
        // Last, because to drop an owner is the user's code and may panic.
        drop(old);
    }

    /// Would the plugin write an output to memory that is gone?
    pub(super) fn output_gone(&self, index: u32) -> bool {
        matches!(self.outputs.get(&index), Some(Slot::Gone))
    }

    /// Of all buffers that a run uses.
    pub(super) fn exclusions(&self) -> impl Iterator<Item = &Exclusion> {
        self.inputs.values().chain(self.outputs.values()).filter_map(Slot::exclusion)
    }

    /// Fails when the run would use memory that is gone. Inputs and outputs below these indices have just been bound.
    pub(super) fn check(&self, inputs: u32, outputs: u32) -> Result<()> {
        for (list, fresh, what) in [(&self.inputs, inputs, "input"), (&self.outputs, outputs, "output")] {
            if let Some((index, _)) = list.range(fresh..).find(|(_, slot)| matches!(slot, Slot::Gone)) {
                let why = format!("{what} {index} was borrowed for an earlier run_with and must be bound again");
                return Err(Error::new(Status::FailedPrecondition, why));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(status: Status) -> Result<()> {
        Err(Error::new(status, "expected by a test"))
    }

    #[test]
    fn gone_memory_is_refused_until_bound_again() {
        for role in [Role::Input, Role::Output] {
            let (mut slots, fresh) = (Slots::default(), |n| if role == Role::Input { (n, 0) } else { (0, n) });
            let check = |slots: &Slots, (inputs, outputs)| slots.check(inputs, outputs).map_err(|e| e.message().to_string());
            slots.record(role, 2, Some(Slot::Gone), &Ok(()));
            assert_eq!(check(&slots, fresh(3)), Ok(()));
            assert!(check(&slots, fresh(2)).unwrap_err().contains("put 2 "));
            slots.record(role, 2, None, &failure(Status::InvalidArgument));
            slots.record(role, 2, None, &failure(Status::OutOfMemory));
            assert!(check(&slots, fresh(2)).is_err(), "a failure gives nothing back");
            slots.record(role, 2, None, &Ok(()));
            assert_eq!(check(&slots, fresh(0)), Ok(()));
            slots.record(role, 2, Some(Slot::Gone), &failure(Status::Unavailable));
            assert_eq!(check(&slots, fresh(0)), Ok(()), "the old binding stands");
            slots.record(role, 2, Some(Slot::Gone), &Ok(()));
            assert_eq!(slots.output_gone(2), role == Role::Output);
        }
    }

    #[test]
    fn memory_is_held_while_the_plugin_may_have_it() {
        let (old, new, other) = (Arc::new(1u8), Arc::new(2u8), Arc::new(3u8));
        let held = |memory: &Arc<u8>| Arc::strong_count(memory) > 1;
        let slot = |memory: &Arc<u8>| Some(Slot::Shared(memory.clone()));
        let mut slots = Slots::default();
        slots.record(Role::Input, 0, slot(&old), &Ok(()));
        slots.record(Role::Input, 0, slot(&other), &failure(Status::InvalidArgument));
        slots.record(Role::Input, 0, slot(&new), &failure(Status::OutOfMemory));
        assert!(held(&old) && !held(&other) && !held(&new));
        slots.record(Role::Input, 0, slot(&other), &Ok(()));
        assert!(!held(&old) && held(&other));
        slots.record(Role::Input, 0, None, &Ok(()));
        assert!(!held(&other));
    }
}
