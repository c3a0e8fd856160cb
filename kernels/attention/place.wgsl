// What every attention program shares: y = softmax(mask + cap(scale q k)) v for each batch, head and query row; keys are those of a
// cache (past_k, past_v), then those given (k, v). Work is cut in tiles of query rows of one head and a part of the value's columns; rows
// fastest, so that neighbours share keys and values. All strides are in elements of the operand's binding.
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
  past_k: Operand,
  past_v: Operand,
  mask0: vec4<u32>,  // strides of batch, head, row, key
  mask1: vec4<u32>,
  mask_keys: vec2<u32>,  // keys that the masks have elements for
  past: u32,  // keys of the cache
  ends_meet: u32,  // 1: the last query sees the last key that counts
  filter_value: f32,  // added where an integer mask is 0, instead of the score where a bool is false
  window: u32,  // of the keys up to its own a row sees that many
  parts: u32,  // that the keys of a row are cut in, where lanes own keys, or chunks of them
  part_keys: u32,
  first_row: u32,  // tile of rows, and head of all batches, where a `line` program begins
  first_head: u32,
  first_key: u32,
  last: u32,  // 1: no key is left
  stretch: u32,  // of the first key
  stretches: u32,
  chunks: u32,  // in all of them
  pad: u32,
}

struct Place {
  row: u32,  // tile of rows
  column: u32,  // tile of columns
  batch: u32,
  head: u32,  // of all batches
  q: u32,  // first element of the head
  k: u32,
  v: u32,
  y: u32,
  past_k: u32,
  past_v: u32,
  mask0: u32,
  mask1: u32,
}

fn head_of(o: Operand, batch: u32, head: u32) -> u32 {
  return o.first + batch * o.batch + head * o.head;
}

fn place_of(tile: u32) -> Place {
  let across = tile / p.row_tiles;
  let flat_head = across / p.column_tiles;
  return place_in(flat_head, tile - across * p.row_tiles, across - flat_head * p.column_tiles);
}

fn place_in(flat_head: u32, row: u32, column: u32) -> Place {
  let batch = flat_head / p.heads;
  let head = flat_head - batch * p.heads;
  let shared_head = head / p.group;
  return Place(row, column, batch, flat_head, head_of(p.q, batch, head),
               head_of(p.k, batch, shared_head), head_of(p.v, batch, shared_head), head_of(p.y, batch, head),
               head_of(p.past_k, batch, shared_head), head_of(p.past_v, batch, shared_head),
               batch * p.mask0.x + head * p.mask0.y, batch * p.mask1.x + head * p.mask1.y);
}

// The keys up to a query row's own, where `length` of them count; those that it sees of them, and the first one in its window.
fn own_keys(row: u32, length: u32) -> i32 {
  return i32(row) + select(p.causal_offset, i32(length) - i32(p.queries), p.ends_meet != 0u) + 1;
}

fn visible_keys(row: u32, length: u32) -> u32 {
  return u32(clamp(own_keys(row, length), 0, i32(length)));
}

fn first_key(row: u32, length: u32) -> u32 {
  return u32(max(own_keys(row, length) - i32(p.window), 0));
}


fn is_lowest(x: f32) -> bool {
  return bitcast<u32>(x) == 0xff800000u;
}
