// Sum over number; NaN of nothing.
fn term(x: acc) -> acc {
  return x;
}

fn finish(total: acc) -> acc {
  return total / acc(p.length);
}
