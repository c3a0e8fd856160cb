// What every attention program shares: y = softmax(mask + cap(scale q k)) v for each batch, head and query row. Work is cut in
// tiles of query rows of one head and a part of the value's columns; rows fastest, so that neighbours share keys and values. All
// strides are in elements of the operand's binding.
struct Operand {
  first: u32,
  batch: u32,
  head: u32,
  row: u32,
}

struct Params {
  tiles: u32,
  row_tiles: u32,
  column_tiles: u32,
  heads: u32,
  queries: u32,
  keys: u32,
  group: u32,  // query heads that share keys and values
  causal_offset: i32,  // query row s sees keys 0 ... s + causal_offset
  scale: f32,
  softcap: f32,
  unseen: u32,  // bits of what a row without keys gives
  zero: u32,  // 0, which the compiler cannot know
  q: Operand,
  k: Operand,
  v: Operand,
  y: Operand,
  mask: vec4<u32>,  // strides of batch, head, row, key
}

struct Place {
  row: u32,  // tile of rows
  column: u32,  // tile of columns
  q: u32,  // first element of the head
  k: u32,
  v: u32,
  y: u32,
  mask: u32,
}

fn head_of(o: Operand, batch: u32, head: u32) -> u32 {
  return o.first + batch * o.batch + head * o.head;
}

fn place_of(tile: u32) -> Place {
  let across = tile / p.row_tiles;
  let flat_head = across / p.column_tiles;
  let batch = flat_head / p.heads;
  let head = flat_head - batch * p.heads;
  let shared_head = head / p.group;
  return Place(tile - across * p.row_tiles, across - flat_head * p.column_tiles, head_of(p.q, batch, head),
               head_of(p.k, batch, shared_head), head_of(p.v, batch, shared_head), head_of(p.y, batch, head),
               batch * p.mask.x + head * p.mask.y);
}

// Keys that a query row sees.
fn visible_keys(row: u32) -> u32 {
  return u32(clamp(i32(row) + p.causal_offset + 1, 0, i32(p.keys)));
}
