//! Keeping calls apart that must not meet.

use std::ptr::from_ref;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Part of an object that two kinds of calls use: those that must be alone with it, and those that only must not meet one
/// of the first kind.
#[derive(Default)]
pub(crate) struct Exclusion(RwLock<()>);

/// Keeps everybody else away from these objects while the result lives.
pub(crate) fn alone<'a>(objects: impl IntoIterator<Item = &'a Exclusion>) -> Vec<RwLockWriteGuard<'a, ()>> {
    let locked = |object: &'a Exclusion| object.0.write().unwrap_or_else(PoisonError::into_inner);
    in_order(objects).into_iter().map(locked).collect()
}

/// What keeps those who want to be alone away from some objects while it lives.
pub(crate) type Together<'a> = Vec<RwLockReadGuard<'a, ()>>;

/// Takes it of these objects.
pub(crate) fn together<'a>(objects: impl IntoIterator<Item = &'a Exclusion>) -> Together<'a> {
    let locked = |object: &'a Exclusion| object.0.read().unwrap_or_else(PoisonError::into_inner);
    in_order(objects).into_iter().map(locked).collect()
}

/// Each once, in an order that is the same for all callers: so no two wait for each other.
fn in_order<'a>(objects: impl IntoIterator<Item = &'a Exclusion>) -> Vec<&'a Exclusion> {
    let mut objects: Vec<_> = objects.into_iter().collect();
    objects.sort_by_key(|&object| from_ref(object));
    objects.dedup_by_key(|object| from_ref(*object));
    objects
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    #[test]
    fn those_alone_meet_nobody_and_the_others_meet() {
        let [a, b] = [Exclusion::default(), Exclusion::default()];
        let first = together([&a, &a, &b]);
        assert_eq!(first.len(), 2, "each is locked once");
        drop(together([&b, &a]));
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let _both = alone([&b, &a]);
                assert!(done.load(Ordering::Relaxed));
            });
            thread::sleep(std::time::Duration::from_millis(20));
            done.store(true, Ordering::Relaxed);
            drop(first);
            waiting.join().unwrap();
        });
    }

    #[test]
    fn no_order_of_objects_makes_callers_wait_for_ever() {
        let [a, b, c] = [(); 3].map(|()| Exclusion::default());
        thread::scope(|scope| {
            for objects in [[&a, &b, &c], [&c, &b, &a], [&b, &a, &c]] {
                scope.spawn(move || (0..1000).for_each(|_| drop(alone(objects))));
                scope.spawn(move || (0..1000).for_each(|_| drop(together(objects))));
            }
        });
    }
}
