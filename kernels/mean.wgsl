// (a + b) / 2; large numbers are halved first, so that they do not overflow. The fence keeps
// compilers from adding first all the same; small numbers would be halved to denormals.
fn apply(a: acc, b: acc) -> acc {
  let large = abs(a) > 1e38 || abs(b) > 1e38;
  return select((a + b) * 0.5, fence(a * 0.5) + b * 0.5, large);
}
