// y[place_of(i)] = updates[i], one per invocation; y holds the data already. An index that is out of range is reported and writes
// nothing.
@group(0) @binding(1) var<storage, read> updates: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<elem>;
@group(0) @binding(3) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p: Params;

fn run(i: u32) {
  let place = place_of(i);
  if (place.y == 0u) {
    report_place(i);
  } else {
    y[place.x] = updates[i];
  }
}
