// Where updates begin, as 64-bit numbers in (low, high) words. One that is negative, too large or leaves no room is reported.
@group(0) @binding(2) var<storage, read> starts: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> fault: array<atomic<u32>>;

fn start_of(batch: u32) -> u32 {
  let start = starts[batch];
  let most = select(p.extent - p.length, 0x7fffffffu, p.circular != 0u);
  if (start.y != 0u || start.x > most) {
    report_fault(1u, batch, start);
  }
  return min(start.x, most);
}
