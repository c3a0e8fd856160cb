// Elements of any type up to 32 bits as f32, and back. Storage is words, elements lie in them from the lowest bits on. A type is a constant
// of the program (families/stored_type.cpp), so compilers leave of all this the few steps that it needs. Infinities, NaN and denormals
// are made and told as bits: WGSL promises nothing else.
struct Stored {
  kind: u32,
  bits: u32,
  fraction: u32,  // small floats: bits of it; powers: how to round
  bias: u32,
  largest: u32,  // code of the largest number
  infinity: u32,  // its code, 0 where there is none
  nan: u32,
  one_zero: bool,  // -0 is no number but NaN
  saturates: bool,  // what is too large becomes the largest number
}

const kind_f32 = 0u;
const kind_signed = 1u;
const kind_unsigned = 2u;
const kind_bool = 3u;
const kind_bf16 = 4u;
const kind_small = 5u;  // floats of 16, 8 and 4 bits: host_fallback/small_float.h
const kind_power = 6u;  // f8_e8m0fnu

fn per_word(t: Stored) -> u32 {
  return 32u / t.bits;
}

// Element `at` of an array, of which word at / per_word(t) is given.
fn code_in(word: u32, at: u32, t: Stored) -> u32 {
  return (word >> ((at & (per_word(t) - 1u)) * t.bits)) & (0xffffffffu >> (32u - t.bits));
}

fn small_number(code: u32, t: Stored) -> f32 {
  let sign = 1u << (t.bits - 1u);
  let magnitude = code & (sign - 1u);
  let tiny = bitcast<u32>(f32(magnitude) * bitcast<f32>((128u - t.bias - t.fraction) << 23u));
  let normal = (magnitude << (23u - t.fraction)) + ((127u - t.bias) << 23u);
  let special = select(0x7fc00000u, 0x7f800000u, t.infinity != 0u && magnitude == t.infinity);
  let finite = select(normal, tiny, (magnitude >> t.fraction) == 0u);
  let bits = select(finite, special, magnitude > t.largest || (t.one_zero && code == sign));
  return bitcast<f32>(bits | select(0u, 0x80000000u, code >= sign));
}

fn number_of(code: u32, t: Stored) -> f32 {
  let unused = 32u - t.bits;
  switch (t.kind) {
    case kind_f32: {
      return bitcast<f32>(code);
    }
    case kind_signed: {
      return f32(bitcast<i32>(code << unused) >> unused);
    }
    case kind_unsigned: {
      return f32(code);
    }
    case kind_bool: {
      return f32(min(code, 1u));
    }
    case kind_bf16: {
      return bitcast<f32>(code << 16u);
    }
    case kind_power: {
      return bitcast<f32>(select(select(code << 23u, 0x00400000u, code == 0u), 0x7fc00000u, code == 255u));
    }
    default: {
      return small_number(code, t);
    }
  }
}

// To the nearest, ties to even.
fn small_code(x: f32, t: Stored) -> u32 {
  let magnitude = bitcast<u32>(x) & 0x7fffffffu;
  let sign = select(0u, 1u << (t.bits - 1u), bitcast<u32>(x) >= 0x80000000u);
  if (magnitude > 0x7f800000u) {
    return t.nan ^ select(sign, 0u, t.one_zero);
  }
  let shift = 23u - t.fraction;
  let rounding = (1u << (shift - 1u)) - 1u + ((magnitude >> shift) & 1u);
  let normal = ((magnitude + rounding) >> shift) - ((127u - t.bias) << t.fraction);
  // Not for infinity, which is no number to convert.
  let below = min(bitcast<f32>(magnitude), bitcast<f32>((128u - t.bias) << 23u));
  let tiny = u32(round(below * bitcast<f32>((126u + t.bias + t.fraction) << 23u)));
  let code = select(normal, tiny, (magnitude >> 23u) < 128u - t.bias);
  if (code <= t.largest) {
    return select(code | sign, code, t.one_zero && code == 0u);
  }
  if (t.saturates) {
    return t.largest | sign;
  }
  return select(t.nan ^ select(sign, 0u, t.one_zero), t.infinity | sign, t.infinity != 0u);
}

// Fractions are cut off, NaN is 0, what is too large for an i32 the largest (the conversion alone stops below it); low bits remain.
fn integer_code(x: f32, t: Stored) -> u32 {
  let nan = (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
  let whole = select(i32(x), 2147483647, x >= 2147483648.0);
  return bitcast<u32>(select(whole, 0, nan)) & (0xffffffffu >> (32u - t.bits));
}

fn bf16_code(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return select((bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u, (bits >> 16u) | 0x40u, nan);
}

fn power_code(x: f32, t: Stored) -> u32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  let beyond = select(255u, 254u, t.saturates);
  if (bits > 0x7f800000u) {
    return 255u;
  }
  if (bits < 0x00400000u) {
    return select(255u, 0u, t.saturates);
  }
  let denormal = bits < 0x00800000u;  // the interval from 2^-127 on, whose fraction has one bit less
  let fraction = bits & select(0x007fffffu, 0x003fffffu, denormal);
  let up = (t.fraction == 0u && fraction != 0u) || (t.fraction == 2u && fraction >= select(0x00400000u, 0x00200000u, denormal));
  let code = (bits >> 23u) + select(0u, 1u, up);
  return select(beyond, code, code < 255u);
}

fn code_of(x: f32, t: Stored) -> u32 {
  switch (t.kind) {
    case kind_f32: {
      return bitcast<u32>(x);
    }
    case kind_signed, kind_unsigned: {
      return integer_code(x, t);
    }
    case kind_bool: {
      return select(0u, 1u, (bitcast<u32>(x) & 0x7fffffffu) != 0u);
    }
    case kind_bf16: {
      return bf16_code(x);
    }
    case kind_power: {
      return power_code(x, t);
    }
    default: {
      return small_code(x, t);
    }
  }
}
