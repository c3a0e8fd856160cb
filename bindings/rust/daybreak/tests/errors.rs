//! What goes wrong says so: the status, the culprit, every cause.

mod rig;

use daybreak::*;
use rig::fails;

#[test]
fn a_missing_library_is_named() {
    let error = fails(Plugin::load("/nowhere/libdaybreak.so"), Status::NotFound);
    assert!(error.message().contains("/nowhere/libdaybreak.so"), "{error}");
}

#[test]
fn unknown_options_are_named() {
    let plugin = rig::plugin();
    let unknown = Options::new().set("no_such_option", 1);
    let error = fails(plugin.context().options(&unknown).build(), Status::InvalidArgument);
    assert!(error.message().contains("no_such_option"), "{error}");

    let context = plugin.context().options(&Options::new().set_optional("no_such_option", "x")).build().unwrap();
    let graph = rig::gelu_graph();
    let error = fails(context.compile(&graph).options(&unknown).build(), Status::InvalidArgument);
    assert!(error.message().contains("no_such_option"), "{error}");
    context.compile(&graph).options(&Options::new().set_optional("no_such_option", true)).build().unwrap();
    fails(context.compile(&graph).options(&unknown).check(), Status::InvalidArgument);
    let executable = rig::gelu(&context, &context.cpu().unwrap());
    fails(executable.create_run_with(&unknown), Status::InvalidArgument);
    executable.create_run_with(&Options::new().set_optional("no_such_option", 0.5)).unwrap();
}

#[test]
fn names_and_indices_that_do_not_exist() {
    let context = rig::context();
    let executable = rig::gelu(&context, &context.cpu().unwrap());
    let error = fails(executable.find(Role::Param, "WW"), Status::NotFound);
    assert!(error.message().contains("\"W\"") || error.message().contains("W"), "{error}");
    fails(executable.find(Role::Input, "W"), Status::NotFound);
    fails(executable.io(Role::Input, 1), Status::OutOfRange);
    fails(executable.find_symbol("N"), Status::NotFound);
    fails(executable.symbol(0), Status::OutOfRange);
    fails(context.device(99), Status::OutOfRange);
    let mut run = executable.create_run().unwrap();
    let x = TensorRef::new(&[2, 3], &rig::X);
    fails(run.bind_input(7, &x), Status::OutOfRange);
    fails(run.shape(Role::Output, 7), Status::OutOfRange);
    fails(run.read::<f32>(7), Status::OutOfRange);
    fails(run.set_dim(0, 1), Status::OutOfRange);
    fails(run.set_dim(0, -5), Status::OutOfRange);
    fails(executable.report("no_such_report"), Status::NotFound);
}

#[test]
fn tensors_that_do_not_fit() {
    let context = rig::context();
    let mut executable = rig::gelu(&context, &context.cpu().unwrap());
    fails(executable.set_param(0, &TensorRef::new(&[3, 2], &[0f64; 6])), Status::InvalidArgument);
    fails(executable.set_param(0, &TensorRef::new(&[2, 3], &rig::W)), Status::InvalidArgument);
    let mut run = executable.create_run().unwrap();
    let error = fails(run.bind_input(0, &TensorRef::new(&[2, 3], &[0f64; 6])), Status::InvalidArgument);
    assert!(error.message().contains('x'), "names the input: {error}");
    fails(run.bind_input(0, &TensorRef::new(&[3, 2], &rig::X)), Status::InvalidArgument);
    run.bind_input(0, &TensorRef::new(&[2, 3], &rig::X[..5])).unwrap_err();
    let (x, mut small) = (TensorRef::new(&[2, 3], &rig::X), [0f32; 3]);
    run.run_with(std::slice::from_ref(&x), &mut [TensorMut::new(&[2, 2], &mut small)]).unwrap_err();
    let mut y = [0u8; 4];
    fails(run.run_with(std::slice::from_ref(&x), &mut [TensorMut::new(&[2, 2], &mut y)]), Status::InvalidArgument);
    run.bind_input(0, &x).unwrap();
    run.run().unwrap();
    let error = fails(run.read::<i32>(0), Status::InvalidArgument);
    assert!(error.message().contains("F32"), "{error}");
    fails(run.read_range(0, 3, &mut [0f32; 2]), Status::OutOfRange);
}

