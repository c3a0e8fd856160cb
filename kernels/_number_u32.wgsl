// The unsigned twin of _number_i32.wgsl.
fn is_nan(x: u32) -> bool {
  return false;
}

fn highest() -> u32 {
  return 0xffffffffu >> (32u - number_bits);
}

fn lowest() -> u32 {
  return 0u;
}

fn equal(a: u32, b: u32) -> bool {
  return a == b;
}

fn less(a: u32, b: u32) -> bool {
  return a < b;
}

// Nothing is left of a number that is moved by its width or more.
fn shifted_left(a: u32, b: u32) -> u32 {
  return select(a << (b & 31u), 0u, b >= number_bits);
}

fn shifted_right(a: u32, b: u32) -> u32 {
  return select(a >> (b & 31u), 0u, b >= number_bits);
}

fn plus(a: u32, b: u32) -> u32 {
  return a + b;
}

fn minus(a: u32, b: u32) -> u32 {
  return a - b;
}

fn times(a: u32, b: u32) -> u32 {
  return a * b;
}

fn negated(x: u32) -> u32 {
  return 0u - x;
}

fn magnitude(x: u32) -> u32 {
  return x;
}

fn unit() -> u32 {
  return 1u;
}

fn before(a: u32, b: u32) -> bool {
  return a < b;
}

// Toward zero; of a divisor of zero _divisors.wgsl tells.
fn ratio(a: u32, b: u32) -> u32 {
  return a / b;
}

fn remainder(a: u32, b: u32) -> u32 {
  return a % b;
}

fn counted(n: u32) -> u32 {
  return n;
}
