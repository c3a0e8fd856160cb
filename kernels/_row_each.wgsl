// One invocation per row: for short rows, and for rows whose neighbours lie beside each other in memory.
fn row_fold(mine: part, lane: u32, lanes: u32) -> part {
  return mine;
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let row = flat_group(group, groups) * group_size + lane;
  if (row < p.rows) {
    run_row(row, p.length, 0u, 1u);
  }
}
