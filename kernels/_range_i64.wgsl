// 64-bit integers as (low, high) words, which wrap.
alias elem = vec2<u32>;

fn at(i: u32) -> vec2<u32> {
  return plus(p.start, times(vec2<u32>(i, 0u), p.delta));
}
