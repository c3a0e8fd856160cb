//! y = gelu(x W + b): load, describe, compile, set parameters, run.
//! usage: gelu [PLUGIN.so] [cpu]. Without arguments the plugin is the one named by the environment's DAYBREAK_PLUGIN.
//! Prints the result and the device: the best one, or the CPU. The same as examples/gelu.c.

use daybreak::{DType, Device, Graph, GraphBuilder, Plugin, Role, TensorMut, TensorRef, Type};

fn describe() -> daybreak::Result<Graph<'static>> {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(DType::F32, [2, 3]));
    let w = graph.param("W", DType::F32, [3, 2]);
    let b = graph.param("b", DType::F32, [2]);
    let product = graph.node("MatMul").inputs([x, w]).output();
    let sum = graph.node("Add").inputs([product, b]).output();
    let y = graph.node("Gelu").input(sum).output();
    graph.output("y", y);
    graph.finish()
}

fn run(plugin: &str, cpu: bool) -> daybreak::Result<()> {
    let context = Plugin::load(plugin)?.context().host("gelu", "").build()?;
    let best = |devices: Vec<Device>| devices.into_iter().max_by_key(|device| device.info().score);
    let device = if cpu { context.cpu()? } else { best(context.devices()?).expect("the CPU is always there") };

    let mut executable = context.compile(&describe()?).device(&device).build()?;
    let (w, b) = (executable.find(Role::Param, "W")?, executable.find(Role::Param, "b")?);
    executable.set_param(w, &TensorRef::new(&[3, 2], &[0.5f32, -0.5, 0.25, 0.75, -1.0, 1.0]))?;
    executable.set_param(b, &TensorRef::new(&[2], &[0.5f32, -1.0]))?;
    executable.ready()?;

    let mut y = [0f32; 4];
    let x = [1f32, 2.0, 3.0, -1.0, 0.0, 1.0];
    let mut run = executable.create_run()?;
    run.run_with(&[TensorRef::new(&[2, 3], &x)], &mut [TensorMut::new(&[2, 2], &mut y)])?;
    println!("y = [[{:.4}, {:.4}], [{:.4}, {:.4}]]\ndevice: {}", y[0], y[1], y[2], y[3], device.info().name);
    Ok(())
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(plugin) = arguments.next().or_else(|| std::env::var("DAYBREAK_PLUGIN").ok()) else {
        eprintln!("usage: gelu PLUGIN.so [cpu]");
        std::process::exit(1);
    };
    if let Err(error) = run(&plugin, arguments.next().is_some()) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
