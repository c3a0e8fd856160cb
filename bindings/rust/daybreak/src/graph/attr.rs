//! Attributes of nodes.

use super::tables::Tables;
use super::{Block, Value};
use daybreak_sys as sys;

/// Value of an attribute.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Attr {
    /// An integer.
    Int(i64),
    /// A number.
    Float(f64),
    /// A text: UTF-8 as a rule, but bytes of any content are allowed.
    Text(Vec<u8>),
    /// Integers.
    Ints(Vec<i64>),
    /// Numbers.
    Floats(Vec<f64>),
    /// Texts.
    Texts(Vec<Vec<u8>>),
    /// A constant, see [`super::GraphBuilder::constant`].
    Tensor(Value),
    /// Constants.
    Tensors(Vec<Value>),
    /// A body, see [`super::GraphBuilder::block`].
    Block(Block),
    /// Bodies.
    Blocks(Vec<Block>),
    /// A type, see [`super::GraphBuilder::declare`].
    Type(Value),
}

macro_rules! from {
    ($($source:ty => |$value:ident| $attr:expr;)*) => {$(
        impl From<$source> for Attr {
            fn from($value: $source) -> Self {
                $attr
            }
        }
    )*};
}

from! {
    i64 => |v| Self::Int(v);
    i32 => |v| Self::Int(v.into());
    f64 => |v| Self::Float(v);
    f32 => |v| Self::Float(v.into());
    &str => |v| Self::Text(v.into());
    String => |v| Self::Text(v.into());
    &[u8] => |v| Self::Text(v.into());
    Vec<u8> => |v| Self::Text(v);
    &[i64] => |v| Self::Ints(v.into());
    Vec<i64> => |v| Self::Ints(v);
    &[f64] => |v| Self::Floats(v.into());
    Vec<f64> => |v| Self::Floats(v);
    &[&str] => |v| Self::Texts(v.iter().map(|&text| text.into()).collect());
    Vec<String> => |v| Self::Texts(v.into_iter().map(Into::into).collect());
    Block => |v| Self::Block(v);
    Vec<Block> => |v| Self::Blocks(v);
}

impl<const N: usize> From<[i64; N]> for Attr {
    fn from(values: [i64; N]) -> Self {
        Self::Ints(values.into())
    }
}

impl<const N: usize> From<[f64; N]> for Attr {
    fn from(values: [f64; N]) -> Self {
        Self::Floats(values.into())
    }
}

impl<const N: usize> From<[&str; N]> for Attr {
    fn from(values: [&str; N]) -> Self {
        Self::from(values.as_slice())
    }
}

impl Tables {
    /// Adds an attribute; those of one node follow each other.
    pub(super) fn attr(&mut self, name: &str, attr: Attr) {
        let name = self.text(name);
        let none = sys::dbk_slice::default();
        let (r#type, data, i) = match attr {
            Attr::Int(i) => (sys::DBK_ATTR_INT, none, i),
            Attr::Float(f) => (sys::DBK_ATTR_FLOAT, none, f.to_bits() as i64),
            Attr::Text(text) => (sys::DBK_ATTR_STRING, self.text(&text), 0),
            Attr::Ints(ints) => (sys::DBK_ATTR_INTS, self.ints(&ints), 0),
            Attr::Floats(floats) => (sys::DBK_ATTR_FLOATS, self.floats(&floats), 0),
            Attr::Texts(texts) => (sys::DBK_ATTR_STRINGS, self.texts(&texts), 0),
            Attr::Tensor(value) => (sys::DBK_ATTR_TENSOR, none, value.0.into()),
            Attr::Tensors(values) => (sys::DBK_ATTR_TENSORS, self.refs(values.iter().map(|v| v.0)), 0),
            Attr::Block(block) => (sys::DBK_ATTR_BLOCK, none, block.0.into()),
            Attr::Blocks(blocks) => (sys::DBK_ATTR_BLOCKS, self.refs(blocks.iter().map(|b| b.0)), 0),
            Attr::Type(value) => (sys::DBK_ATTR_TYPE, none, value.0.into()),
        };
        // Both members of the union have 64 bits, so the float's bits may travel as an integer.
        self.attrs.push(sys::dbk_attr { name, data, r#type, flags: 0, v: sys::dbk_attr_value { i } });
    }
}
