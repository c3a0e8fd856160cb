// The largest; NaN where there is one; the lowest value of nothing.
fn initial() -> acc {
  return lowest();
}

fn term(x: acc) -> acc {
  return x;
}

fn combine(a: acc, b: acc) -> acc {
  return select(select(select(b, a, before(b, a)), b, is_nan(b)), a, is_nan(a));
}

fn finish(total: acc) -> acc {
  return total;
}
