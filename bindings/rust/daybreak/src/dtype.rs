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
    /// One byte, 0 or 1; any other is read as 1.
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

    /// Fails unless plain bytes may be elements of this type.
    pub(crate) fn check_plain(self) -> Result<()> {
        let refuse = |why: &str| Err(Error::new(Status::Unimplemented, format!("{self} data {why}")));
        match self {
            Self::STRING => refuse("consists of pointers, which bytes from elsewhere are not"),
            _ if sys::DBK_DTYPE_CODE(self.0) >= 0x80 => refuse("is of a kind unknown to this crate"),
            _ => Ok(()),
        }
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
    fn bytes_that_would_be_pointers_are_refused() {
        assert_eq!(DType::STRING.check_plain().unwrap_err().status(), Status::Unimplemented);
        assert_eq!(DType::from_raw(0x1_8081).check_plain().unwrap_err().status(), Status::Unimplemented);
        assert!(DType::BOOL.check_plain().is_ok() && DType::I4.check_plain().is_ok());
    }

    #[test]
    fn any_byte_is_a_truth_value_for_the_plugin_but_not_for_rust() {
        let mut bytes = [0, 1, 7];
        DType::U8.normalise(&mut bytes);
        assert_eq!(bytes, [0, 1, 7]);
        DType::BOOL.normalise(&mut bytes);
        assert_eq!(bytes, [0, 1, 1]);
    }
}
