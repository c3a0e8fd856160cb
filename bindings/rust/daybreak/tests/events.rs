//! Work that is started without waiting: events, timeouts, cancelling.

mod rig;

use daybreak::*;
use std::thread;
use std::time::Duration;

/// An identity matrix: however often it is multiplied, the result is known.
fn identity(n: usize) -> Vec<f32> {
    (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect()
}

fn bound_run(executable: &Executable, n: usize) -> Run {
    let mut run = executable.create_run().unwrap();
    run.bind_input(0, &TensorRef::new(&[n as i64, n as i64], &identity(n))).unwrap();
    run
}

#[test]
fn timeouts_pass_and_the_result_arrives() {
    let context = rig::context();
    let executable = rig::long_work(&context, &context.cpu().unwrap(), 512, 24);
    // Once the work is seen unfinished the point is made; a machine busy elsewhere may need another try.
    let seen_unfinished = (0..20).any(|_| {
        let mut run = bound_run(&executable, 512);
        let event = run.start(&RunOptions::new()).unwrap();
        let unfinished = !event.is_done().unwrap();
        let _ = event.wait_timeout(Duration::from_micros(50)).unwrap();
        event.wait().unwrap();
        assert!(event.is_done().unwrap() && event.wait_timeout(Duration::MAX).unwrap());
        assert_eq!(run.read::<f32>(0).unwrap(), identity(512));
        unfinished
    });
    assert!(seen_unfinished, "start waits for the work");
}

#[test]
fn a_run_in_flight_refuses_changes() {
    let context = rig::context();
    let executable = rig::long_work(&context, &context.cpu().unwrap(), 512, 24);
    let refused = (0..20).any(|_| {
        let mut run = bound_run(&executable, 512);
        let event = run.start(&RunOptions::new()).unwrap();
        let again = run.start(&RunOptions::new());
        let refused = again.as_ref().is_err_and(|e| e.status() == Status::FailedPrecondition);
        assert!(refused || again.is_ok() && event.is_done().unwrap(), "{:?}", again.err());
        event.wait().unwrap();
        refused
    });
    assert!(refused);
}

#[test]
fn events_chain_runs() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = rig::gelu(&context, &device);
        let mut runs: Vec<Run> = (0..4).map(|_| executable.create_run().unwrap()).collect();
        let mut events: Vec<Event> = Vec::new();
        for run in &mut runs {
            run.bind_input(0, &TensorRef::new(&[2, 3], &rig::X)).unwrap();
            let options = events.iter().fold(RunOptions::new(), |options, event| options.wait_for(event));
            let event = run.start(&options).unwrap();
            events.push(event);
        }
        thread::scope(|scope| events.iter().for_each(|event| drop(scope.spawn(|| event.wait().unwrap()))));
        drop(events);
        for run in &mut runs {
            rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);
        }
    }
}

#[test]
fn cancelling_stops_work_and_leaves_the_run_usable() {
    let context = rig::context();
    let executable = rig::long_work(&context, &context.cpu().unwrap(), 512, 48);
    let cancelled = (0..20).any(|_| {
        let mut run = bound_run(&executable, 512);
        let event = run.start(&RunOptions::new()).unwrap();
        run.cancel().unwrap();
        let outcome = event.wait();
        run.run().unwrap();
        assert_eq!(run.read::<f32>(0).unwrap(), identity(512));
        outcome.is_err_and(|e| e.status() == Status::Cancelled)
    });
    assert!(cancelled);
}

#[test]
fn cancelling_an_event_stops_that_start_alone() {
    let context = rig::context();
    let executable = rig::long_work(&context, &context.cpu().unwrap(), 512, 48);
    let cancelled = (0..20).any(|_| {
        let mut run = bound_run(&executable, 512);
        let first = run.start(&RunOptions::new()).unwrap();
        first.cancel().unwrap();
        let outcome = first.wait();
        let second = run.start(&RunOptions::new()).unwrap();
        first.cancel().unwrap();
        second.wait().unwrap();
        assert_eq!(run.read::<f32>(0).unwrap(), identity(512));
        outcome.is_err_and(|e| e.status() == Status::Cancelled)
    });
    assert!(cancelled);
}

#[test]
fn a_waiting_run_is_cancelled_from_another_thread() {
    let context = rig::context();
    let executable = rig::long_work(&context, &context.cpu().unwrap(), 512, 48);
    let mut run = bound_run(&executable, 512);
    let canceller = run.canceller();
    canceller.cancel().unwrap();
    let done = std::sync::atomic::AtomicBool::new(false);
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                canceller.cancel().unwrap();
                thread::sleep(Duration::from_millis(1));
            }
        });
        let outcome = run.run();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        outcome
    });
    rig::fails(outcome, Status::Cancelled);
    drop(run);
    canceller.cancel().unwrap();
}

#[test]
fn dropping_waits_and_forgetting_leaks() {
    let context = rig::context();
    let executable = rig::long_work(&context, &context.cpu().unwrap(), 256, 16);
    let mut run = bound_run(&executable, 256);
    drop(run.start(&RunOptions::new()).unwrap());
    drop(run);
    let mut run = bound_run(&executable, 256);
    run.run().unwrap();
    drop(run.start_read::<f32>(0).unwrap());
    let reading = run.start_read::<f32>(0).unwrap();
    while !reading.wait_timeout(Duration::from_millis(1)).unwrap() {}
    assert_eq!(reading.wait().unwrap(), identity(256));
    std::mem::forget(run.start_read::<f32>(0).unwrap());
    let mut run = bound_run(&executable, 256);
    std::mem::forget(run.start(&RunOptions::new()).unwrap());
    std::mem::forget(run);
}
