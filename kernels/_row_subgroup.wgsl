// One subgroup per row, no barrier and no workgroup memory: the best form on CPU adapters and for many rows. A
// butterfly of `combine` leaves the same total in every lane, in an order that depends on the subgroup size alone.
// Subgroups beyond the last row run an empty one, so that control flow stays uniform; group_size is at least the
// largest subgroup, so every lane of it exists.
fn row_fold(mine: part, lane: u32, lanes: u32) -> part {
  var total = mine;
  for (var step = lanes >> 1u; step > 0u; step >>= 1u) {
    total = combine(total, subgroupShuffleXor(total, step));
  }
  return total;
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(num_subgroups) teams: u32,
        @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) lanes: u32) {
  let row = flat_group(group, groups) * teams + team;
  run_row(row, select(0u, p.length, row < p.rows), lane, lanes);
}
