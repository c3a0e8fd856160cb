// What is further than lambd (alpha) from zero comes nearer by bias (beta), the rest is 0.
fn apply(x: acc) -> acc {
  return select(select(0.0, x - p.beta, x > p.alpha), x + p.beta, x < -p.alpha);
}
