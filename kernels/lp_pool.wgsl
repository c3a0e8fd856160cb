// The norm of a window for the powers 1 and 2.
const passes = 1u;

fn initial() -> acc {
  return 0.0;
}

fn replaces(total: acc, x: acc) -> bool {
  return false;
}

fn combine(total: acc, x: acc, turn: u32) -> acc {
  return total + select(abs(x), x * x, p.power == 2u);
}

fn finish(total: acc, count: u32) -> acc {
  return select(total, sqrt(total), p.power == 2u);
}
