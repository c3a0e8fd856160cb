//! Element types by number.

use crate::{Error, Result, Status};
use daybreak_sys as sys;
use std::fmt;

/// Type of the elements of a tensor: DLPack's code and bits in one word, an open set.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DType(u32);

macro_rules! dtypes {
    ($($(#[$doc:meta])* $name:ident = $raw:ident;)*) => {
        impl DType {
            $($(#[$doc])* pub const $name: Self = Self(sys::$raw);)*
        }

        impl fmt::Display for DType {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Self::$name => f.write_str(stringify!($name)),)*
                    Self(raw) => write!(f, "dtype {raw:#x}"),
                }
            }
        }
    };
}

dtypes! {
    /// Not stated: inferred.
    NONE = DBK_DTYPE_NONE;
    /// Signed, 2 bits, packed.
    I2 = DBK_I2;
    /// Signed, 4 bits, packed.
    I4 = DBK_I4;
    /// Signed, 8 bits.
    I8 = DBK_I8;
    /// Signed, 16 bits.
    I16 = DBK_I16;
    /// Signed, 32 bits.
    I32 = DBK_I32;
    /// Signed, 64 bits.
    I64 = DBK_I64;
    /// Unsigned, 2 bits, packed.
    U2 = DBK_U2;
    /// Unsigned, 4 bits, packed.
    U4 = DBK_U4;
    /// Unsigned, 8 bits.
    U8 = DBK_U8;
    /// Unsigned, 16 bits.
    U16 = DBK_U16;
    /// Unsigned, 32 bits.
    U32 = DBK_U32;
    /// Unsigned, 64 bits.
    U64 = DBK_U64;
    /// IEEE half.
    F16 = DBK_F16;
    /// IEEE single.
    F32 = DBK_F32;
    /// IEEE double.
    F64 = DBK_F64;
    /// Brain float.
    BF16 = DBK_BF16;
    /// Complex of two singles.
    C64 = DBK_C64;
    /// Complex of two doubles.
    C128 = DBK_C128;
    /// One byte, 0 or 1.
    BOOL = DBK_BOOL;
    /// 8-bit float E4M3FN.
    F8_E4M3FN = DBK_F8_E4M3FN;
    /// 8-bit float E4M3FNUZ.
    F8_E4M3FNUZ = DBK_F8_E4M3FNUZ;
    /// 8-bit float E5M2.
    F8_E5M2 = DBK_F8_E5M2;
    /// 8-bit float E5M2FNUZ.
    F8_E5M2FNUZ = DBK_F8_E5M2FNUZ;
    /// 8-bit exponent E8M0FNU.
    F8_E8M0FNU = DBK_F8_E8M0FNU;
    /// 4-bit float E2M1FN, packed.
    F4_E2M1FN = DBK_F4_E2M1FN;
    /// Text. May be declared in graphs; its data are pointers, so this crate does not pass any.
    STRING = DBK_STRING;
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl DType {
    /// The ABI's number.
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// From the ABI's number; any number is allowed, the plugin decides what it knows.
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// Bits of one element.
    pub const fn bits(self) -> u32 {
        sys::DBK_DTYPE_BITS(self.0)
    }

    /// Bytes of a dense tensor of that many elements, unless too many.
    pub fn byte_len(self, elements: u64) -> Option<u64> {
        Some(elements.checked_mul(self.bits().into())?.div_ceil(8))
    }

    /// Fails unless `bytes` may be handed to the plugin as elements of this type.
    pub(crate) fn check(self, bytes: &[u8]) -> Result<()> {
        let refuse = |status, why: &str| Err(Error::new(status, format!("{self} data {why}")));
        match self {
            Self::STRING => refuse(Status::Unimplemented, "consists of pointers, which bytes from elsewhere are not"),
            Self::BOOL if bytes.iter().any(|&b| b > 1) => refuse(Status::InvalidArgument, "has a byte that is neither 0 nor 1"),
            _ if sys::DBK_DTYPE_CODE(self.0) >= 0x80 => refuse(Status::Unimplemented, "is of a kind unknown to this crate"),
            _ => Ok(()),
        }
    }

    /// Fails unless memory at `ptr` has the alignment of this type. Blobs need none, tensors do.
    pub(crate) fn check_alignment(self, ptr: *const u8) -> Result<()> {
        // A complex number is a pair, aligned like its half.
        let halves = if sys::DBK_DTYPE_CODE(self.0) == sys::DBK_DTYPE_CODE(sys::DBK_C64) { 2 } else { 1 };
        let align = (self.bits() as usize / 8 / halves).max(1);
        if (ptr as usize).is_multiple_of(align) {
            return Ok(());
        }
        let why = format!("{self} data must be aligned to {align} bytes here; data given with the graph need not be");
        Err(Error::new(Status::InvalidArgument, why))
    }

    /// Makes bytes that the plugin wrote valid as a Rust slice of this type.
    pub(crate) fn normalise(self, bytes: &mut [u8]) {
        if self == Self::BOOL {
            bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_round_up_and_do_not_overflow() {
        assert_eq!(DType::F32.byte_len(3), Some(12));
        assert_eq!(DType::U4.byte_len(3), Some(2));
        assert_eq!(DType::I2.byte_len(0), Some(0));
        assert_eq!(DType::C128.byte_len(u64::MAX), None);
    }

    #[test]
    fn unsafe_bytes_are_refused() {
        assert_eq!(DType::STRING.check(&[]).unwrap_err().status(), Status::Unimplemented);
        assert_eq!(DType::from_raw(0x1_8081).check(&[]).unwrap_err().status(), Status::Unimplemented);
        assert_eq!(DType::BOOL.check(&[0, 1, 2]).unwrap_err().status(), Status::InvalidArgument);
        assert!(DType::BOOL.check(&[0, 1]).is_ok());
        let words = [0u64; 2];
        assert!(DType::C128.check_alignment(words.as_ptr().cast()).is_ok());
        assert!(DType::F16.check_alignment(words.as_ptr().cast::<u8>().wrapping_add(1)).is_err());
    }
}
