// One workgroup per row: for long rows when there are few, and where the adapter has no subgroups. Partial results meet
// in a tree of fixed shape in workgroup memory.
var<workgroup> row_parts: array<part, group_size>;

fn row_fold(mine: part, lane: u32, lanes: u32) -> part {
  row_parts[lane] = mine;
  workgroupBarrier();
  for (var step = lanes >> 1u; step > 0u; step >>= 1u) {
    if (lane < step) {
      row_parts[lane] = combine(row_parts[lane], row_parts[lane + step]);
    }
    workgroupBarrier();
  }
  return workgroupUniformLoad(&row_parts[0]);
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let row = flat_group(group, groups);
  if (row < p.rows) {
    run_row(row, p.length, lane, group_size);
  }
}
