// Logarithm of the sum; -infinity of nothing.
fn term(x: acc) -> acc {
  return x;
}

fn finish(total: acc) -> acc {
  return log_of(total);
}
