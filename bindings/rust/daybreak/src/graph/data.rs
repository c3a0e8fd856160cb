//! Data of parameters and constants that comes with the graph.

use crate::element::bytes_of;
use crate::shared::Keep;
use crate::{DType, Element, Result, Shared};
use daybreak_sys as sys;
use std::marker::PhantomData;

/// Elements for a parameter or a constant: borrowed (`&[T]`) until the graph is compiled, owned (`Vec<T>`), or
/// [`Shared`] and then used in place for the life of the executable. Any alignment will do.
///
/// What is borrowed must live as long as the graph:
///
/// ```compile_fail,E0597
/// let mut graph = daybreak::GraphBuilder::new(20);
/// {
///     let weights = vec![0f32; 4];
///     graph.param_with("W", [2, 2], &weights);
/// }
/// graph.finish();
/// ```
pub struct Data<'a> {
    pub(super) dtype: DType,
    pub(super) blob: Blob,
    pub(super) keep: Option<Keep>,
    lifetime: PhantomData<&'a [u8]>,
}

impl<'a> Data<'a> {
    /// Bytes of any element type that is not text.
    pub fn from_bytes(dtype: DType, bytes: &'a [u8]) -> Result<Self> {
        dtype.check_plain()?;
        Ok(Self::new(dtype, bytes, sys::DBK_COPY, None))
    }

    fn new(dtype: DType, bytes: &[u8], ownership: u32, keep: Option<Keep>) -> Self {
        let blob = sys::dbk_blob { ptr: bytes.as_ptr().cast(), len: bytes.len() as u64, ownership, reserved: 0 };
        Self { dtype, blob: Blob(blob), keep, lifetime: PhantomData }
    }
}

/// A blob of a graph that guarantees its memory, by lifetime or by keeping the owner.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Blob(pub(super) sys::dbk_blob);

// SAFETY: shared, read-only memory of types that are Send and Sync.
unsafe impl Send for Blob {}
// SAFETY: as above.
unsafe impl Sync for Blob {}

impl<'a, T: Element> From<&'a [T]> for Data<'a> {
    fn from(data: &'a [T]) -> Self {
        Self::new(T::DTYPE, bytes_of(data), sys::DBK_COPY, None)
    }
}

impl<'a, T: Element, const N: usize> From<&'a [T; N]> for Data<'a> {
    fn from(data: &'a [T; N]) -> Self {
        data.as_slice().into()
    }
}

impl<'a, T: Element> From<&'a Vec<T>> for Data<'a> {
    fn from(data: &'a Vec<T>) -> Self {
        data.as_slice().into()
    }
}

impl<T: Element> From<Vec<T>> for Data<'_> {
    fn from(data: Vec<T>) -> Self {
        let shared = Shared::from(data);
        Self::new(shared.dtype(), shared.bytes(), sys::DBK_COPY, Some(shared.keep()))
    }
}

impl From<Shared> for Data<'_> {
    fn from(data: Shared) -> Self {
        Self::new(data.dtype(), data.bytes(), sys::DBK_UNTIL_DESTROY, Some(data.keep()))
    }
}
