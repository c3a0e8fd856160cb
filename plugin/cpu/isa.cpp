#include "plugin/cpu/isa.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <dnnl.hpp>
#include <format>
#include <fstream>

namespace dbk {

namespace {

#if defined(__x86_64__)
bool os_grants_amx() {
  constexpr int kArchReqXcompPerm = 0x1023;
  constexpr long kXfeatureTileData = 18;
  return syscall(SYS_arch_prctl, kArchReqXcompPerm, kXfeatureTileData) == 0;
}
#endif

const char* vector_name() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "avx512";
  if (__builtin_cpu_supports("avx2")) return "avx2";
  if (__builtin_cpu_supports("avx")) return "avx";
  return "sse";
#else
  return "generic";
#endif
}

const char* isa_name(dnnl::cpu_isa isa) {
  switch (isa) {
    case dnnl::cpu_isa::sse41: return "sse41";
    case dnnl::cpu_isa::avx: return "avx";
    case dnnl::cpu_isa::avx2: return "avx2";
    case dnnl::cpu_isa::avx2_vnni: return "avx2_vnni";
    case dnnl::cpu_isa::avx2_vnni_2: return "avx2_vnni_2";
    case dnnl::cpu_isa::avx512_core: return "avx512_core";
    case dnnl::cpu_isa::avx512_core_vnni: return "avx512_core_vnni";
    case dnnl::cpu_isa::avx512_core_bf16: return "avx512_core_bf16";
    case dnnl::cpu_isa::avx10_1_512: return "avx10_1_512";
    case dnnl::cpu_isa::avx10_1_512_amx: return "avx10_1_512_amx";
    case dnnl::cpu_isa::avx10_1_512_amx_fp16: return "avx10_1_512_amx_fp16";
    default: return "default";
  }
}

}  // namespace

void cap_onednn_isa() {
#if defined(__x86_64__)
  // Returns an error once oneDNN has run a kernel (another user of the library in this process): then it is that user's limit.
  if (!os_grants_amx()) dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx10_1_512);
#endif
}

void silence_onednn() {
  if (!std::getenv("ONEDNN_VERBOSE") && !std::getenv("DNNL_VERBOSE")) dnnl_set_verbose(0);
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return std::format("{} ({})", line.substr(line.find(':') + 2), vector_name());
  return std::format("CPU ({})", vector_name());
}

std::string onednn_version() {
  const dnnl_version_t* v = dnnl_version();
  return std::format("oneDNN {}.{}.{}, {}", v->major, v->minor, v->patch, isa_name(dnnl::get_effective_cpu_isa()));
}

}  // namespace dbk
