//! Describing a graph, step by step.

use super::tables::Tables;
use super::{Block, Data, Dim, Graph, NodeBuilder, Symbol, Type, Value};
use crate::{DType, Error, Result, Status};
use daybreak_sys as sys;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

/// Describes a graph. Methods do not fail: mistakes are collected and reported, all of them, by [`Self::finish`]; what
/// only the plugin can know, it reports when the graph is checked or compiled. `'a` is the life of borrowed data.
pub struct GraphBuilder<'a> {
    pub(super) tables: Tables,
    pub(super) opset: u32,
    blocks: Vec<Draft>,
    /// Blocks being described, innermost last.
    open: Vec<usize>,
    lifetime: PhantomData<&'a [u8]>,
}

/// A block being described; its nodes get their places in the common table when the graph is finished.
#[derive(Default)]
struct Draft {
    name: sys::dbk_slice,
    nodes: Vec<sys::dbk_node>,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl<'a> GraphBuilder<'a> {
    /// An empty graph. `opset` is the version of ONNX's default domain that nodes are written for, where they do not say
    /// otherwise.
    pub fn new(opset: u32) -> Self {
        Self { tables: Tables::default(), opset, blocks: vec![Draft::default()], open: vec![0], lifetime: PhantomData }
    }

    fn current(&mut self) -> &mut Draft {
        let index = *self.open.last().expect("the main graph is always open");
        &mut self.blocks[index]
    }

    /// A named extent within a range, for instance `1..=512` or `1..`.
    pub fn symbol(&mut self, name: &str, range: impl RangeBounds<i64>) -> Symbol {
        self.symbol_multiple(name, range, 1)
    }

    /// A named extent within a range that is always a multiple of some number.
    pub fn symbol_multiple(&mut self, name: &str, range: impl RangeBounds<i64>, multiple_of: i64) -> Symbol {
        let min = match range.start_bound() {
            Bound::Included(&min) => min,
            Bound::Excluded(&below) => below.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let max = match range.end_bound() {
            Bound::Included(&max) => max,
            Bound::Excluded(&above) => above.saturating_sub(1),
            Bound::Unbounded => -1,
        };
        // A maximum of 0 would read as none.
        if min < 0 || !matches!(range.end_bound(), Bound::Unbounded) && max < min.max(1) {
            let message = format!("the range {min}..={max} of symbol \"{name}\" is empty, negative or 0 alone");
            self.tables.problem(None, message);
        }
        let name = self.tables.text(name);
        self.tables.symbols.push(sys::dbk_symbol { name, min, max, multiple_of });
        Symbol(self.tables.index(self.tables.symbols.len() - 1))
    }

    /// An input of the block being described.
    pub fn input(&mut self, name: &str, declared: Type) -> Value {
        let value = self.value(name, declared);
        self.current().inputs.push(value.0);
        value
    }

    /// A parameter whose data comes by [`crate::Executable::set_param`], or from another executable, see
    /// [`crate::Compile::share`].
    pub fn param<D: Into<Dim>>(&mut self, name: &str, dtype: DType, dims: impl IntoIterator<Item = D>) -> Value {
        self.stored(name, Type::tensor(dtype, dims), sys::DBK_ORIGIN_PARAM, None)
    }

    /// A parameter with data, which may be replaced later.
    pub fn param_with<D: Into<Dim>>(
        &mut self,
        name: &str,
        dims: impl IntoIterator<Item = D>,
        data: impl Into<Data<'a>>,
    ) -> Value {
        let data = data.into();
        self.stored(name, Type::tensor(data.dtype, dims), sys::DBK_ORIGIN_PARAM, Some(data))
    }

    /// A constant: it never changes and may steer shapes.
    pub fn constant<D: Into<Dim>>(&mut self, dims: impl IntoIterator<Item = D>, data: impl Into<Data<'a>>) -> Value {
        let data = data.into();
        self.stored("", Type::tensor(data.dtype, dims), sys::DBK_ORIGIN_CONST, Some(data))
    }

    fn stored(&mut self, name: &str, declared: Type, origin: u32, data: Option<Data<'a>>) -> Value {
        let value = self.value(name, declared);
        let len = data.as_ref().map_or(0, |d| d.blob.0.len);
        let blob = data.map_or(sys::DBK_NONE, |d| self.tables.blob(d));
        let entry = self.tables.values.last_mut().expect("just added");
        (entry.origin, entry.blob, entry.blob_len) = (origin, blob, len);
        value
    }

    /// A value with a declared type that a node will compute, see [`NodeBuilder::into_values`], or that only declares a
    /// type, see [`super::Attr::Type`].
    pub fn declare(&mut self, declared: Type) -> Value {
        self.value("", declared)
    }

    pub(super) fn value(&mut self, name: &str, declared: Type) -> Value {
        let id = self.tables.index(self.tables.values.len());
        let flags = if declared.dims.is_some() { 0 } else { sys::DBK_VALUE_UNKNOWN_RANK };
        let dims: Option<Vec<i64>> = declared.dims.iter().flatten().map(|dim| dim.raw()).collect();
        if dims.is_none() {
            let dims = declared.dims.unwrap_or_default();
            self.tables.problem(Some(id), format!("value \"{name}\" has a negative extent in {dims:?}"));
        }
        let (name, dims) = (self.tables.text(name), self.tables.ints(&dims.unwrap_or_default()));
        self.tables.values.push(sys::dbk_value {
            name,
            dims,
            dtype: declared.dtype.raw(),
            kind: declared.kind,
            origin: sys::DBK_ORIGIN_COMPUTED,
            flags,
            alias: sys::DBK_NONE,
            blob: sys::DBK_NONE,
            blob_off: 0,
            blob_len: 0,
        });
        Value(id)
    }

    /// Starts a node of the block being described. Nodes are executed in the order in which they get their outputs.
    pub fn node<'g>(&'g mut self, op: &str) -> NodeBuilder<'g, 'a> {
        NodeBuilder::new(self, op)
    }

    pub(super) fn push_node(&mut self, node: sys::dbk_node) {
        self.current().nodes.push(node);
    }

    /// Describes a body for If, Loop or Scan: within `describe`, inputs, nodes and outputs belong to it. It may use values
    /// of the blocks around it. Give it to exactly one node, as attribute.
    pub fn block(&mut self, name: &str, describe: impl FnOnce(&mut Self)) -> Block {
        let name = self.tables.text(name);
        let index = self.blocks.len();
        self.blocks.push(Draft { name, ..Draft::default() });
        self.open.push(index);
        describe(self);
        self.open.truncate(self.open.len() - 1);
        Block(self.tables.index(index))
    }

    /// Makes a value an output of the block being described. Outputs of the main graph have names.
    pub fn output(&mut self, name: &str, value: Value) {
        match self.tables.values.get(value.0 as usize).map(|v| v.name) {
            None => self.tables.problem(Some(value.0), format!("output \"{name}\" is no value of this graph")),
            Some(old) if old.len == 0 => self.tables.values[value.0 as usize].name = self.tables.text(name),
            Some(old) if self.tables.text_at(old) != name => {
                let message = format!("output \"{name}\" is already called \"{}\"", self.tables.text_at(old));
                self.tables.problem(Some(value.0), message);
            }
            Some(_) => {}
        }
        self.current().outputs.push(value.0);
    }

    /// An output that may share the memory of an input of the same type, as a cache does that is updated in place: before
    /// the run the memory holds the input, after it the output. Binding both to one place is reserved:
    /// [`crate::Status::Unimplemented`] for now.
    pub fn output_alias(&mut self, name: &str, value: Value, input: Value) {
        self.output(name, value);
        if let Some(entry) = self.tables.values.get_mut(value.0 as usize) {
            entry.alias = input.0;
        }
    }

    /// The finished graph, or every mistake found.
    pub fn finish(self) -> Result<Graph<'a>> {
        let mut tables = self.tables;
        let (mut nodes, mut blocks) = (Vec::new(), Vec::new());
        for draft in self.blocks {
            blocks.push(sys::dbk_block {
                name: draft.name,
                nodes: tables.range(nodes.len(), draft.nodes.len()),
                inputs: tables.refs(draft.inputs),
                outputs: tables.refs(draft.outputs),
                flags: 0,
                reserved: 0,
            });
            nodes.extend(draft.nodes);
        }
        if !tables.problems.is_empty() {
            return Err(Error::of_causes(Status::InvalidArgument, tables.problems));
        }
        Ok(Graph { tables, nodes, blocks, lifetime: PhantomData })
    }
}
