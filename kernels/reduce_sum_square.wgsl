// Sum of squares.
fn initial() -> acc {
  return acc(0);
}

fn term(x: acc) -> acc {
  return x * x;
}

fn combine(a: acc, b: acc) -> acc {
  return a + b;
}

fn finish(total: acc) -> acc {
  return total;
}
