//! Rust types that tensors are made of.

use crate::{DType, F16};

/// A type whose slices are tensors. Implemented for `f32`, `f64`, [`F16`], `i8`..`i64`, `u8`..`u64` and `bool`; sealed,
/// because its bytes are handed to native code.
pub trait Element: Copy + Default + Send + Sync + sealed::Plain + 'static {
    /// The same type by number.
    const DTYPE: DType;
}

mod sealed {
    /// No padding and no pointers; every bit pattern that [`crate::DType::normalise`] leaves is valid.
    ///
    /// # Safety
    /// The above holds and the size is that of the dtype.
    pub unsafe trait Plain {}
}

macro_rules! elements {
    ($($type:ty => $dtype:ident),* $(,)?) => {$(
        impl Element for $type {
            const DTYPE: DType = DType::$dtype;
        }
        // SAFETY: a primitive number, or a transparent wrapper of one.
        unsafe impl sealed::Plain for $type {}
        const _: () = assert!(size_of::<$type>() * 8 == DType::$dtype.bits() as usize);
    )*};
}

elements! {
    f32 => F32, f64 => F64, F16 => F16, bool => BOOL,
    i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64,
}

pub(crate) fn bytes_of<T: Element>(slice: &[T]) -> &[u8] {
    // SAFETY: plain memory without padding.
    unsafe { std::slice::from_raw_parts(slice.as_ptr().cast(), size_of_val(slice)) }
}

/// Whoever writes other than valid elements through this must [`DType::normalise`] before the borrow ends.
pub(crate) fn bytes_of_mut<T: Element>(slice: &mut [T]) -> &mut [u8] {
    // SAFETY: plain memory without padding; validity is the users' duty, all inside this crate.
    unsafe { std::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), size_of_val(slice)) }
}
