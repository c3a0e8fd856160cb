// Element `at` of an operand of bools: bytes, four in a word; any but zero is true.
const per_word = 2u;  // elements in what is read at once, as a power of two

fn element_of(stored: elem, at: u32) -> acc {
  return ((stored >> ((at & 3u) * 8u)) & 0xffu) != 0u;
}
