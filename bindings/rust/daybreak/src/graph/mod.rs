//! Graphs: described with [`GraphBuilder`], finished as tables that the plugin reads in one call.

mod attr;
mod builder;
mod data;
mod node;
mod tables;
#[cfg(test)]
mod tests;
mod types;

pub use attr::Attr;
pub use builder::GraphBuilder;
pub use data::Data;
pub use node::NodeBuilder;
pub use tables::Graph;
pub use types::{Block, Dim, Symbol, Type, Value};
