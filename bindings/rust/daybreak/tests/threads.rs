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

/// A run on one thread, the buffers bound to it on others: the ABI forbids some of these calls to meet, so they must wait
/// for each other, and never for ever.
#[test]
fn buffers_are_used_while_a_run_uses_them() {
    const N: usize = 256;
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let negate = rig::unary(&context, &device, "Neg", DType::F32, &[N as i64]);
        let mut a = context.create_buffer(&device, BufferUsage::All, N as u64 * 4).unwrap();
        let mut b = context.create_buffer(&device, BufferUsage::All, N as u64 * 4).unwrap();
        let (mut there, mut back) = (negate.create_run().unwrap(), negate.create_run().unwrap());
        there.bind_input_buffer(0, DType::F32, &[N as i64], &mut a, 0).unwrap();
        there.bind_output_buffer(0, DType::F32, &[N as i64], &mut b, 0).unwrap();
        back.bind_input_buffer(0, DType::F32, &[N as i64], &mut b, 0).unwrap();
        back.bind_output_buffer(0, DType::F32, &[N as i64], &mut a, 0).unwrap();
        let whole = |values: &[f32]| values.iter().all(|v| *v == values[0]);
        thread::scope(|scope| {
            scope.spawn(move || (0..100).for_each(|_| there.run().unwrap()));
            scope.spawn(move || {
                for _ in 0..100 {
                    back.start(&RunOptions::new()).unwrap().wait().unwrap();
                    assert!(whole(&back.read::<f32>(0).unwrap()));
                }
            });
            scope.spawn(move || {
                for i in 0..100 {
                    let mut values = [i as f32; N];
                    a.write(0, &values).unwrap();
                    b.copy_from(0, &mut a, 0..N as u64 * 4).unwrap();
                    b.read(0, &mut values).unwrap();
                    assert!(whole(&values), "each call takes effect as a whole: {values:?}");
                    a.copy_from(0, &mut b, 0..N as u64 * 4).unwrap();
                }
            });
        });
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
