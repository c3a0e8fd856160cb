//! Safe Rust for Daybreak, a neural-network inference plugin behind the C ABI of `abi/daybreak.h`.
//!
//! The way of a program: [`Plugin::load`], [`Plugin::context`], describe a graph with [`GraphBuilder`],
//! [`Context::compile`], [`Executable::set_param`] and [`Executable::ready`], then per thread a [`Run`].
//!
//! ```
//! use daybreak::{DType, GraphBuilder, Plugin, TensorMut, TensorRef, Type};
//!
//! # fn main() -> daybreak::Result<()> {
//! # let library = std::env::var("DAYBREAK_PLUGIN").unwrap_or("../../../build/dev/libdaybreak.so".into());
//! let plugin = Plugin::load(library)?;
//! let context = plugin.context().build()?;
//! let mut graph = GraphBuilder::new(20);
//! let x = graph.input("x", Type::tensor(DType::F32, [4]));
//! let y = graph.node("Gelu").input(x).output();
//! graph.output("y", y);
//! let mut executable = context.compile(&graph.finish()?).build()?;
//! executable.ready()?;
//! let mut run = executable.create_run()?;
//! let mut out = [0f32; 4];
//! run.run_with(&[TensorRef::new(&[4], &[-1f32, 0.0, 1.0, 2.0])], &mut [TensorMut::new(&[4], &mut out)])?;
//! assert_eq!(out.map(|y| (y * 1e4).round()), [-1587.0, 0.0, 8413.0, 19545.0]);
//! # Ok(())
//! # }
//! ```
//!
//! **Memory.** Host memory is copied by default. [`Run::run_with`] borrows slices for one blocking run, [`Shared`] lends
//! reference-counted memory for as long as the plugin may look at it. Neither can be outlived, not even by `mem::forget`.
//! Executables that share parameters hold the memory together.
//!
//! **Threads.** [`Plugin`], [`Context`], [`Device`], [`Executable`], [`Event`] and [`Canceller`] may be used by many
//! threads at once. What the ABI calls exclusive takes `&mut self`: [`Executable::set_param`] and
//! [`Executable::ready`], nearly everything of [`Run`], everything of [`Buffer`]. A buffer bound to a run may be used on one
//! thread while the run is on another: calls that must not meet wait for each other.
//!
//! **Lifetime.** Every object keeps its parents alive; drop them in any order. Drop may wait for work in flight.
//!
//! **Closures** given as progress or log hooks may panic but not call Daybreak: such calls fail with
//! [`Status::FailedPrecondition`], and objects dropped in there are destroyed by a thread of their own.
//!
//! **Trust.** The library file that is loaded must be an honest Daybreak plugin: no binding can check native code.

#![deny(missing_docs, missing_debug_implementations, unsafe_op_in_unsafe_fn)]

mod borrowed;
mod buffer;
mod buffer_handle;
mod callback;
mod compile;
mod context;
mod debug;
mod device;
mod device_info;
mod dtype;
mod element;
mod error;
mod event;
mod exclusion;
mod executable;
mod f16;
mod graph;
mod io;
mod listing;
mod log;
mod mapped;
mod negotiate;
mod options;
mod plugin;
mod progress;
mod read;
mod report;
mod run;
mod shared;
mod stats;
mod status;
mod table;
mod tensor;

pub use buffer::{Buffer, BufferUsage};
pub use compile::Compile;
pub use context::{Context, ContextBuilder};
pub use device::Device;
pub use device_info::{DeviceInfo, DeviceKind, Features, GraphicsApi};
pub use dtype::DType;
pub use element::Element;
pub use error::{Cause, Error, Result};
pub use event::Event;
pub use executable::{Executable, ExecutableInfo};
pub use f16::F16;
pub use graph::{Attr, Block, Data, Dim, Graph, GraphBuilder, NodeBuilder, Symbol, Type, Value};
pub use io::{IoInfo, Role, Shape, SymbolInfo, ValueKind};
pub use log::LogLevel;
pub use mapped::{MappedRead, MappedWrite};
pub use options::{OptionValue, Options};
pub use plugin::{Plugin, PluginInfo};
pub use progress::{Progress, ProgressFn, Stage};
pub use read::Reading;
pub use run::{Canceller, Run, RunOptions};
pub use shared::Shared;
pub use stats::Stats;
pub use status::Status;
pub use tensor::{TensorMut, TensorRef};
