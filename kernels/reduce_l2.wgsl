// Root of the sum of squares.
fn term(x: acc) -> acc {
  return x * x;
}

fn finish(total: acc) -> acc {
  return sqrt(total);
}
