//! What is bound to a run: taken away, at any alignment, and held as long as the plugin has it.

mod rig;

use daybreak::*;
use rig::fails;
use std::sync::Arc;

#[test]
fn an_unbound_input_is_missing_and_its_memory_free() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = rig::gelu(&context, &device);
        let mut run = executable.create_run().unwrap();
        let x: Arc<[f32]> = rig::X.into();
        run.bind_input_shared(0, &[2, 3], &x.clone().into()).unwrap();
        run.run().unwrap();
        assert!(Arc::strong_count(&x) > 1);
        run.unbind_input(0).unwrap();
        assert_eq!(Arc::strong_count(&x), 1);
        let error = fails(run.run(), Status::FailedPrecondition);
        assert!(error.message().contains('x'), "names the input: {error}");
        run.unbind_input(0).unwrap();
        fails(run.unbind_input(1), Status::OutOfRange);
        run.bind_input_shared(0, &[2, 3], &x.into()).unwrap();
        run.run().unwrap();
        rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);
    }
}

#[test]
fn a_run_that_borrowed_its_input_may_unbind_it() {
    let context = rig::context();
    let executable = rig::gelu(&context, &context.cpu().unwrap());
    let mut run = executable.create_run().unwrap();
    let mut y = [0f32; 4];
    run.run_with(&[TensorRef::new(&[2, 3], &rig::X)], &mut [TensorMut::new(&[2, 2], &mut y)]).unwrap();
    let error = fails(run.run(), Status::FailedPrecondition);
    assert!(error.message().contains("run_with"), "{error}");
    run.unbind_input(0).unwrap();
    let error = fails(run.run(), Status::FailedPrecondition);
    assert!(!error.message().contains("run_with"), "now the plugin says it: {error}");
}

/// The memory may be gone by then.
#[test]
fn what_was_written_to_borrowed_memory_is_not_read_again() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = rig::gelu(&context, &device);
        let mut run = executable.create_run().unwrap();
        let mut y = vec![0f32; 4];
        run.run_with(&[TensorRef::new(&[2, 3], &rig::X)], &mut [TensorMut::new(&[2, 2], &mut y)]).unwrap();
        rig::assert_close(&y, &rig::Y);
        drop(y);
        fails(run.read::<f32>(0), Status::FailedPrecondition);
    }
}

/// A failed run_with leaves nothing behind that the next run could touch.
#[test]
fn a_run_that_was_refused_forgets_what_it_borrowed() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = rig::gelu(&context, &device);
        let mut run = executable.create_run().unwrap();
        let (x, mut y, mut more) = (TensorRef::new(&[2, 3], &rig::X), [0f32; 4], [0f32; 4]);
        let mut outputs = [TensorMut::new(&[2, 2], &mut y), TensorMut::new(&[2, 2], &mut more)];
        fails(run.run_with(std::slice::from_ref(&x), &mut outputs), Status::OutOfRange);
        run.bind_input(0, &x).unwrap();
        run.run().unwrap();
        rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);
        assert_eq!(y, [0.0; 4], "the later run wrote to its own memory");
    }
}

/// Elements at an odd address, as in a file.
fn odd(values: &[f32]) -> Vec<u8> {
    let mut bytes = vec![0u8; values.len() * 4 + 8];
    let start = bytes.as_ptr().align_offset(4) + 1;
    bytes[start..][..values.len() * 4].copy_from_slice(&values.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<u8>>());
    bytes
}

struct Odd(Vec<u8>, usize);

impl AsRef<[u8]> for Odd {
    fn as_ref(&self) -> &[u8] {
        &self.0[self.0.as_ptr().align_offset(4) + 1..][..self.1]
    }
}

fn odd_shared(values: &[f32]) -> Shared {
    Shared::from_owner(DType::F32, Odd(odd(values), values.len() * 4)).unwrap()
}

