//! IEEE half precision as storage: conversions only, no arithmetic.

use std::fmt;

/// A half, kept as its 16 bits. Compares by bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct F16(u16);

impl F16 {
    /// From its bits.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Its bits.
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// Rounds to the nearest half, ties to even; too large becomes infinite.
    pub fn from_f32(value: f32) -> Self {
        let bits = value.to_bits();
        let sign = (bits >> 16) as u16 & 0x8000;
        let magnitude = bits & 0x7FFF_FFFF;
        // From 65520 on, the midpoint between the largest half and the next power of two, values round to infinity.
        let half = match magnitude {
            0x7F80_0001.. => 0x7E00 | (magnitude >> 13) as u16 & 0x03FF,
            0x477F_F000.. => 0x7C00,
            0x3880_0000.. => Self::round_shift(magnitude - 0x3800_0000, 13),
            0x3300_0000.. => Self::round_shift(magnitude & 0x007F_FFFF | 0x0080_0000, 126 - (magnitude >> 23)),
            _ => 0,
        };
        Self(sign | half)
    }

    fn round_shift(value: u32, shift: u32) -> u16 {
        let (kept, rest, tie) = (value >> shift, value & ((1 << shift) - 1), 1 << (shift - 1));
        (kept + u32::from(rest > tie || rest == tie && kept & 1 == 1)) as u16
    }

    /// The same number as a single; exact.
    pub fn to_f32(self) -> f32 {
        let (sign, exponent, fraction) = ((self.0 as u32 & 0x8000) << 16, self.0 >> 10 & 0x1F, self.0 as u32 & 0x03FF);
        match exponent {
            // Subnormal halves are multiples of 2^-24, all of them normal singles.
            0 => f32::from_bits(sign | (fraction as f32 / 16_777_216.0).to_bits()),
            0x1F => f32::from_bits(sign | 0x7F80_0000 | fraction << 13),
            e => f32::from_bits(sign | (e as u32 + 112) << 23 | fraction << 13),
        }
    }
}

impl From<f32> for F16 {
    fn from(value: f32) -> Self {
        Self::from_f32(value)
    }
}

impl From<F16> for f32 {
    fn from(value: F16) -> Self {
        value.to_f32()
    }
}

impl fmt::Debug for F16 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_f32())
    }
}

impl fmt::Display for F16 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_f32())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_way_through_single() {
        for bits in 0..=u16::MAX {
            let half = F16::from_bits(bits);
            if half.to_f32().is_nan() {
                assert!(F16::from_f32(half.to_f32()).to_f32().is_nan(), "{bits:#06x}");
            } else {
                assert_eq!(F16::from_f32(half.to_f32()), half, "{bits:#06x}");
            }
        }
    }

    /// Between neighbours: just below the middle goes down, just above goes up, the middle goes to the even one.
    #[test]
    fn rounding_is_to_nearest_even() {
        for bits in 0..0x7BFFu16 {
            let (low, high) = (F16::from_bits(bits), F16::from_bits(bits + 1));
            let middle = (low.to_f32() + high.to_f32()) / 2.0;
            let even = if bits & 1 == 0 { low } else { high };
            assert_eq!(F16::from_f32(middle), even, "{bits:#06x}");
            assert_eq!(F16::from_f32(middle.next_down()), low, "{bits:#06x}");
            assert_eq!(F16::from_f32(middle.next_up()), high, "{bits:#06x}");
        }
    }

    #[test]
    fn edges() {
        let cases = [(1.0, 0x3C00), (-2.0, 0xC000), (65504.0, 0x7BFF), (65519.996, 0x7BFF), (65520.0, 0x7C00), (-1e9, 0xFC00)];
        for (value, bits) in cases {
            assert_eq!(F16::from_f32(value).to_bits(), bits, "{value}");
        }
        assert_eq!(F16::from_f32(-0.0).to_bits(), 0x8000);
        assert_eq!(F16::from_f32(f32::INFINITY).to_bits(), 0x7C00);
        assert!(F16::from_f32(f32::NAN).to_f32().is_nan());
        assert_eq!(F16::from_bits(1).to_f32(), 2f32.powi(-24));
    }
}
