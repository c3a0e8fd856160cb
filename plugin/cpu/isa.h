// What the CPU really lets us use.
#pragma once

#include <string>

namespace dbk {

// oneDNN believes CPUID about AMX; where the operating system does not grant the tile registers that ends in SIGILL. Lowers oneDNN's
// limit in that case, before its first kernel. Idempotent.
void cap_onednn_isa();

// oneDNN reports what it cannot make on stdout, unless it is told not to. Whoever sets ONEDNN_VERBOSE wants to see it.
void silence_onednn();

std::string cpu_name();        // "AMD EPYC 9B14 (avx512)"
std::string onednn_version();  // "oneDNN 3.12.1, avx512_core_bf16"

}  // namespace dbk
