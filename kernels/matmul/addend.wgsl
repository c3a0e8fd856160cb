// D, of the size of C or broadcast to it.
const binding_c = 3u;

@group(0) @binding(2) var<storage, read> d: array<elem>;

fn added(at: u32) -> elem {
  return d[at];
}
