//! Host memory seen as tensors, borrowed for a call.

use crate::element::{bytes_of, bytes_of_mut};
use crate::{DType, Element, Error, Result, Status};
use daybreak_sys as sys;
use std::ptr::{null, null_mut};

/// A tensor in borrowed memory, to be read.
#[derive(Clone, Debug)]
pub struct TensorRef<'a> {
    dtype: DType,
    dims: &'a [i64],
    byte_strides: Option<Vec<i64>>,
    bytes: &'a [u8],
    /// Offset of element 0, not zero only with negative strides.
    first: usize,
}

impl<'a> TensorRef<'a> {
    /// Dense and row-major. Whether the data is long enough is checked where the tensor is used.
    pub fn new<T: Element>(dims: &'a [i64], data: &'a [T]) -> Self {
        Self { dtype: T::DTYPE, dims, byte_strides: None, bytes: bytes_of(data), first: 0 }
    }

    /// Dense, of any element type that is not text. Bytes aligned like the elements save a copy.
    pub fn from_bytes(dtype: DType, dims: &'a [i64], bytes: &'a [u8]) -> Result<Self> {
        dtype.check_plain()?;
        Ok(Self { dtype, dims, byte_strides: None, bytes, first: 0 })
    }

    /// Element `[i, j, ...]` is `data[first + i * strides[0] + j * strides[1] + ...]`; strides may be zero or negative.
    /// Fails where that would leave `data`.
    pub fn strided<T: Element>(dims: &'a [i64], data: &'a [T], first: usize, strides: &[isize]) -> Result<Self> {
        let outside = || Error::new(Status::OutOfRange, format!("strides {strides:?} of dims {dims:?} leave the data"));
        if strides.len() != dims.len() || dims.iter().any(|&d| d < 0) {
            return Err(Error::new(Status::InvalidArgument, format!("{} strides for dims {dims:?}", strides.len())));
        }
        // The plugin knows only where the data ends, so the low side of negative strides is proven here.
        let (mut low, mut high) = (first as i128, first as i128);
        for (&dim, &stride) in dims.iter().zip(strides) {
            let reach = (dim as i128 - 1).max(0) * stride as i128;
            low += reach.min(0);
            high += reach.max(0);
        }
        let empty = dims.contains(&0);
        if first > data.len() || !empty && (low < 0 || high >= data.len() as i128) {
            return Err(outside());
        }
        let size = size_of::<T>();
        let byte_stride = |&stride: &isize| (stride as i64).checked_mul(size as i64).ok_or_else(outside);
        let byte_strides = strides.iter().map(byte_stride).collect::<Result<Vec<_>>>()?;
        Ok(Self { byte_strides: Some(byte_strides), first: first * size, ..Self::new(dims, data) })
    }

    /// Type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Extents.
    pub fn dims(&self) -> &'a [i64] {
        self.dims
    }

    /// The ABI's form; its pointers are good while self is borrowed.
    pub(crate) fn raw(&self, ownership: u32) -> sys::dbk_tensor {
        let bytes = &self.bytes[self.first..];
        let byte_strides = self.byte_strides.as_ref().map_or(null(), |s| s.as_ptr());
        // From the whole slice, so that elements before element 0 are within what the pointer may reach.
        let data = self.bytes.as_ptr().wrapping_add(self.first).cast_mut();
        sys::dbk_tensor { byte_strides, ..host(self.dtype, self.dims, data, bytes.len(), ownership) }
    }
}

/// A dense tensor in borrowed memory, to be written.
#[derive(Debug)]
pub struct TensorMut<'a> {
    dtype: DType,
    dims: &'a [i64],
    bytes: &'a mut [u8],
}

impl<'a> TensorMut<'a> {
    /// Dense and row-major. Whether there is room enough is checked where the tensor is used.
    pub fn new<T: Element>(dims: &'a [i64], data: &'a mut [T]) -> Self {
        Self { dtype: T::DTYPE, dims, bytes: bytes_of_mut(data) }
    }

    /// Dense, of any element type that is not text. Bytes aligned like the elements save a copy.
    pub fn from_bytes(dtype: DType, dims: &'a [i64], bytes: &'a mut [u8]) -> Result<Self> {
        dtype.check_plain()?;
        Ok(Self { dtype, dims, bytes })
    }

    pub(crate) fn raw(&mut self, ownership: u32) -> sys::dbk_tensor {
        host(self.dtype, self.dims, self.bytes.as_mut_ptr(), self.bytes.len(), ownership)
    }

    /// To be called when the plugin is done writing: the borrowed slice may be one of `bool`.
    pub(crate) fn normalise(&mut self) {
        self.dtype.normalise(self.bytes);
    }
}

/// A dense tensor in host memory.
pub(crate) fn host(dtype: DType, dims: &[i64], data: *mut u8, len: usize, ownership: u32) -> sys::dbk_tensor {
    sys::dbk_tensor {
        hdr: sys::dbk_hdr::of::<sys::dbk_tensor>(),
        dtype: dtype.raw(),
        rank: dims.len() as u32,
        dims: dims.as_ptr(),
        byte_strides: null(),
        data: data.cast(),
        buffer: null_mut(),
        byte_off: 0,
        byte_len: len as u64,
        ownership,
        reserved: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_stay_inside() {
        let data = [0f32; 6];
        let status =
            |dims: &[i64], first, strides: &[isize]| TensorRef::strided(dims, &data, first, strides).err().map(|e| e.status());
        assert_eq!(status(&[2, 3], 0, &[3, 1]), None);
        assert_eq!(status(&[3, 2], 0, &[1, 3]), None);
        assert_eq!(status(&[6], 5, &[-1]), None);
        assert_eq!(status(&[1000], 5, &[0]), None);
        assert_eq!(status(&[0, 9], 6, &[99, 99]), None);
        assert_eq!(status(&[], 5, &[]), None);
        assert_eq!(status(&[], 6, &[]), Some(Status::OutOfRange));
        assert_eq!(status(&[2, 3], 1, &[3, 1]), Some(Status::OutOfRange));
        assert_eq!(status(&[6], 4, &[-1]), Some(Status::OutOfRange));
        assert_eq!(status(&[i64::MAX, i64::MAX], 0, &[isize::MAX, 1]), Some(Status::OutOfRange));
        assert_eq!(status(&[2], 0, &[1, 1]), Some(Status::InvalidArgument));
        assert_eq!(status(&[-1], 0, &[1]), Some(Status::InvalidArgument));
    }

    #[test]
    fn raw_form_points_at_element_zero() {
        let data = [1u16, 2, 3];
        let tensor = TensorRef::strided(&[3], &data, 2, &[-1]).unwrap();
        let raw = tensor.raw(sys::DBK_COPY);
        assert_eq!((raw.byte_len, raw.rank, raw.dtype), (2, 1, sys::DBK_U16));
        assert_eq!(raw.data.cast_const().cast::<u16>(), &raw const data[2]);
        assert_eq!(unsafe { *raw.byte_strides }, -2);
    }
}
