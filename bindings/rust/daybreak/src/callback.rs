//! The rules inside a callback: no panic leaves it, and no call reaches the plugin from within it.
//!
//! The ABI forbids both. The first would end the process, the second could wait for the very thread that called us.

use crate::{Error, Result, Status};
use std::any::Any;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::panic::{catch_unwind, AssertUnwindSafe};

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

fn inside() -> bool {
    DEPTH.get() > 0
}

/// Runs a user's closure on behalf of the plugin; a panic comes back as its payload.
pub(crate) fn enter<R>(closure: impl FnOnce() -> R) -> std::result::Result<R, Box<dyn Any + Send>> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(closure));
    DEPTH.set(DEPTH.get() - 1);
    result
}

/// Drops a panic's payload, whose own drop might panic again.
pub(crate) fn discard(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
}

/// Fails when the current thread is inside a callback.
pub(crate) fn refuse_inside() -> Result<()> {
    if inside() {
        return Err(Error::new(Status::FailedPrecondition, "a progress or log closure must not call Daybreak"));
    }
    Ok(())
}

/// Owner of a plugin object. Dropped inside a callback it moves to a thread of its own, with all it keeps alive, because
/// destroying waits and joins threads.
pub(crate) struct Outside<T: Send + 'static>(ManuallyDrop<T>);

impl<T: Send + 'static> Outside<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl<T: Send + 'static> Deref for Outside<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Send + 'static> DerefMut for Outside<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Send + 'static> Drop for Outside<T> {
    fn drop(&mut self) {
        // SAFETY: taken once, here.
        let mut value = unsafe { ManuallyDrop::new(ManuallyDrop::take(&mut self.0)) };
        if !inside() {
            // SAFETY: dropped once; the other branch is not reached.
            unsafe { ManuallyDrop::drop(&mut value) };
            return;
        }
        // Where no thread can be had the closure is dropped unused and the value leaks, which is the lesser evil.
        let drop_there = move || drop(ManuallyDrop::into_inner(value));
        let _ = std::thread::Builder::new().name("daybreak-drop".into()).spawn(drop_there);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread::ThreadId;

    struct Reports(mpsc::Sender<ThreadId>);
    impl Drop for Reports {
        fn drop(&mut self) {
            self.0.send(std::thread::current().id()).unwrap();
        }
    }

    #[test]
    fn drop_moves_to_another_thread_only_inside_a_callback() {
        let (sender, receiver) = mpsc::channel();
        drop(Outside::new(Reports(sender.clone())));
        assert_eq!(receiver.recv().unwrap(), std::thread::current().id());
        let value = Outside::new(Reports(sender));
        enter(|| drop(value)).unwrap();
        assert_ne!(receiver.recv().unwrap(), std::thread::current().id());
    }

    #[test]
    fn panics_become_payloads_and_the_rules_end_with_the_callback() {
        let payload = enter(|| {
            assert!(refuse_inside().is_err());
            panic!("expected by a test");
        });
        assert_eq!(payload.unwrap_err().downcast_ref::<&str>(), Some(&"expected by a test"));
        assert!(refuse_inside().is_ok());
    }
}
