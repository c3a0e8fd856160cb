//! Progress of long calls, and the way to cancel them.

use crate::callback;
use daybreak_sys as sys;
use std::any::Any;
use std::ffi::c_void;
use std::ops::ControlFlow;
use std::panic::resume_unwind;

/// What a long call is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Checking the graph, in passes over it.
    Check,
    /// Planning memory and placement, in passes over the graph.
    Plan,
    /// Transforming and uploading weights, in bytes.
    Weights,
    /// Building pipelines, counted.
    Pipelines,
    /// Warming pipelines, counted.
    WarmUp,
    /// Trying kernels, in candidates.
    Tune,
    /// A stage this crate does not know.
    Other(u32),
}

/// One report of a long call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done, in the stage's unit.
    pub done: u64,
    /// Of how much, where known.
    pub total: Option<u64>,
}

/// A closure that watches a long call, on the caller's thread. `Break` cancels: the call fails with
/// [`crate::Status::Cancelled`] as if it had not been made. A panic cancels too and goes on to the caller afterwards.
pub type ProgressFn<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

struct State<'a> {
    progress: ProgressFn<'a>,
    panic: Option<Box<dyn Any + Send>>,
}

/// Makes a call with a watch on it.
pub(crate) fn watched<R>(progress: Option<ProgressFn<'_>>, call: impl FnOnce(*const sys::dbk_watch) -> R) -> R {
    let Some(progress) = progress else { return call(std::ptr::null()) };
    let mut state = State { progress, panic: None };
    let user = (&raw mut state).cast::<c_void>();
    let watch = sys::dbk_watch { hdr: sys::dbk_hdr::of::<sys::dbk_watch>(), user, progress: Some(step) };
    let result = call(&watch);
    if let Some(payload) = state.panic {
        drop(result);
        resume_unwind(payload);
    }
    result
}

/// # Safety
/// `user` is the [`State`] of a call that is under way on this thread.
unsafe extern "C" fn step(user: *mut c_void, stage: u32, done: u64, total: u64) -> i32 {
    // SAFETY: the caller's promise; nobody else touches the state during the call.
    let state = unsafe { &mut *user.cast::<State<'_>>() };
    if state.panic.is_some() {
        return 1;
    }
    let report = Progress { stage: stage_from_raw(stage), done, total: (total != 0).then_some(total) };
    match callback::enter(|| (state.progress)(report)) {
        Ok(ControlFlow::Continue(())) => 0,
        Ok(ControlFlow::Break(())) => 1,
        Err(payload) => {
            state.panic = Some(payload);
            1
        }
    }
}

fn stage_from_raw(raw: u32) -> Stage {
    match raw {
        sys::DBK_STAGE_CHECK => Stage::Check,
        sys::DBK_STAGE_PLAN => Stage::Plan,
        sys::DBK_STAGE_WEIGHTS => Stage::Weights,
        sys::DBK_STAGE_PIPELINES => Stage::Pipelines,
        sys::DBK_STAGE_WARM_UP => Stage::WarmUp,
        sys::DBK_STAGE_TUNE => Stage::Tune,
        other => Stage::Other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_an_open_set() {
        assert_eq!(stage_from_raw(sys::DBK_STAGE_TUNE), Stage::Tune);
        assert_eq!(stage_from_raw(99), Stage::Other(99));
    }
}
