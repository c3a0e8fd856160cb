// Two operands, one behind the other.
@group(0) @binding(0) var<storage, read> q: array<part>;
@group(0) @binding(1) var<storage, read> k: array<part>;
@group(0) @binding(binding_y) var<storage, read_write> turned_q: array<part>;
@group(0) @binding(binding_y + 1) var<storage, read_write> turned_k: array<part>;

fn operand_of(i: u32) -> u32 {
  return select(0u, 1u, i >= p.operands[0].units);
}

fn load(which: u32, at: u32) -> part {
  if (which == 0u) {
    return q[at];
  }
  return k[at];
}

fn store(which: u32, at: u32, value: part) {
  if (which == 0u) {
    turned_q[at] = value;
  } else {
    turned_k[at] = value;
  }
}
