//! Parameters: given, replaced, taken away, shared by executables; and how long the memory they lie in is held.

mod rig;

use daybreak::*;
use rig::fails;
use std::sync::Arc;

fn memory(data: &[f32]) -> Arc<[f32]> {
    data.into()
}

fn held(memory: &Arc<[f32]>) -> bool {
    Arc::strong_count(memory) > 1
}

#[track_caller]
fn yields(executable: &Executable, expected: &[f32]) {
    let mut y = [0f32; 4];
    let x = TensorRef::new(&[2, 3], &rig::X);
    executable.create_run().unwrap().run_with(&[x], &mut [TensorMut::new(&[2, 2], &mut y)]).unwrap();
    rig::assert_close(&y, expected);
}

/// gelu(B) in each row: what W = 0 yields.
const Y_WITHOUT_W: [f32; 4] = [0.345_731_23, -0.158_655_25, 0.345_731_23, -0.158_655_25];

/// The golden graph with W in borrowed memory, set later, and b in borrowed memory, given with the graph.
fn lent(context: &Context, device: &Device, w: &Arc<[f32]>, b: &Arc<[f32]>) -> Executable {
    let graph = rig::gelu_graph_with(|graph| graph.param_with("b", [2], Shared::from(b.clone())));
    let mut executable = context.compile(&graph).device(device).build().unwrap();
    executable.set_param_shared(0, &[3, 2], &w.clone().into()).unwrap();
    executable.ready().unwrap();
    executable
}

fn sharing(context: &Context, device: &Device, source: &Executable) -> Executable {
    let mut executable = context.compile(&rig::gelu_graph()).device(device).share(source).build().unwrap();
    executable.ready().unwrap();
    executable
}

#[test]
fn shared_memory_stays_alive_and_is_given_back() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let (w, b, x) = (memory(&rig::W), memory(&rig::B), memory(&rig::X));
        let mut executable = context.compile(&rig::gelu_graph()).device(&device).build().unwrap();
        executable.set_param_shared(0, &[3, 2], &w.clone().into()).unwrap();
        executable.set_param_shared(1, &[2], &b.clone().into()).unwrap();
        executable.ready().unwrap();
        let mut run = executable.create_run().unwrap();
        run.bind_input_shared(0, &[2, 3], &x.clone().into()).unwrap();
        assert!(held(&w) && held(&b) && held(&x));
        run.run().unwrap();
        rig::assert_close(&run.read::<f32>(0).unwrap(), &rig::Y);

        run.bind_input(0, &TensorRef::new(&[2, 3], &rig::X)).unwrap();
        assert!(!held(&x), "replaced by another binding");
        executable.set_param(0, &TensorRef::new(&[3, 2], &rig::W)).unwrap();
        assert!(held(&w), "in use until ready again");
        executable.ready().unwrap();
        assert!(!held(&w) && held(&b));
        drop(executable);
        assert!(held(&b), "the run keeps its executable");
        drop(run);
        assert!(!held(&b));
    }
}

/// The plugin may look at data of the graph for the life of the executable, also at values replaced since.
#[test]
fn data_of_the_graph_is_held_until_the_end() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let (w, b, one) = (memory(&rig::W), memory(&rig::B), memory(&[1.0]));
        let graph = rig::gelu_graph_with(|graph| {
            let b = graph.param_with("b", [2], Shared::from(b.clone()));
            let one = graph.constant([1], Shared::from(one.clone()));
            graph.node("Mul").inputs([b, one]).output()
        });
        let mut executable = context.compile(&graph).device(&device).build().unwrap();
        drop(graph);
        executable.set_param_shared(0, &[3, 2], &w.clone().into()).unwrap();
        executable.set_param(1, &TensorRef::new(&[2], &rig::B)).unwrap();
        executable.ready().unwrap();
        assert!(held(&w) && held(&b) && held(&one));
        yields(&executable, &rig::Y);
        drop(executable);
        assert!(!held(&w) && !held(&b) && !held(&one));
    }
}

