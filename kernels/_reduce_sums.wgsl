// Reductions that add.
fn initial() -> acc {
  return acc(0);
}

fn combine(a: acc, b: acc) -> acc {
  return plus(a, b);
}
