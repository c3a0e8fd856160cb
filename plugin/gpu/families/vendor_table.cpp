#include "plugin/gpu/families/vendor_table.h"

namespace dbk::gpu {

namespace {

constexpr TileSize k32{32, 32, 16, 4, 4}, k64{64, 64, 16, 4, 4}, k128x64{128, 64, 16, 8, 4}, k128{128, 128, 16, 8, 8};

// Sources name the project and, where there is one, the pull request whose figures were read.
constexpr VendorRow kRows[] = {
    {"NVIDIA", 0x10DE, "",
     256, "ONNX Runtime's HeuristicTiling takes 256 subgroups where it does not know the cores",
     {k32, k64, k128}, "ggml-vulkan: 32, 64 and 128 square with 16 steps of k; tiles of 128 by 8x8 mattered more than tensor cores, ONNX Runtime pull 28109",
     {32, 8}, {4, 32}, "ggml-webgpu: 128 invocations, 32 of them along k",
     {4, 4, 2, 2}, "128x128 by 4 subgroups of 4x4, ONNX Runtime pull 28109"},
    {"AMD", 0x1002, "",
     256, "as NVIDIA",
     {k32, k64, k128}, "ggml-vulkan: 64 or 128 square by 256 invocations",
     {64, 4}, {4, 64}, "ggml-vulkan: a subgroup of up to 64 adds up",
     {4, 4, 2, 2}, "RDNA3: as NVIDIA, ggml-webgpu"},
    {"Intel Xe2", 0x8086, "xe-2",
     128, "ONNX Runtime's tables for Intel: 64 to 96 cores of 8 threads, a workgroup of 8",
     {k32, k64, k64}, "ONNX Runtime pull 29271: workgroups of 8x8 with 4x4 each",
     {16, 8}, {8, 16}, "ONNX Runtime: 128 invocations, 16 of them along k",
     {4, 2, 2, 2}, "operands straight from memory, tiles of 64x64, ONNX Runtime pull 32605"},
    {"Intel Xe3", 0x8086, "xe-3",
     128, "as Xe2",
     {k32, k64, k64}, "as Xe2",
     {16, 8}, {8, 16}, "as Xe2",
     {4, 2, 2, 2}, "Panther Lake: wider tiles gain 8 to 16 %, ONNX Runtime pull 32605"},
    {"Intel", 0x8086, "",
     64, "a guess: integrated GPUs of half the cores of Xe2",
     {k32, k64, k64}, "ONNX Runtime: workgroups of 8x8 with 4x4 each on all Intel GPUs",
     {16, 8}, {8, 16}, "as Xe2",
     {4, 2, 2, 2}, "as Xe2"},
    {"Apple", 0x106B, "",
     128, "a guess: 8 to 40 cores of which each keeps several workgroups",
     {k32, k64, k128x64}, "wgpu-mm pull 20 and Surfgrad: more work for an invocation, up to 8x4, wins from 1024 on",
     {32, 8}, {4, 32}, "as NVIDIA, whose subgroups have 32 lanes, too",
     {2, 4, 2, 2}, "32x64 by 4 subgroups, ONNX Runtime pull 23729"},
    {"Qualcomm", 0x5143, "",
     32, "a guess: 2 to 12 cores",
     {k32, k32, k64}, "ONNX Runtime pull 25777 and ggml: small tiles, registers are few",
     {64, 1}, {4, 16}, "a guess: few barriers, short sums",
     {2, 2, 1, 1}, "a guess: as small as its tiles"},
    {"ARM", 0x13B5, "",
     32, "a guess: 4 to 16 cores",
     {k32, k32, k64}, "as Qualcomm",
     {32, 2}, {4, 16}, "a guess: subgroups have 16 lanes",
     {2, 2, 1, 1}, "a guess: as small as its tiles"},
    {"llvmpipe", 0x10005, "",
     16, "every core of the host takes workgroups one after the other",
     {k32, k64, k64}, "measured: larger ones take longer to compile and spill",
     {32, 8}, {4, 64}, "tests alone: `lane` is faster",
     {2, 2, 1, 1}, "measured: 4x4 takes a second to compile"},
    {"any other", 0, "",
     256, "ONNX Runtime's HeuristicTiling",
     {k32, k64, k128x64}, "llama.cpp pull 22241: no size is best everywhere, these reach four fifths of each GPU's best",
     {32, 8}, {4, 64}, "a guess between the others",
     {2, 2, 2, 2}, "a guess between the others"},
};

}  // namespace

std::span<const VendorRow> vendor_rows() { return kRows; }

const VendorRow& vendor_row(const Capabilities& caps) {
  const VendorRow* row = kRows;
  while (row->vendor != 0 && (row->vendor != caps.vendor || !caps.architecture.starts_with(row->architecture))) ++row;
  return *row;
}

}  // namespace dbk::gpu
