// 16-bit integers, which wrap.
alias elem = i32;

fn at(i: u32) -> i32 {
  return bitcast<i32>(p.start.x + i * p.delta.x);
}