#[test]
fn the_wrong_moment() {
    let context = rig::context();
    let mut executable = context.compile(&rig::gelu_graph()).device(&context.cpu().unwrap()).build().unwrap();
    fails(executable.create_run(), Status::FailedPrecondition);
    let error = fails(executable.ready(), Status::FailedPrecondition);
    assert_eq!(error.causes().len(), 2, "both parameters are named: {error}");
    assert!(error.causes()[0].message.contains('W') && error.causes()[1].message.contains('b'), "{error}");

    let executable = rig::gelu(&context, &context.cpu().unwrap());
    let mut run = executable.create_run().unwrap();
    fails(run.run(), Status::FailedPrecondition);
    fails(run.read::<f32>(0), Status::FailedPrecondition);
    // Memory of a run_with that is over must not be read again.
    let mut y = [0f32; 4];
    run.run_with(&[TensorRef::new(&[2, 3], &rig::X)], &mut [TensorMut::new(&[2, 2], &mut y)]).unwrap();
    let error = fails(run.run(), Status::FailedPrecondition);
    assert!(error.message().contains("input 0"), "{error}");
    fails(run.start(&RunOptions::new()), Status::FailedPrecondition);
    run.bind_input(0, &TensorRef::new(&[2, 3], &rig::X)).unwrap();
    run.run().unwrap();
}

#[test]
fn every_culprit_of_a_graph_is_reported() {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(DType::F32, [2, 3]));
    let a = graph.node("Add").name("first").input(x).output();
    let b = graph.node("Mul").name("second").input(x).output();
    graph.output("a", a);
    graph.output("b", b);
    let context = rig::context();
    let error = fails(context.compile(&graph.finish().unwrap()).build(), Status::InvalidArgument);
    assert!(error.causes().len() >= 2, "{error}");
    let nodes: Vec<_> = error.causes().iter().filter_map(|cause| cause.node).collect();
    assert!(nodes.contains(&0) && nodes.contains(&1), "{nodes:?}: {error}");
}

#[test]
fn unknown_ops_are_named() {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(DType::F32, [2, 3]));
    let y = graph.node("NoSuchOp").name("odd").input(x).output();
    graph.output("y", y);
    let error = fails(rig::context().compile(&graph.finish().unwrap()).build(), Status::Unimplemented);
    assert!(error.message().contains("NoSuchOp") && error.causes()[0].node == Some(0), "{error}");
}

#[test]
fn mistakes_of_the_builder_are_collected() {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(DType::F32, [-2]));
    #[allow(clippy::reversed_empty_ranges)]
    graph.symbol("N", 5..=3);
    // A maximum of 0 would mean "no maximum" to the plugin.
    graph.symbol("M", 0..=0);
    graph.output("y", x);
    let error = fails(graph.finish(), Status::InvalidArgument);
    assert_eq!(error.causes().len(), 4, "{error}");
}

#[test]
fn objects_of_different_contexts_do_not_meet() {
    let (here, there) = (rig::context(), rig::context());
    let graph = rig::gelu_graph();
    fails(here.compile(&graph).device(&there.cpu().unwrap()).build(), Status::InvalidArgument);
    let executable = rig::gelu(&here, &here.cpu().unwrap());
    fails(there.compile(&graph).share(&executable).build(), Status::InvalidArgument);
    let mut buffer = there.create_buffer(&there.cpu().unwrap(), BufferUsage::All, 64).unwrap();
    let mut run = executable.create_run().unwrap();
    fails(run.bind_input_buffer(0, DType::F32, &[2, 3], &mut buffer, 0), Status::InvalidArgument);
}
