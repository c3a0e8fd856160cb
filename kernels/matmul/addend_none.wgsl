const binding_c = 2u;

fn added(at: u32) -> elem {
  return elem(0);
}
