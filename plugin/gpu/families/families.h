// The families of GPU code, one file each; plugin/gpu/family.cpp finds them by name.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

#define DBK_FAMILY(object) extern const Family object;
#include "plugin/gpu/families/families.inc"
#undef DBK_FAMILY

}  // namespace dbk::gpu
