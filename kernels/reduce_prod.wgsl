// Product; 1 of nothing.
fn initial() -> acc {
  return unit();
}

fn term(x: acc) -> acc {
  return x;
}

fn combine(a: acc, b: acc) -> acc {
  return times(a, b);
}

fn finish(total: acc) -> acc {
  return total;
}
