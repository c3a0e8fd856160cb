// Integers to signed ones of 32 bits or less: the low bits.
fn converted(x: acc) -> i32 {
  return bitcast<i32>(wide_of(x).x);
}
