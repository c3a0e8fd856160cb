// What the `line` programs of attention share (attention_line_text.h). A tile is 16 queries of a head, a chunk chunk_keys keys. Arrays
// between the programs, all of vec4, counted in tiles from p.first_tile on, but `turned`, which holds all of them:
//   turned [tile][column of q][16], weights [tile][key][16], found [tile][chunk][2][16], sums [tile][column of v][16].
// `found` has the largest score of the chunk and the sum of weights relative to it; behind `levels` the chunk's factor and, in the
// first chunk, the sum of the row.
fn found_at(tile: u32, chunk: u32) -> u32 {
  return (tile * p.parts + chunk) * 8u;
}
