// a^b of integers, which wraps as a product of that many factors does. Of a negative b the real result is cut off: nothing is left but
// of 1, -1 and, the largest number, of 0.
fn apply(a: acc, b: acc) -> acc {
  var result = unit();
  var square = a;
  let negative = less(b, acc(0));
  let bits = select(bits_in(b), 0u, negative);
  for (var n = 0u; n < bits; n++) {
    if (bit_of(b, n)) {
      result = times(result, square);
    }
    square = times(square, square);
  }
  let cut = select(acc(0), select(unit(), a, bit_of(b, 0u)), equal(magnitude(a), unit()));
  return select(result, select(cut, highest(), equal(a, acc(0))), negative);
}
