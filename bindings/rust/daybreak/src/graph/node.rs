//! One node of a graph being described.

use super::{Attr, GraphBuilder, Type, Value};
use daybreak_sys as sys;

/// A node that gets its inputs and attributes; asking for its outputs completes it.
#[must_use = "a node comes into the graph when its outputs are asked for"]
pub struct NodeBuilder<'g, 'a> {
    graph: &'g mut GraphBuilder<'a>,
    domain: String,
    op: String,
    name: String,
    version: u32,
    inputs: Vec<u32>,
    attrs: Vec<(String, Attr)>,
}

impl<'g, 'a> NodeBuilder<'g, 'a> {
    pub(super) fn new(graph: &'g mut GraphBuilder<'a>, op: &str) -> Self {
        let version = graph.opset;
        let (domain, name, op) = (String::new(), String::new(), op.to_string());
        Self { graph, domain, op, name, version, inputs: Vec::new(), attrs: Vec::new() }
    }

    /// The op's domain and the version of it that the node is written for.
    pub fn domain(mut self, domain: &str, version: u32) -> Self {
        (self.domain, self.version) = (domain.into(), version);
        self
    }

    /// A version of the default domain other than the graph's.
    pub fn version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }

    /// A name for messages and reports.
    pub fn name(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// The next input.
    pub fn input(mut self, value: Value) -> Self {
        self.inputs.push(value.0);
        self
    }

    /// The next inputs.
    pub fn inputs(mut self, values: impl IntoIterator<Item = Value>) -> Self {
        self.inputs.extend(values.into_iter().map(|v| v.0));
        self
    }

    /// The next input is optional and absent.
    pub fn no_input(mut self) -> Self {
        self.inputs.push(sys::DBK_NONE);
        self
    }

    /// An attribute.
    pub fn attr(mut self, name: &str, value: impl Into<Attr>) -> Self {
        self.attrs.push((name.into(), value.into()));
        self
    }

    /// Completes the node; its only output is inferred.
    pub fn output(self) -> Value {
        let [output] = self.outputs();
        output
    }

    /// Completes the node; its outputs are inferred.
    pub fn outputs<const N: usize>(self) -> [Value; N] {
        let outputs = [(); N].map(|()| self.graph.value("", Type::inferred()));
        self.into_values(outputs.map(Some));
        outputs
    }

    /// Completes the node; its outputs are values declared before, or not wanted.
    pub fn into_values(self, outputs: impl IntoIterator<Item = Option<Value>>) {
        let tables = &mut self.graph.tables;
        let first = tables.attrs.len();
        let count = self.attrs.len();
        for (name, attr) in self.attrs {
            tables.attr(&name, attr);
        }
        let node = sys::dbk_node {
            domain: tables.text(&self.domain),
            op: tables.text(&self.op),
            name: tables.text(&self.name),
            inputs: tables.refs(self.inputs),
            outputs: tables.refs(outputs.into_iter().map(|v| v.map_or(sys::DBK_NONE, |v| v.0))),
            attrs: tables.range(first, count),
            op_version: self.version,
            flags: 0,
        };
        self.graph.push_node(node);
    }
}
