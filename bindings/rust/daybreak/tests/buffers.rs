//! Device memory: bound, written, mapped, copied.

mod rig;

use daybreak::*;
use rig::fails;

#[test]
fn an_output_buffer_becomes_an_input() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        // relu(neg(x)) through a buffer that the host does not touch in between.
        let negate = rig::unary(&context, &device, "Neg", DType::F32, &[4]);
        let relu = rig::unary(&context, &device, "Relu", DType::F32, &[4]);
        let mut between = context.create_buffer(&device, BufferUsage::All, 16).unwrap();
        let (mut first, mut second) = (negate.create_run().unwrap(), relu.create_run().unwrap());
        first.bind_input(0, &TensorRef::new(&[4], &[1f32, -2.0, 3.0, -4.0])).unwrap();
        first.bind_output_buffer(0, DType::F32, &[4], &mut between, 0).unwrap();
        second.bind_input_buffer(0, DType::F32, &[4], &mut between, 0).unwrap();
        let event = first.start(&RunOptions::new()).unwrap();
        second.run_options(&RunOptions::new().wait_for(&event)).unwrap();
        assert_eq!(second.read::<f32>(0).unwrap(), [0.0, 2.0, 0.0, 4.0]);
        let mut values = [0f32; 4];
        between.read(0, &mut values).unwrap();
        assert_eq!(values, [-1.0, 2.0, -3.0, 4.0]);

        // The same at an offset.
        let mut large = context.create_buffer(&device, BufferUsage::All, 2 * Buffer::ALIGN).unwrap();
        first.bind_output_buffer(0, DType::F32, &[4], &mut large, Buffer::ALIGN).unwrap();
        first.run().unwrap();
        large.read(Buffer::ALIGN, &mut values).unwrap();
        assert_eq!(values, [-1.0, 2.0, -3.0, 4.0]);
        large.read(Buffer::ALIGN - 16, &mut values).unwrap();
        assert_eq!(values, [0.0; 4], "nothing before the offset is touched");
        between.read(0, &mut values).unwrap();

        first.unbind_output(0).unwrap();
        first.run().unwrap();
        assert_eq!(first.read::<f32>(0).unwrap(), values);
    }
}

#[test]
fn a_bound_buffer_outlives_its_owner() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let relu = rig::unary(&context, &device, "Relu", DType::F32, &[4]);
        let mut run = relu.create_run().unwrap();
        let mut buffer = context.create_buffer_with(&device, BufferUsage::Input, &[-1f32, 1.0, -2.0, 2.0]).unwrap();
        run.bind_input_buffer(0, DType::F32, &[4], &mut buffer, 0).unwrap();
        drop(buffer);
        run.run().unwrap();
        assert_eq!(run.read::<f32>(0).unwrap(), [0.0, 1.0, 0.0, 2.0]);
        run.bind_input(0, &TensorRef::new(&[4], &[5f32; 4])).unwrap();
        run.run().unwrap();
        assert_eq!(run.read::<f32>(0).unwrap(), [5.0; 4]);
    }
}

#[test]
fn write_map_and_copy() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let mut a = context.create_buffer_with(&device, BufferUsage::All, &[0u32; 8]).unwrap();
        let mut b = context.create_buffer(&device, BufferUsage::All, 32).unwrap();
        assert_eq!(a.byte_len(), 32);
        a.write(8, &[1u32, 2]).unwrap();
        {
            let mut mapped = a.map_write(16..24).unwrap();
            mapped.copy_from_slice(&[3, 0, 0, 0, 4, 0, 0, 0]);
            mapped.finish().unwrap();
        }
        b.copy_from(0, &mut a, 0..32).unwrap();
        b.start_copy_from(24, &mut a, 8..16).unwrap().wait().unwrap();
        b.copy_within(0, 8..16).unwrap();
        let mut values = [0u32; 8];
        b.read(0, &mut values).unwrap();
        assert_eq!(values, [1, 2, 1, 2, 3, 4, 1, 2]);
        assert_eq!(b.map_read(4..8).unwrap()[..], [2, 0, 0, 0]);
    }
}

#[test]
fn ranges_outside_are_refused() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let mut a = context.create_buffer_with(&device, BufferUsage::All, &[7u32; 4]).unwrap();
        let mut b = context.create_buffer_with(&device, BufferUsage::All, &[0u32; 4]).unwrap();
        fails(a.write(12, &[1u32, 2]), Status::OutOfRange);
        fails(a.read(12, &mut [0u32; 2]), Status::OutOfRange);
        fails(a.read(u64::MAX, &mut [0u32; 2]), Status::OutOfRange);
        fails(a.map_read(8..20), Status::OutOfRange);
        fails(b.copy_from(8, &mut a, 0..16), Status::OutOfRange);
        fails(b.copy_from(0, &mut a, 8..20), Status::OutOfRange);
        let relu = rig::unary(&context, &device, "Relu", DType::F32, &[4]);
        let mut run = relu.create_run().unwrap();
        fails(run.bind_input_buffer(0, DType::F32, &[4], &mut a, 17), Status::OutOfRange);
        run.bind_input_buffer(0, DType::F32, &[4], &mut a, 4).unwrap_err();
        fails(run.bind_input_buffer(0, DType::STRING, &[1], &mut a, 0), Status::Unimplemented);
    }
}

/// Rust's bool has two values; a buffer's byte has more.
#[test]
fn bytes_that_are_no_bool_are_read_as_true() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let mut buffer = context.create_buffer_with(&device, BufferUsage::All, &[1u8, 0, 7, 0]).unwrap();
        let mut values = [false; 4];
        buffer.read(0, &mut values).unwrap();
        assert_eq!(values.map(u8::from), [1, 0, 1, 0]);
    }
}

#[test]
fn any_range_is_written_and_read() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let mut expected: Vec<u8> = (0..=255).collect();
        let mut buffer = context.create_buffer_with(&device, BufferUsage::All, &expected).unwrap();
        for (off, len) in [(0, 256), (1, 1), (3, 7), (64, 100), (255, 1), (256, 0)] {
            expected[off..off + len].fill(len as u8);
            buffer.write(off as u64, &expected[off..off + len]).unwrap();
            let mut part = vec![0u8; len];
            buffer.read(off as u64, &mut part).unwrap();
            assert_eq!(part, expected[off..off + len]);
        }
        let mut all = [0u8; 256];
        buffer.read(0, &mut all).unwrap();
        assert_eq!(all[..], expected);
        // A failed read leaves the slice alone.
        fails(buffer.read(1, &mut all), Status::OutOfRange);
        assert_eq!(all[..], expected);
    }
}

#[test]
fn a_mapped_buffer_is_not_run_with() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let relu = rig::unary(&context, &device, "Relu", DType::F32, &[4]);
        let mut run = relu.create_run().unwrap();
        let mut buffer = context.create_buffer_with(&device, BufferUsage::All, &[1f32; 4]).unwrap();
        run.bind_input_buffer(0, DType::F32, &[4], &mut buffer, 0).unwrap();
        let mapped = buffer.map_read(0..16).unwrap();
        fails(run.run(), Status::FailedPrecondition);
        drop(mapped);
        run.run().unwrap();
        // A forgotten mapping stays: later use says so, nothing dangles.
        std::mem::forget(buffer.map_read(0..16).unwrap());
        fails(buffer.write(0, &[1f32]), Status::FailedPrecondition);
        fails(buffer.read(0, &mut [1f32]), Status::FailedPrecondition);
        fails(run.run(), Status::FailedPrecondition);
    }
}
