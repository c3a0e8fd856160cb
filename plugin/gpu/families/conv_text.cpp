#include "plugin/gpu/families/conv_text.h"

#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/text_line.h"

namespace dbk::gpu {

namespace {

// Positions beyond the last and channels beyond the last are computed as the last ones again and not stored.
void write_places(std::string& s, const DirectConv& t) {
  add_line(s, "  let place = place_of(tile);");
  add_line(s, "  let channel = place.channel * {}u;", t.channels);
  add_line(s, "  let taps = p.axes[0].kernel * p.axes[1].kernel * p.axes[2].kernel;");
  add_line(s, "  let weights = place.group * p.channels_in * p.channels_out * taps;");
  for (uint32_t i = 0; i < t.channels; ++i) {
    add_line(s, "  let channel{0} = min(channel + {0}u, p.channels_out - 1u);", i);
    add_line(s, "  let own{0} = place.group * p.channels_out + channel{0};", i);
    add_line(s, "  var w{0}_at = weights + channel{0} * taps{1};", i, t.transposed ? "" : " * p.channels_in");
  }
  for (uint32_t j = 0; j < t.positions; ++j) {
    add_line(s, "  let position{} = place.position * {}u + lane + {}u;", j, t.lanes * t.positions, j * t.lanes);
    add_line(s, "  let start{0} = first_tap(min(position{0}, p.positions - 1u));", j);
  }
  for (uint32_t i = 0; i < t.channels; ++i)
    for (uint32_t j = 0; j < t.positions; ++j) add_line(s, "  var c{}_{} = number(0);", i, j);
  add_line(s, "  var plane = place.part * p.channels_in * p.plane;");
}

void write_products(std::string& s, const DirectConv& t) {
  for (uint32_t j = 0; j < t.positions; ++j) {
    add_line(s, "          let x{0} = tap(start{0}.z, kx, 2u);", j);
    add_line(s, "          let inside{0} = row_inside{0} && x{0} < p.axes[2].extent;", j);
    add_line(s, "          let v{0} = select(number(0), x_at(select(0u, row{0} + x{0}, inside{0})), inside{0});", j);
  }
  for (uint32_t i = 0; i < t.channels; ++i) {
    add_line(s, "          let w{0} = weight_at(w{0}_at, own{0});", i);
    add_line(s, "          w{}_at++;", i);
    for (uint32_t j = 0; j < t.positions; ++j) add_line(s, "          c{0}_{1} = multiply_add(w{0}, v{1}, c{0}_{1});", i, j);
  }
}

void write_loops(std::string& s, const DirectConv& t) {
  add_line(s, "  for (var c = 0u; c < p.channels_in; c++) {{");
  add_line(s, "    for (var kz = 0u; kz < p.axes[0].kernel; kz++) {{");
  add_line(s, "      for (var ky = 0u; ky < p.axes[1].kernel; ky++) {{");
  for (uint32_t j = 0; j < t.positions; ++j) {
    add_line(s, "        let z{0} = tap(start{0}.x, kz, 0u);", j);
    add_line(s, "        let y{0} = tap(start{0}.y, ky, 1u);", j);
    add_line(s, "        let row_inside{0} = z{0} < p.axes[0].extent && y{0} < p.axes[1].extent;", j);
    add_line(s, "        let row{0} = plane + (z{0} * p.axes[1].extent + y{0}) * p.axes[2].extent;", j);
  }
  add_line(s, "        for (var kx = 0u; kx < p.axes[2].kernel; kx++) {{");
  write_products(s, t);
  add_line(s, "        }}\n      }}\n    }}\n    plane += p.plane;");
  for (uint32_t i = 0; t.transposed && i < t.channels; ++i)  // there the channels of the result lie between
    add_line(s, "    w{}_at += (p.channels_out - 1u) * taps;", i);
  add_line(s, "  }}");
}

void write_stores(std::string& s, const DirectConv& t) {
  for (uint32_t i = 0; i < t.channels; ++i) {
    add_line(s, "  if (channel + {}u < p.channels_out) {{", i);
    add_line(s, "    let row = (place.part * p.channels_out + channel + {}u) * p.positions;", i);
    for (uint32_t j = 0; j < t.positions; ++j)
      add_line(s,
           "    if (position{1} < p.positions) {{ y[row + position{1}] = finish(c{0}_{1} + bias_of(own{0}), row + "
           "position{1}, own{0}); }}",
           i, j);
    add_line(s, "  }}");
  }
}

// Everything behind what declares numbers and their ends.
std::string complete(std::string s, const DirectConv& t, uint32_t reads, std::string_view result) {
  add_line(s, "\n// Each lane owns {} positions, {} apart, in {} channels; sums are in registers.", t.positions, t.lanes, t.channels);
  add_line(s, "@group(0) @binding(0) var<storage, read> x: array<elem>;");
  add_line(s, "@group(0) @binding(1) var<storage, read> w: array<elem>;");
  add_line(s, "@group(0) @binding({}) var<storage, read_write> y: array<{}>;", reads, result);
  add_line(s, "@group(0) @binding({}) var<uniform> p: Params;\n", reads + 1);
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  add_line(s, "  let tile = flat_group(group, groups);");
  add_line(s, "  if (tile >= p.tiles) {{\n    return;\n  }}");
  write_places(s, t);
  write_loops(s, t);
  write_stores(s, t);
  return s + "}\n";
}

}  // namespace

std::string direct_conv_text(const DirectConv& t, DType dtype, bool has_bias, const Epilogue& epilogue) {
  const uint32_t own = has_bias ? 3 : 2, reads = own + static_cast<uint32_t>(epilogue.operands.size());
  ProgramText head(t.lanes);
  head.alias("elem", to_string(dtype)).file("conv/params").file("_spatial").file("_divide").file("conv/numbers");
  add_finish(head, dtype, epilogue, own);
  head.file(t.transposed ? "conv_transpose/tap" : "conv/tap");
  if (has_bias) head.constant("binding_bias", 2);
  return complete(head.file(has_bias ? "conv/bias" : "conv/bias_none").str(), t, reads, element_name(epilogue.stored(dtype), dtype));
}

std::string integer_conv_text(const DirectConv& t, const ConvBytes& bytes) {
  ProgramText head(t.lanes);
  head.alias("elem", "u32").file("conv/params").file("_spatial").file("_divide").file("conv/tap").file("integer_conv/numbers");
  head.text(std::format("const x_signed = {};\nconst w_signed = {};\nconst has_x_zero = {};\nconst has_w_zero = {};\n", bytes.x == DBK_I8,
                        bytes.w == DBK_I8, bytes.x_zero, bytes.w_zero));
  return complete(head.str(), t, 4, "i32");
}

std::string integer_conv_label(const DirectConv& t, const ConvBytes& bytes) {
  return std::format("conv/{}/{}/direct{}x{}x{}{}{}", to_string(bytes.x), to_string(bytes.w), t.channels, t.positions, t.lanes,
                     bytes.x_zero ? "/x_zero" : "", bytes.w_zero ? "/w_zero" : "");
}

std::string direct_conv_label(const DirectConv& t, DType dtype, bool has_bias, const Epilogue& epilogue) {
  return std::format("{}/{}/direct{}x{}x{}{}{}", t.transposed ? "conv_transpose" : "conv", to_string(dtype), t.channels, t.positions, t.lanes,
                     has_bias ? "/bias" : "", epilogue_label(epilogue));
}

}  // namespace dbk::gpu
