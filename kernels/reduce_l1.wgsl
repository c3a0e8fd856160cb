// Sum of absolute values.
fn term(x: acc) -> acc {
  return magnitude(x);
}

fn finish(total: acc) -> acc {
  return total;
}
