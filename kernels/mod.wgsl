// The rest of a / b, with the sign of a where `of_dividend` is 1, else with that of b.
fn apply(a: acc, b: acc) -> acc {
  let rest = remainder(a, b);
  let turned = of_dividend == 0u && !equal(rest, acc(0)) && less(rest, acc(0)) != less(b, acc(0));
  return select(rest, plus(rest, b), turned);
}
