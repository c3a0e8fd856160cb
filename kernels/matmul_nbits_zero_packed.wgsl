// Zero points as codes, packed from the start of a byte on for each column.
fn zero_of(column: u32, block: u32) -> f32 {
  let at = column * p.zero_bytes * 8u + block * code_bits;
  return f32((zeros[at >> 5u] >> (at & 31u)) & ones);
}
