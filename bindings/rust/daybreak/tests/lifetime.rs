//! Objects are dropped in any order, by any thread, and the plugin's objects are gone afterwards.

mod rig;

use daybreak::*;
use std::any::Any;

/// One of each, newest last; the buffer is bound to the run.
fn family(device_index: usize) -> Vec<Box<dyn Any + Send>> {
    let plugin = rig::plugin();
    let context = plugin.context().build().unwrap();
    let device = rig::usable_devices(&context).swap_remove(device_index);
    let executable = rig::gelu(&context, &device);
    let mut buffer = context.create_buffer_with(&device, BufferUsage::All, &rig::X).unwrap();
    let mut run = executable.create_run().unwrap();
    run.bind_input_buffer(0, DType::F32, &[2, 3], &mut buffer, 0).unwrap();
    let event = run.start(&RunOptions::new()).unwrap();
    let canceller = run.canceller();
    vec![
        Box::new(plugin),
        Box::new(context),
        Box::new(device),
        Box::new(executable),
        Box::new(buffer),
        Box::new(run),
        Box::new(event),
        Box::new(canceller),
    ]
}

#[test]
fn any_order_of_dropping_is_fine() {
    let devices = rig::usable_devices(&rig::context()).len();
    for device in 0..devices {
        let count = family(device).len();
        // Rotations and their mirror images: each object is first once, last once, and before and after each other one.
        for first in 0..count {
            let mut objects = family(device);
            objects.rotate_left(first);
            objects.into_iter().for_each(drop);
            let mut objects = family(device);
            objects.rotate_left(first);
            objects.into_iter().rev().for_each(drop);
        }
    }
}

#[test]
fn objects_are_dropped_by_other_threads() {
    let handles: Vec<_> = family(0).into_iter().map(|object| std::thread::spawn(move || drop(object))).collect();
    handles.into_iter().for_each(|handle| handle.join().unwrap());
}

#[test]
fn nothing_is_left_of_dropped_objects() {
    let context = rig::context();
    let device = context.cpu().unwrap();
    let before = context.stats().unwrap().objects;
    for _ in 0..10 {
        let executable = rig::gelu(&context, &device);
        let mut run = executable.create_run().unwrap();
        run.bind_input(0, &TensorRef::new(&[2, 3], &rig::X)).unwrap();
        let event = run.start(&RunOptions::new()).unwrap();
        let buffer = context.create_buffer(&device, BufferUsage::All, 64).unwrap();
        assert!(context.stats().unwrap().objects > before);
        drop((event, buffer, run, executable));
    }
    assert_eq!(context.stats().unwrap().objects, before);
}
