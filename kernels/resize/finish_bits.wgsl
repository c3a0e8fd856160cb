// Elements that were only moved.
fn finished(bits: u32) -> acc {
  return bits;
}
