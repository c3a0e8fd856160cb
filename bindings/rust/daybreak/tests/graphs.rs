//! Graphs of every kind of part: attributes, constants, bodies, absent inputs; and what the plugin says about them.

mod rig;

use daybreak::*;

/// If(c) { x + x } else { x * x }, with bodies that use a value of the graph around them.
fn branching() -> Graph<'static> {
    let mut graph = GraphBuilder::new(20);
    let condition = graph.input("c", Type::tensor(DType::BOOL, [0i64; 0]));
    let x = graph.input("x", Type::tensor(DType::F32, [2]));
    let body = |op: &'static str| {
        move |graph: &mut GraphBuilder<'static>| {
            let y = graph.node(op).inputs([x, x]).output();
            graph.output("", y);
        }
    };
    let then_branch = graph.block("then", body("Add"));
    let else_branch = graph.block("else", body("Mul"));
    let choice = graph.node("If").name("choice").input(condition);
    let y = choice.attr("then_branch", then_branch).attr("else_branch", else_branch).output();
    graph.output("y", y);
    graph.finish().unwrap()
}

#[test]
fn bodies_are_understood() {
    let context = rig::context();
    let verdicts = context.check(&branching(), Some(&context.cpu().unwrap()), None).unwrap();
    assert!(verdicts.contains("\"schema\"") && verdicts.contains("daybreak.check/1") && verdicts.contains("If"), "{verdicts}");
    match context.compile(&branching()).device(&context.cpu().unwrap()).build() {
        Err(error) => assert!(error.status() == Status::Unimplemented && error.message().contains("If"), "{error}"),
        Ok(mut executable) => {
            executable.ready().unwrap();
            let mut run = executable.create_run().unwrap();
            for (condition, expected) in [(true, [6f32, 8.0]), (false, [9.0, 16.0])] {
                run.bind_input(0, &TensorRef::new(&[], &[condition])).unwrap();
                run.bind_input(1, &TensorRef::new(&[2], &[3f32, 4.0])).unwrap();
                run.run().unwrap();
                assert_eq!(run.read::<f32>(0).unwrap(), expected);
            }
        }
    }
}

#[test]
fn attributes_and_constants_steer() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let mut graph = GraphBuilder::new(20);
        let x = graph.input("x", Type::tensor(DType::F32, [2, 3]));
        let turned = graph.node("Transpose").attr("perm", [1i64, 0]).input(x).output();
        let shape = graph.constant([1], &[-1i64]);
        let flat = graph.node("Reshape").inputs([turned, shape]).output();
        let leaky = graph.node("LeakyRelu").attr("alpha", 0.5).input(flat).output();
        graph.output("y", leaky);
        let mut executable = context.compile(&graph.finish().unwrap()).device(&device).build().unwrap();
        executable.ready().unwrap();
        let mut run = executable.create_run().unwrap();
        run.bind_input(0, &TensorRef::new(&[2, 3], &rig::X)).unwrap();
        run.run().unwrap();
        assert_eq!(run.read::<f32>(0).unwrap(), [1.0, -0.5, 2.0, 0.0, 3.0, 1.0]);
    }
}

#[test]
fn an_absent_input_is_not_the_next_one() {
    let context = rig::context();
    // Slice with axes left out but steps given.
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(DType::F32, [6]));
    let (from, to, step) = (graph.constant([1], &[0i64]), graph.constant([1], &[6i64]), graph.constant([1], &[2i64]));
    let y = graph.node("Slice").inputs([x, from, to]).no_input().input(step).output();
    graph.output("y", y);
    let mut executable = context.compile(&graph.finish().unwrap()).device(&context.cpu().unwrap()).build().unwrap();
    executable.ready().unwrap();
    let mut run = executable.create_run().unwrap();
    run.bind_input(0, &TensorRef::new(&[6], &rig::X)).unwrap();
    run.run().unwrap();
    assert_eq!(run.read::<f32>(0).unwrap(), [1.0, 3.0, 0.0]);
}

#[test]
fn an_executable_describes_itself() {
    let context = rig::context();
    let executable = context.compile(&rig::gelu_graph()).device(&context.cpu().unwrap()).build().unwrap();
    let counts = [Role::Input, Role::Output, Role::Param, Role::Symbol].map(|role| executable.count(role).unwrap());
    assert_eq!(counts, [1, 1, 2, 0]);
    let x = executable.info(Role::Input, 0).unwrap();
    assert_eq!((x.name.as_str(), x.dtype, &x.dims[..], x.data_set), ("x", DType::F32, &[2, 3][..], false));
    let y = executable.info(Role::Output, executable.find(Role::Output, "y").unwrap()).unwrap();
    assert_eq!((y.dtype, &y.dims[..]), (DType::F32, &[2, 2][..]));
    assert!(!executable.info(Role::Param, 0).unwrap().data_set);
    assert!(executable.report("plan").unwrap().contains("\"schema\""));
}

#[test]
fn plans_do_not_run() {
    let context = rig::context();
    let mut executable = context.compile(&rig::gelu_graph()).device(&context.cpu().unwrap()).plan_only().build().unwrap();
    assert!(executable.stats().unwrap().activation_bytes > 0);
    let outcome = executable.ready().and_then(|()| executable.create_run().map(drop));
    rig::fails(outcome, Status::FailedPrecondition);
}

#[test]
fn plugin_devices_and_reports() {
    let plugin = rig::plugin();
    assert_eq!(plugin.info().id, "daybreak");
    assert!(plugin.info().abi_min <= (1, 0) && (1, 0) <= plugin.info().abi_max);
    assert!(!plugin.info().version.is_empty() && !plugin.info().build.is_empty());
    let context = plugin.context().build().unwrap();
    for device in context.devices().unwrap() {
        println!("{:?}", device.info());
    }
    let cpu = context.cpu().unwrap();
    assert_eq!((cpu.info().kind, cpu.info().api), (DeviceKind::Cpu, GraphicsApi::None));
    assert!(cpu.info().score > 0 && !cpu.info().name.is_empty() && cpu.info().features.contains(Features::BORROW));
    for kind in ["device", "options", "ops"] {
        assert!(context.report(kind).unwrap().contains("\"schema\""), "{kind}");
    }
}
