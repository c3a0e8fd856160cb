// The nearest element: one place per position, four in an entry of the table; 0xffffffff is beyond the input.
fn made(position: u32, start: u32) -> target_type {
  let place = p.table[position / 4u][position % 4u];
  if (place == 0xffffffffu) {
    return constant(p.outside);
  }
  let at = start + place * p.inner;
  return element_of(x[at >> per_word], at);
}
