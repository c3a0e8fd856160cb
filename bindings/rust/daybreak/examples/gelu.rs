//! y = gelu(x W + b): load, describe, compile, set parameters, run. The same job as examples/gelu.c.
//! usage: gelu [PLUGIN.so] [DEVICE]. Without arguments the plugin is the one named by the environment's DAYBREAK_PLUGIN
//! and the device the best one; DEVICE is cpu, gpu, an index or part of a name.

use daybreak::{DType, Graph, GraphBuilder, Options, Plugin, Role, TensorMut, TensorRef, Type};

fn describe() -> daybreak::Result<Graph<'static>> {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(DType::F32, [2, 3]));
    let w = graph.param("W", DType::F32, [3, 2]);
    let b = graph.param("b", DType::F32, [2]);
    let sum = graph.node("Gemm").inputs([x, w, b]).output();
    let y = graph.node("Gelu").input(sum).output();
    graph.output("y", y);
    graph.finish()
}

fn run(plugin: &str, device: &str) -> daybreak::Result<()> {
    let context = Plugin::load(plugin)?.context().host("gelu", "").build()?;
    let options = Options::new().set("device", device);
    let mut executable = context.compile(&describe()?).options(&options).build()?;
    let (w, b) = (executable.find(Role::Param, "W")?, executable.find(Role::Param, "b")?);
    executable.set_param(w, &TensorRef::new(&[3, 2], &[0.5f32, -0.5, 0.25, 0.75, -1.0, 1.0]))?;
    executable.set_param(b, &TensorRef::new(&[2], &[0.5f32, -1.0]))?;
    executable.ready()?;

    let mut y = [0f32; 4];
    let x = [1f32, 2.0, 3.0, -1.0, 0.0, 1.0];
    let mut run = executable.create_run()?;
    run.run_with(&[TensorRef::new(&[2, 3], &x)], &mut [TensorMut::new(&[2, 2], &mut y)])?;
    println!("y = [[{:.4}, {:.4}], [{:.4}, {:.4}]]", y[0], y[1], y[2], y[3]);
    Ok(())
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(plugin) = arguments.next().or_else(|| std::env::var("DAYBREAK_PLUGIN").ok()) else {
        eprintln!("usage: gelu PLUGIN.so [DEVICE]");
        std::process::exit(2);
    };
    if let Err(error) = run(&plugin, &arguments.next().unwrap_or_default()) {
        eprintln!("gelu: {error}");
        std::process::exit(1);
    }
}
