// The integer twin of _number_f32.wgsl.
fn is_nan(x: i32) -> bool {
  return false;
}

fn highest() -> i32 {
  return 2147483647;
}

fn lowest() -> i32 {
  return i32(-2147483648);
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
