//! Extents that only a run knows.

mod rig;

use daybreak::*;
use rig::fails;

/// z = x + y, both of [N, 2], N within 1..=8.
fn compile(context: &Context, device: &Device) -> Executable {
    let mut graph = GraphBuilder::new(20);
    let n = graph.symbol("N", 1..=8);
    let x = graph.input("x", Type::tensor(DType::F32, [n.into(), Dim::Fixed(2)]));
    let y = graph.input("y", Type::tensor(DType::F32, [n.into(), Dim::Fixed(2)]));
    let z = graph.node("Add").inputs([x, y]).output();
    graph.output("z", z);
    let mut executable = context.compile(&graph.finish().unwrap()).device(device).build().unwrap();
    executable.ready().unwrap();
    executable
}

#[test]
fn symbols_are_described() {
    let context = rig::context();
    let executable = compile(&context, &context.cpu().unwrap());
    assert_eq!(executable.symbol_count().unwrap(), 1);
    let n = executable.find_symbol("N").unwrap();
    let info = executable.symbol(n).unwrap();
    assert_eq!((info.name.as_str(), info.min, info.max, info.multiple_of), ("N", 1, Some(8), 1));
    let dims = executable.io(Role::Input, 0).unwrap().dims.unwrap();
    assert!(matches!(dims[..], [Dim::Symbol(symbol), Dim::Fixed(2)] if symbol.index() == n), "{dims:?}");
}

#[test]
fn symbols_without_bound() {
    let mut graph = GraphBuilder::new(20);
    let n = graph.symbol_multiple("N", 4.., 4);
    let x = graph.input("x", Type::tensor(DType::F32, [n]));
    let y = graph.node("Relu").input(x).output();
    graph.output("y", y);
    let executable = rig::context().compile(&graph.finish().unwrap()).build().unwrap();
    let info = executable.symbol(n.index()).unwrap();
    assert_eq!((info.min, info.max, info.multiple_of), (4, None, 4));
}

#[test]
fn extents_come_from_set_dim_or_from_bindings() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = compile(&context, &device);
        let mut run = executable.create_run().unwrap();
        run.set_dim(0, 4).unwrap();
        let shape = run.shape(Role::Output, 0).unwrap();
        assert_eq!(shape, Shape { dims: Some(vec![Some(4), Some(2)]), exact: true });
        run.forget_dim(0).unwrap();
        for n in [4i64, 1, 8, 3] {
            let x: Vec<f32> = (0..2 * n).map(|i| i as f32).collect();
            let (dims, mut z) = ([n, 2], vec![0f32; x.len()]);
            let inputs = [TensorRef::new(&dims, &x), TensorRef::new(&dims, &x)];
            run.run_with(&inputs, &mut [TensorMut::new(&dims, &mut z)]).unwrap();
            assert!(z.iter().zip(&x).all(|(z, x)| *z == 2.0 * x), "{z:?}");
            run.bind_input(0, &inputs[0]).unwrap();
            run.bind_input(1, &inputs[1]).unwrap();
            run.run().unwrap();
            assert_eq!(run.read::<f32>(0).unwrap(), z);
        }
    }
}

#[test]
fn extents_outside_the_range_are_refused() {
    let context = rig::context();
    let executable = compile(&context, &context.cpu().unwrap());
    let mut run = executable.create_run().unwrap();
    fails(run.set_dim(0, 9), Status::OutOfRange);
    fails(run.set_dim(0, 0), Status::OutOfRange);
    run.bind_input(0, &TensorRef::new(&[9, 2], &[0f32; 18])).unwrap_err();
}

#[test]
fn contradictions_do_not_run() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let executable = compile(&context, &device);
        let mut run = executable.create_run().unwrap();
        let data = [1f32; 16];
        let (four, five) = (TensorRef::new(&[4, 2], &data), TensorRef::new(&[5, 2], &data));
        run.bind_input(0, &four).unwrap();
        run.bind_input(1, &five).unwrap();
        let error = fails(run.run(), Status::FailedPrecondition);
        assert!(error.message().contains('x'), "names the tensor with the older extent: {error}");
        run.bind_input(0, &five).unwrap();
        run.run().unwrap();
        assert_eq!(run.read::<f32>(0).unwrap(), [2.0; 10]);
        run.set_dim(0, 4).unwrap();
        fails(run.bind_input(0, &five), Status::InvalidArgument);
        fails(run.run(), Status::FailedPrecondition);
        run.forget_dim(0).unwrap();
        run.bind_input(0, &five).unwrap();
        run.bind_input(1, &five).unwrap();
        run.run().unwrap();
    }
}

#[test]
fn inputs_of_unknown_rank() {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::unknown_rank(DType::F32));
    let y = graph.declare(Type::unknown_rank(DType::F32));
    graph.node("Relu").input(x).into_values([Some(y)]);
    graph.output("y", y);
    let context = rig::context();
    let mut executable = context.compile(&graph.finish().unwrap()).device(&context.cpu().unwrap()).build().unwrap();
    executable.ready().unwrap();
    assert_eq!(executable.io(Role::Input, 0).unwrap().dims, None);
    let mut run = executable.create_run().unwrap();
    assert_eq!(run.shape(Role::Input, 0).unwrap(), Shape { dims: None, exact: false });
    run.bind_input(0, &TensorRef::new(&[1, 3, 1], &[-1f32, 0.0, 2.0])).unwrap();
    run.run().unwrap();
    assert_eq!(run.shape(Role::Output, 0).unwrap().dims, Some(vec![Some(1), Some(3), Some(1)]));
    assert_eq!(run.read::<f32>(0).unwrap(), [0.0, 0.0, 2.0]);
}
