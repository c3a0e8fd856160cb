//! Reference-counted host memory that the plugin may use in place.

use crate::element::bytes_of;
use crate::{DType, Element, Result};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Something that must stay alive; what it is does not matter any more.
pub(crate) type Keep = Arc<dyn Any + Send + Sync>;

/// Elements in memory that does not change or move while this or a clone of it exists, and of which the objects that it
/// was given to hold clones. This is how parameters are used without a copy.
///
/// Made from an `Arc<[T]>` or a `Vec<T>`, or from any owner of bytes, such as a mapped file.
///
/// ```
/// # use daybreak::{DType, GraphBuilder, Plugin, Shared, TensorMut, TensorRef, Type};
/// # use std::sync::Arc;
/// # fn main() -> daybreak::Result<()> {
/// # let library = std::env::var("DAYBREAK_PLUGIN").unwrap_or("../../../build/dev/libdaybreak.so".into());
/// # let context = Plugin::load(library)?.context().build()?;
/// # let mut graph = GraphBuilder::new(20);
/// # let x = graph.input("x", Type::tensor(DType::F32, [2]));
/// # let w = graph.param("W", DType::F32, [2]);
/// # let y = graph.node("Mul").inputs([x, w]).output();
/// # graph.output("y", y);
/// # let graph = graph.finish()?;
/// let weights: Arc<[f32]> = [2.0, 3.0].into();
/// let mut first = context.compile(&graph).build()?;
/// first.set_param_shared(0, &[2], &Shared::from(weights.clone()))?;
///
/// // A second executable with the same weights; both use one memory, and hold it.
/// let mut second = context.compile(&graph).share(&first).build()?;
/// drop(first);
/// second.ready()?;
/// let mut y = [0f32; 2];
/// second.create_run()?.run_with(&[TensorRef::new(&[2], &[10f32, 10.0])], &mut [TensorMut::new(&[2], &mut y)])?;
/// assert_eq!(y, [20.0, 30.0]);
/// drop(second);
/// assert_eq!(Arc::strong_count(&weights), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Shared {
    dtype: DType,
    data: *const u8,
    byte_len: usize,
    keep: Keep,
}

// SAFETY: read-only memory whose owner is Send and Sync.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    /// Memory of an owner: what `as_ref` returns for the owner at its final place stays valid while the owner lives
    /// and is only ever lent out shared. Fails for text.
    pub fn from_owner(dtype: DType, owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self> {
        dtype.check_plain()?;
        let keep = Arc::new(owner);
        let bytes = AsRef::<[u8]>::as_ref(&*keep);
        Ok(Self { dtype, data: bytes.as_ptr(), byte_len: bytes.len(), keep })
    }

    /// Type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The memory.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: alive and unchanged while `keep` is.
        unsafe { std::slice::from_raw_parts(self.data, self.byte_len) }
    }

    pub(crate) fn keep(&self) -> Keep {
        self.keep.clone()
    }

    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.data
    }
}

impl<T: Element> From<Arc<[T]>> for Shared {
    fn from(data: Arc<[T]>) -> Self {
        let bytes = bytes_of(&data);
        let (ptr, byte_len) = (bytes.as_ptr(), bytes.len());
        Self { dtype: T::DTYPE, data: ptr, byte_len, keep: Arc::new(data) }
    }
}

impl<T: Element> From<Vec<T>> for Shared {
    fn from(data: Vec<T>) -> Self {
        // A Vec's memory does not move with the Vec.
        let bytes = bytes_of(&data);
        let (ptr, byte_len) = (bytes.as_ptr(), bytes.len());
        Self { dtype: T::DTYPE, data: ptr, byte_len, keep: Arc::new(data) }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shared({} bytes of {})", self.byte_len, self.dtype)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_its_owner() {
        let data: Arc<[f32]> = Arc::new([1.0, 2.0]);
        let shared = Shared::from(data.clone());
        assert_eq!(Arc::strong_count(&data), 2);
        let second = shared.clone();
        drop(shared);
        assert_eq!(second.bytes(), bytes_of(&data));
        drop(second);
        assert_eq!(Arc::strong_count(&data), 1);
        assert_eq!(Shared::from(vec![7u8, 8]).bytes(), [7, 8]);
        assert_eq!(Shared::from_owner(DType::BF16, vec![0u8; 4]).unwrap().bytes().len(), 4);
        assert!(Shared::from_owner(DType::STRING, vec![0u8; 16]).is_err());
    }
}
