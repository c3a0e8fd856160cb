// Product; 1 of nothing.
fn initial() -> acc {
  return acc(1);
}

fn term(x: acc) -> acc {
  return x;
}

fn combine(a: acc, b: acc) -> acc {
  return a * b;
}

fn finish(total: acc) -> acc {
  return total;
}
