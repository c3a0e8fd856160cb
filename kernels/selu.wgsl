// beta x for x >= 0, else beta alpha (e^x - 1); beta stands for gamma.
fn apply(x: acc) -> acc {
  return p.beta * select(x, p.alpha * expm1_falling(x), x < 0.0);
}
