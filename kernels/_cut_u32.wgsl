// Integers to unsigned ones of 32 bits or less: the low bits.
fn converted(x: acc) -> u32 {
  return wide_of(x).x;
}
