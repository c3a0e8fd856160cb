// In f32.
alias elem = f32;

fn at(i: u32) -> f32 {
  return bitcast<f32>(p.start.x) + f32(i) * bitcast<f32>(p.delta.x);
}
