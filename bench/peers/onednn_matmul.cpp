// daybreak_onednn_matmul M N K RUNS: the time of one f32 product by oneDNN, as a JSON object. It is what a CPU device
// that rests on oneDNN can reach.
// daybreak_onednn_matmul --version: that of oneDNN, as a JSON string.
#include <cstdio>
#include <cstdlib>
#include <dnnl.hpp>
#include <string>

#include "onednn_yardstick.h"
#include "product_times.h"

int main(int argc, char** argv) {
  const dnnl_version_t& version = *dnnl_version();
  if (argc == 2 && std::string(argv[1]) == "--version")
    return std::printf("\"%d.%d.%d\"\n", version.major, version.minor, version.patch) < 0;
  if (argc != 5) {
    std::fprintf(stderr, "usage: daybreak_onednn_matmul M N K RUNS | --version\n");
    return 2;
  }
  const int64_t m = std::atoll(argv[1]), n = std::atoll(argv[2]), k = std::atoll(argv[3]);
  bench::OnednnMatmul product({m, k, n});
  const std::vector<double> times = milliseconds_of(std::atoi(argv[4]), [&] { product.run(); });
  if (!(product.error() < 1e-5)) {
    std::fprintf(stderr, "oneDNN computed something else\n");
    return 1;
  }
  print_times(times);
}
