//! What threads may do, and what the compiler knows about it.

mod rig;

use daybreak::*;
use std::sync::Arc;
use std::thread;

const fn send<T: Send>() {}
const fn sync<T: Sync>() {}

// [any] functions: shared by threads.
const _: () = {
    send::<Plugin>();
    sync::<Plugin>();
    send::<Context>();
    sync::<Context>();
    send::<Device>();
    sync::<Device>();
    send::<Executable>();
    sync::<Executable>();
    send::<Event>();
    sync::<Event>();
    send::<Canceller>();
    sync::<Canceller>();
    send::<Graph<'static>>();
    sync::<Graph<'static>>();
    send::<Shared>();
    sync::<Shared>();
    send::<Error>();
    sync::<Error>();
};

// [exclusive] functions: these move between threads, and their methods take `&mut`.
const _: () = {
    send::<Run>();
    send::<Buffer>();
    send::<Reading<f32>>();
    send::<MappedRead<'static>>();
    send::<MappedWrite<'static>>();
};

#[test]
fn one_executable_eight_threads() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = rig::gelu(&context, &device);
        thread::scope(|scope| {
            for t in 0..8 {
                let executable = &executable;
                scope.spawn(move || {
                    let mut run = executable.create_run().unwrap();
                    for i in 0..20 {
                        // Zero rows make b, so mixing threads up would show.
                        let use_x = (t + i) % 2 == 0;
                        let x = if use_x { rig::X } else { [0.0; 6] };
                        let mut y = [0f32; 4];
                        run.run_with(&[TensorRef::new(&[2, 3], &x)], &mut [TensorMut::new(&[2, 2], &mut y)]).unwrap();
                        let b = [0.345_731_23, -0.158_655_25];
                        let expected = if use_x { rig::Y } else { [b[0], b[1], b[0], b[1]] };
                        rig::assert_close(&y, &expected);
                    }
                });
            }
        });
        assert_eq!(executable.stats().unwrap().runs, 160);
    }
}

#[test]
fn runs_and_executables_outlive_the_thread_that_made_them() {
    let executable = thread::spawn(|| {
        let context = rig::context();
        Arc::new(rig::gelu(&context, &context.cpu().unwrap()))
    });
    let executable = executable.join().unwrap();
    let clone = executable.clone();
    let mut run = thread::spawn(move || clone.create_run().unwrap()).join().unwrap();
    run.bind_input(0, &TensorRef::new(&[2, 3], &rig::X)).unwrap();
    let mut run = thread::spawn(move || {
        run.run().unwrap();
        run
    })
    .join()
    .unwrap();
    drop(executable);
    rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);
}

#[test]
fn contexts_come_and_go_in_parallel() {
    let plugin = rig::plugin();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let context = plugin.context().build().unwrap();
                let executable = rig::gelu(&context, &context.cpu().unwrap());
                let mut run = executable.create_run().unwrap();
                run.bind_input(0, &TensorRef::new(&[2, 3], &rig::X)).unwrap();
                run.run().unwrap();
                rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);
            });
        }
    });
}
