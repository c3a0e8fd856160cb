//! The Daybreak plugin ABI, version 1.0, as Rust declarations of `abi/daybreak.h`.
//!
//! The header is the specification; names here are its names, and comments only say what a field is, not how to use it.
//! Nothing here loads or calls anything: that is the `daybreak` crate. Values that C code may extend (status codes,
//! kinds, stages) are plain integers, because an unknown value in a Rust enum would be undefined behaviour.
//!
//! The tests compare every number and every function's type with the header and every offset with the golden layout.

#![deny(missing_docs, unsafe_op_in_unsafe_fn)]
#![allow(non_camel_case_types, non_snake_case)]
#![no_std]

#[cfg(not(target_pointer_width = "64"))]
compile_error!("the Daybreak ABI is defined for 64-bit targets only");

mod api;
mod describe;
mod graph;
mod handle;
mod info;
mod numbers;

pub use api::*;
pub use describe::*;
pub use graph::*;
pub use handle::*;
pub use info::*;
pub use numbers::*;
