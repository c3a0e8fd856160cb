// Element `at` of an operand whose elements have `width` bits, 2^per_word in a word; the type's file gives `number_of`.
fn element_of(word: u32, at: u32) -> acc {
  return number_of(extractBits(word, (at & ((1u << per_word) - 1u)) * width, width));
}