#[test]
fn a_parameter_taken_away_is_missing() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let (w, b) = (memory(&rig::W), memory(&rig::B));
        let mut executable = lent(&context, &device, &w, &b);
        assert!(executable.info().unwrap().ready && executable.io(Role::Param, 0).unwrap().data_set);
        executable.remove_param(0).unwrap();
        assert!(!executable.info().unwrap().ready && !executable.io(Role::Param, 0).unwrap().data_set);
        fails(executable.create_run(), Status::FailedPrecondition);
        let error = fails(executable.ready(), Status::FailedPrecondition);
        assert!(error.causes().len() == 1 && error.message().contains('W'), "{error}");
        assert!(held(&w), "in use until ready again");
        executable.set_param(0, &TensorRef::new(&[3, 2], &rig::W)).unwrap();
        executable.ready().unwrap();
        assert!(!held(&w) && executable.info().unwrap().ready);
        yields(&executable, &rig::Y);
        fails(executable.remove_param(2), Status::OutOfRange);
    }
}

#[test]
fn executables_share_copies() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let first = rig::gelu(&context, &device);
        let second = sharing(&context, &device, &first);
        drop(first);
        yields(&second, &rig::Y);
    }
}

#[test]
fn shared_memory_outlives_the_executable_that_borrowed_it() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let (w, b) = (memory(&rig::W), memory(&rig::B));
        let first = lent(&context, &device, &w, &b);
        let second = sharing(&context, &device, &first);
        drop(first);
        assert!(held(&w) && held(&b), "the second one uses what set_param and the graph of the first one lent");
        yields(&second, &rig::Y);
        drop(second);
        assert!(!held(&w) && !held(&b));
    }
}

#[test]
fn replacing_a_shared_value_frees_its_memory_when_nobody_has_it() {
    let context = rig::context();
    for device in rig::usable_devices(&context) {
        let (w, b, zero) = (memory(&rig::W), memory(&rig::B), memory(&[0.0; 6]));
        let mut first = lent(&context, &device, &w, &b);
        let mut second = sharing(&context, &device, &first);
        // The first one lets go.
        first.set_param_shared(0, &[3, 2], &zero.clone().into()).unwrap();
        first.ready().unwrap();
        assert!(held(&w), "the second one still has it");
        yields(&first, &Y_WITHOUT_W);
        yields(&second, &rig::Y);
        // A third one gets what the second one has, not what the first one has by now.
        let third = sharing(&context, &device, &second);
        second.remove_param(0).unwrap();
        second.set_param_shared(0, &[3, 2], &zero.clone().into()).unwrap();
        second.ready().unwrap();
        drop(first);
        assert!(held(&w) && held(&b) && held(&zero));
        yields(&second, &Y_WITHOUT_W);
        yields(&third, &rig::Y);
        drop(third);
        assert!(!held(&w), "nobody has it any more");
        assert!(held(&b) && held(&zero));
        drop(second);
        assert!(!held(&b) && !held(&zero));
    }
}

/// Each executable takes over from the one before and replaces a value: only the present values may be held.
#[test]
fn a_chain_of_sharing_does_not_pile_up_memory() {
    let context = rig::context();
    let device = context.cpu().unwrap();
    let (w, b) = (memory(&rig::W), memory(&rig::B));
    let mut last = lent(&context, &device, &w, &b);
    let mut generations = vec![w];
    for _ in 0..4 {
        let mut next = sharing(&context, &device, &last);
        let w = memory(&rig::W);
        next.set_param_shared(0, &[3, 2], &w.clone().into()).unwrap();
        next.ready().unwrap();
        generations.push(w);
        last = next;
    }
    let held: Vec<bool> = generations.iter().map(held).collect();
    assert_eq!(held, [false, false, false, false, true]);
    assert!(Arc::strong_count(&b) > 1);
    yields(&last, &rig::Y);
}

#[test]
fn only_what_is_shared_is_held() {
    let context = rig::context();
    let device = context.cpu().unwrap();
    let (w, b) = (memory(&rig::W), memory(&rig::B));
    let first = lent(&context, &device, &w, &b);
    // b comes with the graph, so it is not taken from the first one.
    let graph = rig::gelu_graph_with(|graph| graph.param_with("b", [2], vec![0.5f32, -1.0]));
    let mut second = context.compile(&graph).device(&device).share(&first).build().unwrap();
    second.ready().unwrap();
    drop(first);
    assert!(held(&w) && !held(&b));
    yields(&second, &rig::Y);
}

#[test]
fn values_of_other_types_are_not_shared() {
    let context = rig::context();
    let device = context.cpu().unwrap();
    let first = rig::gelu(&context, &device);
    let graph = rig::gelu_graph_with(|graph| graph.param("b", DType::F32, [1]));
    let mut second = context.compile(&graph).device(&device).share(&first).build().unwrap();
    let error = fails(second.ready(), Status::FailedPrecondition);
    assert!(error.causes().len() == 1 && error.message().contains('b'), "{error}");
}
