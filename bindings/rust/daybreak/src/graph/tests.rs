//! The tables that a description becomes, looked at as the plugin does.

use super::*;
use crate::{DType, Shared};
use daybreak_sys as sys;
use std::sync::Arc;

/// Elements of a pool.
fn elements<'a, T>(_: &'a Graph<'_>, pool: sys::dbk_pool) -> &'a [T] {
    assert_eq!(pool.stride as usize, size_of::<T>());
    unsafe { std::slice::from_raw_parts(pool.ptr.cast(), pool.count as usize) }
}

fn part<T>(all: &[T], slice: sys::dbk_slice) -> &[T] {
    &all[slice.off as usize..][..slice.len as usize]
}

#[test]
fn bodies_get_ranges_of_their_own() {
    let mut builder = GraphBuilder::new(17);
    let c = builder.input("c", Type::tensor(DType::BOOL, [0i64; 0]));
    let x = builder.input("x", Type::unknown_rank(DType::F32));
    let before = builder.node("Neg").input(x).output();
    let mut inner = None;
    let body = builder.block("body", |builder| {
        let y = builder.node("Abs").input(before).output();
        inner = Some(builder.node("Exp").input(y).output());
        builder.output("", inner.unwrap());
    });
    let choice = builder.node("If").domain("my.domain", 3).name("choice").input(c).no_input();
    let y = choice.attr("then_branch", body).output();
    builder.output("y", y);
    let graph = builder.finish().unwrap();
    let raw = graph.raw();

    let blocks: &[sys::dbk_block] = elements(&graph, raw.blocks);
    let nodes: &[sys::dbk_node] = elements(&graph, raw.nodes);
    let refs: &[u32] = elements(&graph, raw.refs);
    let text: &[u8] = elements(&graph, raw.text);
    let ops = |block: usize| part(nodes, blocks[block].nodes).iter().map(|n| part(text, n.op)).collect::<Vec<_>>();
    assert_eq!(ops(0), [&b"Neg"[..], b"If"]);
    assert_eq!(ops(1), [&b"Abs"[..], b"Exp"]);
    assert_eq!(part(refs, blocks[0].inputs), [c.id(), x.id()]);
    assert_eq!(part(refs, blocks[1].inputs), [0u32; 0]);
    assert_eq!(part(refs, blocks[1].outputs), [inner.unwrap().id()]);
    let node = nodes[1];
    assert_eq!((part(text, node.domain), node.op_version, nodes[0].op_version), (&b"my.domain"[..], 3, 17));
    assert_eq!(part(refs, node.inputs), [c.id(), sys::DBK_NONE]);
    let attrs: &[sys::dbk_attr] = elements(&graph, raw.attrs);
    let attr = part(attrs, node.attrs)[0];
    assert_eq!((attr.r#type, unsafe { attr.v.i }, part(text, attr.name)), (sys::DBK_ATTR_BLOCK, 1, &b"then_branch"[..]));
}

#[test]
fn values_carry_what_was_declared() {
    let mut builder = GraphBuilder::new(20);
    builder.symbol("unused", ..);
    let n = builder.symbol_multiple("N", 2..9, 2);
    let x = builder.input("x", Type::tensor(DType::I64, [n.into(), Dim::Unknown, 3.into()]).sequence().optional());
    let owner: Arc<[u8]> = vec![1, 2, 3].into();
    let w = builder.param_with("w", [3], Shared::from(owner.clone()));
    let k = builder.constant([0i64; 0], &[2.5f64]);
    let late = builder.param("late", DType::F16, [7usize]);
    builder.output_alias("z", k, x);
    let graph = builder.finish().unwrap();
    let raw = graph.raw();

    let values: &[sys::dbk_value] = elements(&graph, raw.values);
    let ints: &[i64] = elements(&graph, raw.ints);
    let at = |value: Value| values[value.id() as usize];
    assert_eq!(part(ints, at(x).dims), [sys::DBK_DIM_SYMBOL(1), sys::DBK_DIM_UNKNOWN, 3]);
    assert_eq!((at(x).kind, at(x).flags), (sys::DBK_KIND_OPTIONAL_SEQUENCE, 0));
    assert_eq!((at(w).origin, at(w).blob, at(w).blob_len), (sys::DBK_ORIGIN_PARAM, 0, 3));
    assert_eq!((at(k).origin, at(k).blob_len, at(k).alias), (sys::DBK_ORIGIN_CONST, 8, x.id()));
    assert_eq!((at(late).blob, at(late).dtype), (sys::DBK_NONE, sys::DBK_F16));
    let symbols: &[sys::dbk_symbol] = elements(&graph, raw.symbols);
    assert_eq!((symbols[0].min, symbols[0].max), (0, -1));
    assert_eq!((symbols[1].min, symbols[1].max, symbols[1].multiple_of), (2, 8, 2));
    let blobs: &[sys::dbk_blob] = elements(&graph, raw.blobs);
    assert_eq!((blobs[0].ownership, blobs[0].ptr), (sys::DBK_UNTIL_DESTROY, owner.as_ptr().cast()));
    assert_eq!(blobs[1].ownership, sys::DBK_COPY);
    assert_eq!((Arc::strong_count(&owner), graph.all_lent().len()), (2, 1));
    assert_eq!([x, w, k, late].map(|value| graph.has_data(value.id())), [false, true, true, false]);
    assert_eq!([x, w, k, late].map(|value| graph.lent(value.id()).is_some()), [false, true, false, false]);
    drop(graph);
    assert_eq!(Arc::strong_count(&owner), 1);
}

#[test]
fn attributes_of_every_kind() {
    let mut builder = GraphBuilder::new(20);
    let k = builder.constant([1], vec![1u8]);
    let declared = builder.declare(Type::tensor(DType::F32, [1]));
    let node = builder.node("Odd").attr("i", 5).attr("f", 0.5f32).attr("s", "text").attr("is", [1i64, 2]);
    let node = node.attr("fs", vec![1.5, 2.5]).attr("ss", ["a", "", "ccc"]).attr("t", Attr::Tensor(k));
    let node = node.attr("ts", Attr::Tensors(vec![k, k])).attr("ty", Attr::Type(declared)).attr("b", &b"\xFF\0"[..]);
    let [_, _] = node.outputs();
    let graph = builder.finish().unwrap();
    let raw = graph.raw();

    let attrs: &[sys::dbk_attr] = elements(&graph, raw.attrs);
    let types: Vec<u32> = attrs.iter().map(|a| a.r#type).collect();
    assert_eq!(types, [1, 2, 3, 4, 5, 6, 7, 8, 11, 3]);
    let text: &[u8] = elements(&graph, raw.text);
    let floats: &[f64] = elements(&graph, raw.floats);
    let ints: &[i64] = elements(&graph, raw.ints);
    let slices: &[sys::dbk_slice] = elements(&graph, raw.slices);
    let refs: &[u32] = elements(&graph, raw.refs);
    assert_eq!(unsafe { (attrs[0].v.i, attrs[1].v.f) }, (5, 0.5));
    assert_eq!((part(text, attrs[2].data), part(text, attrs[9].data)), (&b"text"[..], &b"\xFF\0"[..]));
    assert_eq!(part(ints, attrs[3].data), [1, 2]);
    assert_eq!(part(floats, attrs[4].data), [1.5, 2.5]);
    let texts: Vec<&[u8]> = part(slices, attrs[5].data).iter().map(|&s| part(text, s)).collect();
    assert_eq!(texts, [&b"a"[..], b"", b"ccc"]);
    assert_eq!(part(refs, attrs[7].data), [k.id(), k.id()]);
    assert_eq!(unsafe { (attrs[6].v.i, attrs[8].v.i) }, (k.id().into(), declared.id().into()));
}
