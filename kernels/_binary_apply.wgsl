// Operands of one type.
alias other = elem;

fn combined(x: acc, at: u32) -> made {
  return apply(x, element_of(b[at >> per_word], at));
}
