//! The golden graph on every usable device, by every way of giving inputs and getting outputs.

mod rig;

use daybreak::*;
use std::sync::Arc;

#[test]
fn borrowed_slices() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = rig::gelu(&context, &device);
        let mut run = executable.create_run().unwrap();
        for _ in 0..3 {
            let mut y = [f32::NAN; 4];
            let x = TensorRef::new(&[2, 3], &rig::X);
            run.run_with(&[x], &mut [TensorMut::new(&[2, 2], &mut y)]).unwrap();
            rig::assert_close(&y, &rig::Y);
        }
    }
}

#[test]
fn copied_inputs_and_kept_outputs() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = rig::gelu(&context, &device);
        let mut run = executable.create_run().unwrap();
        let mut x = rig::X;
        run.bind_input(0, &TensorRef::new(&[2, 3], &x)).unwrap();
        x.fill(f32::NAN);
        run.run().unwrap();
        rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);
        let mut tail = [0f32; 2];
        run.read_range(0, 2, &mut tail).unwrap();
        rig::assert_close(&tail, &rig::Y[2..]);
        rig::assert_close(&run.start_read::<f32>(0).unwrap().wait().unwrap(), &rig::Y);
        assert_eq!(run.read_bytes(0).unwrap().len(), 16);
        assert_eq!(run.shape(Role::Output, 0).unwrap(), Shape { dims: Some(vec![Some(2), Some(2)]), exact: true });
    }
}

#[test]
fn strided_inputs() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = rig::gelu(&context, &device);
        let mut run = executable.create_run().unwrap();
        // X stored backwards, and stored by columns.
        let backwards: Vec<f32> = rig::X.iter().rev().copied().collect();
        let columns = [1f32, -1.0, 2.0, 0.0, 3.0, 1.0];
        for (data, first, strides) in [(&backwards[..], 5, [-3, -1]), (&columns[..], 0, [1, 2])] {
            run.bind_input(0, &TensorRef::strided(&[2, 3], data, first, &strides).unwrap()).unwrap();
            run.run().unwrap();
            rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);
        }
    }
}

#[test]
fn data_with_the_graph_may_be_borrowed_owned_or_shared() {
    let context = rig::context();
    let shared: Arc<[f32]> = rig::W.into();
    for device in rig::usable_devices(&context) {
        let b = rig::B.to_vec();
        let mut graph = GraphBuilder::new(20);
        let x = graph.input("x", Type::tensor(DType::F32, [2, 3]));
        let w = graph.param_with("W", [3, 2], Shared::from(shared.clone()));
        let b = graph.param_with("b", [2], &b);
        let one = graph.constant([1], vec![1f32]);
        let product = graph.node("MatMul").inputs([x, w]).output();
        let sum = graph.node("Add").inputs([product, b]).output();
        let sum = graph.node("Mul").inputs([sum, one]).output();
        let y = graph.node("Gelu").attr("approximate", "none").input(sum).output();
        graph.output("y", y);
        let mut executable = context.compile(&graph.finish().unwrap()).device(&device).build().unwrap();
        assert!(Arc::strong_count(&shared) > 1, "the graph is gone, the executable is not");
        executable.ready().unwrap();
        let mut y = [0f32; 4];
        let mut run = executable.create_run().unwrap();
        run.run_with(&[TensorRef::new(&[2, 3], &rig::X)], &mut [TensorMut::new(&[2, 2], &mut y)]).unwrap();
        rig::assert_close(&y, &rig::Y);
    }
    assert_eq!(Arc::strong_count(&shared), 1);
}

/// Every element type goes in and comes out unchanged.
#[test]
fn element_types() {
    fn round_trip<T: Element + PartialEq + std::fmt::Debug>(context: &Context, values: [T; 3]) {
        let device = context.cpu().unwrap();
        let executable = rig::unary(context, &device, "Identity", T::DTYPE, &[3]);
        let mut run = executable.create_run().unwrap();
        let mut out = [T::default(); 3];
        run.run_with(&[TensorRef::new(&[3], &values)], &mut [TensorMut::new(&[3], &mut out)]).unwrap();
        assert_eq!(out, values);
        run.bind_input(0, &TensorRef::new(&[3], &values)).unwrap();
        run.run().unwrap();
        assert_eq!(run.read::<T>(0).unwrap(), values);
    }
    let context = rig::context();
    round_trip(&context, [1.5f32, -0.0, f32::MAX]);
    round_trip(&context, [1.5f64, -2.0, f64::MIN]);
    round_trip(&context, [1.5, -2.0, 65504.0].map(F16::from_f32));
    round_trip(&context, [i8::MIN, 0, i8::MAX]);
    round_trip(&context, [i16::MIN, 0, i16::MAX]);
    round_trip(&context, [i32::MIN, 0, i32::MAX]);
    round_trip(&context, [i64::MIN, 0, i64::MAX]);
    round_trip(&context, [1u8, 0, u8::MAX]);
    round_trip(&context, [1u16, 0, u16::MAX]);
    round_trip(&context, [1u32, 0, u32::MAX]);
    round_trip(&context, [1u64, 0, u64::MAX]);
    round_trip(&context, [true, false, true]);
}
