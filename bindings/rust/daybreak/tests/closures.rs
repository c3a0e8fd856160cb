//! Closures given to the plugin: progress, cancelling, logging; what they may do and what they may not.

mod rig;

use daybreak::*;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

fn prepared(context: &Context) -> Executable {
    let mut executable = context.compile(&rig::gelu_graph()).device(&context.cpu().unwrap()).build().unwrap();
    executable.set_param(0, &TensorRef::new(&[3, 2], &rig::W)).unwrap();
    executable.set_param(1, &TensorRef::new(&[2], &rig::B)).unwrap();
    executable
}

fn runs(executable: &mut Executable) {
    executable.ready().unwrap();
    let mut y = [0f32; 4];
    let x = TensorRef::new(&[2, 3], &rig::X);
    executable.create_run().unwrap().run_with(&[x], &mut [TensorMut::new(&[2, 2], &mut y)]).unwrap();
    rig::assert_close(&y, &rig::Y);
}

#[test]
fn progress_is_reported() {
    let context = rig::context();
    let (graph, mut reports) = (rig::gelu_graph(), Vec::new());
    let mut watch = |progress: Progress| {
        reports.push(progress);
        ControlFlow::Continue(())
    };
    context.compile(&graph).device(&context.cpu().unwrap()).progress(&mut watch).build().unwrap();
    prepared(&context).ready_with(&mut watch).unwrap();
    assert!(!reports.is_empty());
    assert!(reports.iter().all(|r| r.total.is_none_or(|total| r.done <= total)), "{reports:?}");
}

#[test]
fn progress_cancels_as_if_nothing_had_been_asked() {
    let context = rig::context();
    let graph = rig::gelu_graph();
    let mut stop = |_| ControlFlow::Break(());
    rig::fails(context.compile(&graph).progress(&mut stop).build(), Status::Cancelled);
    let mut executable = prepared(&context);
    rig::fails(executable.ready_with(&mut stop), Status::Cancelled);
    runs(&mut executable);
    for device in context.devices().unwrap() {
        device.recover(Some(&mut |_| ControlFlow::Continue(()))).unwrap();
    }
}

#[test]
fn a_panic_in_progress_goes_to_the_caller_and_nowhere_else() {
    let context = rig::context();
    let graph = rig::gelu_graph();
    let mut executable = prepared(&context);
    let mut calls = 0;
    let mut explode = |_| {
        calls += 1;
        panic!("expected by a test")
    };
    let compile = catch_unwind(AssertUnwindSafe(|| context.compile(&graph).progress(&mut explode).build()));
    let ready = catch_unwind(AssertUnwindSafe(|| executable.ready_with(&mut explode)));
    for payload in [compile.map(drop).unwrap_err(), ready.map(drop).unwrap_err()] {
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"expected by a test"));
    }
    assert_eq!(calls, 2, "a closure that panicked is not called again");
    runs(&mut executable);
}

#[test]
fn progress_cannot_call_the_plugin_but_may_drop_its_objects() {
    let context = rig::context();
    let mut executable = prepared(&context);
    runs(&mut executable);
    let other = rig::context();
    let mut doomed = Some((executable.create_run().unwrap(), rig::gelu(&other, &other.cpu().unwrap()), other));
    let mut statuses = Vec::new();
    let mut meddle = |_| {
        statuses.push(context.devices().err().map(|e| e.status()));
        drop(doomed.take());
        ControlFlow::Continue(())
    };
    prepared(&context).ready_with(&mut meddle).unwrap();
    assert!(!statuses.is_empty() && statuses.iter().all(|s| *s == Some(Status::FailedPrecondition)), "{statuses:?}");
    runs(&mut executable);
}

#[test]
fn messages_arrive_and_panics_in_the_hook_are_swallowed() {
    let messages = Arc::new(Mutex::new(Vec::new()));
    let calls = Arc::new(AtomicUsize::new(0));
    let hook = {
        let (messages, calls) = (messages.clone(), calls.clone());
        move |level: LogLevel, text: &str| {
            messages.lock().unwrap().push((level, text.to_string()));
            calls.fetch_add(1, Ordering::Relaxed);
            panic!("expected by a test");
        }
    };
    let context = rig::plugin().context().log(LogLevel::Debug, hook).build().unwrap();
    let executable = rig::gelu(&context, &context.cpu().unwrap());
    let mut run = executable.create_run().unwrap();
    run.bind_input(0, &TensorRef::new(&[2, 3], &rig::X)).unwrap();
    run.run().unwrap();
    rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);
    drop((run, executable, context));
    assert!(calls.load(Ordering::Relaxed) > 0, "nothing is logged, not even for debugging");
    assert!(messages.lock().unwrap().iter().all(|(_, text)| !text.is_empty()));
    assert_eq!(Arc::strong_count(&calls), 1, "the hook is gone with the context");
}
