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
    let verdicts = context.compile(&branching()).device(&context.cpu().unwrap()).check().unwrap();
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
    let counts = [Role::Input, Role::Output, Role::Param].map(|role| executable.count(role).unwrap());
    assert_eq!((counts, executable.symbol_count().unwrap()), ([1, 1, 2], 0));
    let x = executable.io(Role::Input, 0).unwrap();
    assert_eq!((x.name.as_str(), x.kind, x.dtype, x.data_set), ("x", ValueKind::Tensor, DType::F32, false));
    assert_eq!(x.dims, Some(vec![Dim::Fixed(2), Dim::Fixed(3)]));
    let y = executable.io(Role::Output, executable.find(Role::Output, "y").unwrap()).unwrap();
    assert_eq!((y.dtype, y.dims), (DType::F32, Some(vec![Dim::Fixed(2), Dim::Fixed(2)])));
    assert!(!executable.io(Role::Param, 0).unwrap().data_set);
    assert!(executable.report("plan").unwrap().contains("\"schema\""));
}

#[test]
fn names_have_any_length() {
    let name = "x".repeat(1000);
    let mut graph = GraphBuilder::new(20);
    let x = graph.input(&name, Type::tensor(DType::F32, [1]));
    let y = graph.node("Relu").input(x).output();
    graph.output("y", y);
    let executable = rig::context().compile(&graph.finish().unwrap()).build().unwrap();
    assert_eq!(executable.io(Role::Input, 0).unwrap().name, name);
    assert_eq!(executable.find(Role::Input, &name).unwrap(), 0);
}

#[test]
fn an_executable_knows_its_device_and_whether_it_is_ready() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let mut executable = context.compile(&rig::gelu_graph()).device(&device).build().unwrap();
        let info = executable.info().unwrap();
        assert_eq!((info.device, info.plan_only, info.ready), (device.index(), false, false));
        executable.set_param(0, &TensorRef::new(&[3, 2], &rig::W)).unwrap();
        executable.set_param(1, &TensorRef::new(&[2], &rig::B)).unwrap();
        assert!(!executable.info().unwrap().ready);
        executable.ready().unwrap();
        assert!(executable.info().unwrap().ready);
        executable.set_param(1, &TensorRef::new(&[2], &rig::B)).unwrap();
        assert!(!executable.info().unwrap().ready);
    }
}

#[test]
fn a_check_takes_the_description_of_a_compilation() {
    let context = rig::context();
    let (graph, cpu) = (rig::gelu_graph(), context.cpu().unwrap());
    let mut stages = Vec::new();
    let mut watch = |progress: Progress| {
        stages.push(progress.stage);
        std::ops::ControlFlow::Continue(())
    };
    let verdicts = context.compile(&graph).device(&cpu).progress(&mut watch).check().unwrap();
    assert!(verdicts.contains("\"runs\":true") && verdicts.contains("activation"), "{verdicts}");
    assert!(stages.contains(&Stage::Check), "{stages:?}");
    let require_gpu = Options::new().set("policy", "require_gpu");
    let verdicts = context.compile(&graph).device(&cpu).options(&require_gpu).check().unwrap();
    assert!(verdicts.contains("\"runs\":false"), "{verdicts}");
    rig::fails(context.compile(&graph).device(&cpu).options(&require_gpu).build(), Status::Unimplemented);
    let mut stop = |_| std::ops::ControlFlow::Break(());
    rig::fails(context.compile(&graph).progress(&mut stop).check(), Status::Cancelled);
    let there = rig::context();
    rig::fails(context.compile(&graph).device(&there.cpu().unwrap()).check(), Status::InvalidArgument);
}

#[test]
fn plans_do_not_run() {
    let context = rig::context();
    let mut executable = context.compile(&rig::gelu_graph()).device(&context.cpu().unwrap()).plan_only().build().unwrap();
    assert!(executable.info().unwrap().plan_only);
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
    for kind in ["device", "options", "ops", "stats"] {
        assert!(context.report(kind).unwrap().contains("\"schema\""), "{kind}");
    }
    let mut watch = |_| std::ops::ControlFlow::Continue(());
    let optional = Options::new().set_optional("no_such_option", 1);
    assert!(context.report_with("ops", Some(&optional), Some(&mut watch)).unwrap().contains("\"schema\""));
    let unknown = Options::new().set("no_such_option", 1);
    rig::fails(context.report_with("ops", Some(&unknown), None), Status::InvalidArgument);
}
