// Element `at` of an operand whose elements have a WGSL type of their own: `elem` as stored, `acc` as computed.
const per_word = 0u;  // elements in what is read at once, as a power of two

fn element_of(stored: elem, at: u32) -> acc {
  return acc(stored);
}
