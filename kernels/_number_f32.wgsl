// What a floating-point accumulator has beyond arithmetic. WGSL lets an implementation assume that there is no NaN or
// infinity, so both are tested and made as bits, which hold on every adapter; `var` keeps the compiler from rejecting
// them as constants.
fn is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn highest() -> f32 {
  var bits = 0x7f800000u;
  return bitcast<f32>(bits);
}

fn lowest() -> f32 {
  var bits = 0xff800000u;
  return bitcast<f32>(bits);
}

// x itself, which compilers cannot know: they may reassociate sums, and Mesa's do where that saves one, so an expression
// that catches a rounding error, as in (a - s) + b after s = a + b, has to be cut. Of all bits only the highest, those of a NaN,
// become others, which are of a NaN, too.
fn fence(x: f32) -> f32 {
  return fence_apart(x, 0u);
}

// The same for values that may be equal: to compilers fences of different numbers are different, so that of x - x they cannot say 0,
// which is wrong for infinities and NaN.
fn fence_apart(x: f32, number: u32) -> f32 {
  return bitcast<f32>(min(bitcast<u32>(x), 0xfffffffeu - number));
}

// Comparisons by bits, counted from zero on both sides: right for NaN, infinities and denormals on every adapter.
fn order_of(x: f32) -> i32 {
  let bits = bitcast<i32>(x);
  return select(bits, -(bits & 0x7fffffff), bits < 0);
}

fn equal(a: f32, b: f32) -> bool {
  return order_of(a) == order_of(b) && !is_nan(a) && !is_nan(b);
}

fn less(a: f32, b: f32) -> bool {
  return order_of(a) < order_of(b) && !is_nan(a) && !is_nan(b);
}

// Arithmetic under the names that every accumulator has: 64-bit integers have no operators.
fn plus(a: f32, b: f32) -> f32 {
  return a + b;
}

fn minus(a: f32, b: f32) -> f32 {
  return a - b;
}

fn times(a: f32, b: f32) -> f32 {
  return a * b;
}

fn negated(x: f32) -> f32 {
  return -x;
}

fn magnitude(x: f32) -> f32 {
  return abs(x);
}

fn unit() -> f32 {
  return 1.0;
}

// a < b where neither is NaN.
fn before(a: f32, b: f32) -> bool {
  return a < b;
}

fn ratio(a: f32, b: f32) -> f32 {
  return a / b;
}
