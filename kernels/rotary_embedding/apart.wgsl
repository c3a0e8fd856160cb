// The first numbers of pairs are one part and the second ones another.
fn pairs_of(a: wide, b: wide) -> array<wide, 2> {
  return array<wide, 2>(a, b);
}

fn parts_of(first: wide, second: wide) -> array<wide, 2> {
  return array<wide, 2>(first, second);
}
