// One operand.
@group(0) @binding(0) var<storage, read> x: array<part>;
@group(0) @binding(binding_y) var<storage, read_write> y: array<part>;

fn operand_of(i: u32) -> u32 {
  return 0u;
}

fn load(which: u32, at: u32) -> part {
  return x[at];
}

fn store(which: u32, at: u32, value: part) {
  y[at] = value;
}
