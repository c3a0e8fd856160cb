// 32-bit integers, which wrap.
alias elem = u32;

fn at(i: u32) -> u32 {
  return p.start.x + i * p.delta.x;
}
