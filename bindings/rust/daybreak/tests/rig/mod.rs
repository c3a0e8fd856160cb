//! What the tests start from: the plugin under test, its devices, and a few graphs.
#![allow(dead_code)] // each test program uses a part of it

use daybreak::*;
use std::path::PathBuf;

/// The plugin named by DAYBREAK_PLUGIN, else that of the default build.
pub fn plugin() -> Plugin {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../build/dev/libdaybreak.so");
    let path = std::env::var_os("DAYBREAK_PLUGIN").map_or_else(default, PathBuf::from);
    assert!(path.exists(), "there is no plugin at {}: build it, or name one in DAYBREAK_PLUGIN", path.display());
    Plugin::load(&path).unwrap()
}

pub fn context() -> Context {
    plugin().context().host("daybreak-rs tests", "1").build().unwrap()
}

/// The CPU and every GPU that can be used.
pub fn usable_devices(context: &Context) -> Vec<Device> {
    let usable = |d: &Device| d.info().score > 0;
    context.devices().unwrap().into_iter().filter(usable).collect()
}

pub const X: [f32; 6] = [1.0, 2.0, 3.0, -1.0, 0.0, 1.0];
pub const W: [f32; 6] = [0.5, -0.5, 0.25, 0.75, -1.0, 1.0];
pub const B: [f32; 2] = [0.5, -1.0];
/// gelu(X W + B), from double precision.
pub const Y: [f32; 4] = [-0.100_210_8, 2.995_950_3, -0.158_655_25, 0.345_731_23];

/// y = gelu(x W + b), x of [2, 3], parameters W and b without data.
pub fn gelu_graph() -> Graph<'static> {
    gelu_graph_with(|graph| graph.param("b", DType::F32, [2]))
}

/// The same with another b.
pub fn gelu_graph_with(b: impl FnOnce(&mut GraphBuilder<'static>) -> Value) -> Graph<'static> {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(DType::F32, [2, 3]));
    let w = graph.param("W", DType::F32, [3, 2]);
    let b = b(&mut graph);
    let product = graph.node("MatMul").name("product").inputs([x, w]).output();
    let sum = graph.node("Add").name("sum").inputs([product, b]).output();
    let y = graph.node("Gelu").name("activation").input(sum).output();
    graph.output("y", y);
    graph.finish().unwrap()
}

/// The same, compiled for a device, with its parameters, ready.
pub fn gelu(context: &Context, device: &Device) -> Executable {
    let mut executable = context.compile(&gelu_graph()).device(device).build().unwrap();
    executable.set_param(0, &TensorRef::new(&[3, 2], &W)).unwrap();
    executable.set_param(1, &TensorRef::new(&[2], &B)).unwrap();
    executable.ready().unwrap();
    executable
}

/// y = x * x * ... as matrices of [n, n]: work that takes a while in many steps.
pub fn long_work(context: &Context, device: &Device, n: usize, steps: usize) -> Executable {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(DType::F32, [n, n]));
    let mut y = x;
    for _ in 0..steps {
        y = graph.node("MatMul").inputs([y, x]).output();
    }
    graph.output("y", y);
    let mut executable = context.compile(&graph.finish().unwrap()).device(device).build().unwrap();
    executable.ready().unwrap();
    executable
}

/// One node, one input and one output of the same type, ready.
pub fn unary(context: &Context, device: &Device, op: &str, dtype: DType, dims: &[i64]) -> Executable {
    let mut graph = GraphBuilder::new(20);
    let x = graph.input("x", Type::tensor(dtype, dims.iter().copied()));
    let y = graph.node(op).input(x).output();
    graph.output("y", y);
    let mut executable = context.compile(&graph.finish().unwrap()).device(device).build().unwrap();
    executable.ready().unwrap();
    executable
}

#[track_caller]
pub fn assert_close(actual: &[f32], expected: &[f32]) {
    assert_eq!(actual.len(), expected.len());
    for (i, (a, e)) in actual.iter().zip(expected).enumerate() {
        assert!((a - e).abs() <= 1e-5 * e.abs().max(1.0), "element {i}: {a}, expected {e}; all: {actual:?}");
    }
}

/// The error of something that must fail, with that status.
#[track_caller]
pub fn fails<T>(result: Result<T>, status: Status) -> Error {
    let Err(error) = result else { panic!("succeeds, but should fail with {status}") };
    assert_eq!(error.status(), status, "{error}");
    assert!(!error.causes().is_empty() && !error.message().is_empty());
    error
}