#[test]
fn memory_needs_no_alignment() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let mut executable = context.compile(&rig::gelu_graph()).device(&device).build().unwrap();
        executable.set_param_shared(0, &[3, 2], &odd_shared(&rig::W)).unwrap();
        executable.set_param_shared(1, &[2], &odd_shared(&rig::B)).unwrap();
        executable.ready().unwrap();
        let mut run = executable.create_run().unwrap();
        run.bind_input_shared(0, &[2, 3], &odd_shared(&rig::X)).unwrap();
        run.run().unwrap();
        rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);

        let (x, mut y) = (Odd(odd(&rig::X), 24), odd(&[0.0; 4]));
        let start = y.as_ptr().align_offset(4) + 1;
        let output = TensorMut::from_bytes(DType::F32, &[2, 2], &mut y[start..start + 16]).unwrap();
        run.run_with(&[TensorRef::from_bytes(DType::F32, &[2, 3], x.as_ref()).unwrap()], &mut [output]).unwrap();
        let floats: Vec<f32> = y[start..].chunks_exact(4).take(4).map(|b| f32::from_ne_bytes(b.try_into().unwrap())).collect();
        rig::assert_close(&floats, &rig::Y);
    }
}

/// Any byte but 0 is true, wherever it comes from.
#[test]
fn truth_values_are_read_as_the_plugin_reads_them() {
    let mut graph = GraphBuilder::new(20);
    let c = graph.input("c", Type::tensor(DType::BOOL, [3]));
    let k = graph.constant([3], Data::from_bytes(DType::BOOL, &[0, 9, 1]).unwrap());
    let (x, y) = (graph.constant([3], &[1f32; 3]), graph.constant([3], &[0f32; 3]));
    let chosen = graph.node("Where").inputs([c, x, y]).output();
    let fixed = graph.node("Where").inputs([k, x, y]).output();
    let same = graph.node("Identity").input(c).output();
    for (name, value) in [("chosen", chosen), ("fixed", fixed), ("same", same)] {
        graph.output(name, value);
    }
    let graph = graph.finish().unwrap();
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let mut executable = context.compile(&graph).device(&device).build().unwrap();
        executable.ready().unwrap();
        let mut run = executable.create_run().unwrap();
        run.bind_input(0, &TensorRef::from_bytes(DType::BOOL, &[3], &[7, 0, 1]).unwrap()).unwrap();
        run.run().unwrap();
        assert_eq!(run.read::<f32>(0).unwrap(), [1.0, 0.0, 1.0]);
        assert_eq!(run.read::<f32>(1).unwrap(), [0.0, 1.0, 1.0]);
        assert_eq!(run.read::<bool>(2).unwrap().into_iter().map(u8::from).collect::<Vec<_>>(), [1, 0, 1]);
    }
}

/// Elements that decide shapes are borrowed like others.
#[test]
fn inputs_that_decide_shapes() {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(DType::F32, [2, 3]));
    let shape = graph.input("shape", Type::tensor(DType::I64, [2]));
    let y = graph.node("Reshape").inputs([x, shape]).output();
    graph.output("y", y);
    let graph = graph.finish().unwrap();
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let mut executable = context.compile(&graph).device(&device).build().unwrap();
        executable.ready().unwrap();
        let inputs = [0, 1].map(|index| executable.io(Role::Input, index).unwrap().shape_input);
        assert_eq!(inputs, [false, true]);
        let mut run = executable.create_run().unwrap();
        for dims in [[3, 2], [6, 1], [1, 6]] {
            let (shape, mut y) = (dims.to_vec(), [0f32; 6]);
            let inputs = [TensorRef::new(&[2, 3], &rig::X), TensorRef::new(&[2], &shape)];
            run.run_with(&inputs, &mut [TensorMut::new(&dims, &mut y)]).unwrap();
            assert_eq!(y, rig::X);
            drop(shape);
            assert_eq!(run.shape(Role::Output, 0).unwrap().dims, Some(dims.map(Some).to_vec()));
        }
        fails(run.run(), Status::FailedPrecondition);
    }
}
