// Positions of all tokens, or with `from_first` of the first one, from which tokens count on; 64-bit numbers as (low, high) words. One
// without a row in the caches is reported.
@group(0) @binding(binding_positions) var<storage, read> positions: array<vec2<u32>>;
@group(0) @binding(binding_params - 1) var<storage, read_write> fault: array<atomic<u32>>;

fn cache_row(batch: u32, token: u32, tokens: u32) -> u32 {
  let place = select(batch * tokens + token, 0u, from_first != 0u);
  let listed = positions[place];
  let further = select(0u, token, from_first != 0u);
  let row = listed.x + further;
  if (listed.y != 0u || row < further || row >= p.cache_rows) {
    report_fault(1u, place, listed);
  }
  return min(row, max(p.cache_rows, 1u) - 1u);
}
