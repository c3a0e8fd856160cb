// The integer twin of _number_f32.wgsl. Elements of `number_bits` are computed in 32: what is stored of a result are its low bits,
// which wrap as they should.
fn is_nan(x: i32) -> bool {
  return false;
}

fn highest() -> i32 {
  return ~lowest();
}

fn lowest() -> i32 {
  return i32(-1) << (number_bits - 1u);
}

fn equal(a: i32, b: i32) -> bool {
  return a == b;
}

fn less(a: i32, b: i32) -> bool {
  return a < b;
}

fn order_of(x: i32) -> i32 {
  return x;
}

fn plus(a: i32, b: i32) -> i32 {
  return a + b;
}

fn minus(a: i32, b: i32) -> i32 {
  return a - b;
}

fn times(a: i32, b: i32) -> i32 {
  return a * b;
}

fn negated(x: i32) -> i32 {
  return -x;
}

fn magnitude(x: i32) -> i32 {
  return abs(x);
}

fn unit() -> i32 {
  return 1;
}

fn before(a: i32, b: i32) -> bool {
  return a < b;
}

// Toward zero; of a divisor of zero _divisors.wgsl tells.
fn ratio(a: i32, b: i32) -> i32 {
  return a / b;
}

fn remainder(a: i32, b: i32) -> i32 {
  return a % b;
}

// The bits of x as an unsigned number: how many there are up to its highest one, and which is set.
fn bits_in(x: i32) -> u32 {
  return 32u - countLeadingZeros(bitcast<u32>(x));
}

fn bit_of(x: i32, n: u32) -> bool {
  return ((x >> n) & 1) != 0;
}

fn counted(n: u32) -> i32 {
  return i32(n);
}
