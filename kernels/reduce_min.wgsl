// The smallest; NaN where there is one; the highest value of nothing.
fn initial() -> acc {
  return highest();
}

fn term(x: acc) -> acc {
  return x;
}

fn combine(a: acc, b: acc) -> acc {
  return select(select(select(b, a, before(a, b)), b, is_nan(b)), a, is_nan(a));
}

fn finish(total: acc) -> acc {
  return total;
}
