// Sum over number, cut toward zero; 0 of nothing.
fn term(x: acc) -> acc {
  return x;
}

fn finish(total: acc) -> acc {
  return ratio(total, counted(max(p.length, 1u)));
}
