// Sum of squares.
fn term(x: acc) -> acc {
  return times(x, x);
}

fn finish(total: acc) -> acc {
  return total;
}
