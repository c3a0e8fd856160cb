# Writes OUT: a table from kernel name to text and dbk::gpu::kernel_text, from every .wgsl file below FOLDER.
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*.wgsl)
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} text)
  string(REGEX REPLACE "\\.wgsl$" "" name "${file}")
  string(APPEND rows "    {\"${name}\", R\"wgsl(${text})wgsl\"},\n")
endforeach()
file(WRITE ${OUT} "// Made by kernels/embed.cmake.
#include <algorithm>

#include \"host_fallback/error.h\"
#include \"plugin/gpu/family.h\"

namespace dbk::gpu {

namespace {

struct Kernel {
  std::string_view name, text;
};
constexpr Kernel kKernels[] = {
${rows}};

}  // namespace

std::string_view kernel_text(std::string_view name) {
  const auto* found = std::ranges::find(kKernels, name, &Kernel::name);
  if (found == std::end(kKernels)) fail(DBK_INTERNAL, \"no kernel named {}\", name);
  return found->text;
}

}  // namespace dbk::gpu
")
