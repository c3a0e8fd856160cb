// daybreak_ggml_matmul BACKEND M N K RUNS: the time of one f32 product by ggml, as a JSON object. BACKEND is a part of
// the name of one of ggml's devices ("Vulkan", "CPU"). A run uploads A and reads the product back, as our runs do.
// daybreak_ggml_matmul --version: that of ggml, as a JSON string.
#include <ggml-alloc.h>
#include <ggml-backend.h>
#include <ggml.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "product_times.h"

namespace {

ggml_backend_dev_t device_named(const std::string& part) {
  for (size_t i = 0; i < ggml_backend_dev_count(); ++i)
    if (std::string(ggml_backend_dev_name(ggml_backend_dev_get(i))).find(part) != std::string::npos)
      return ggml_backend_dev_get(i);
  std::fprintf(stderr, "ggml lists no device named %s\n", part.c_str());
  std::exit(1);
}

// Backends are libraries that ggml loads: what not all of them have is asked for by name.
void use_all_cores(ggml_backend_t backend) {
  const ggml_backend_reg_t library = ggml_backend_dev_backend_reg(ggml_backend_get_device(backend));
  if (void* set = ggml_backend_reg_get_proc_address(library, "ggml_backend_set_n_threads"))
    reinterpret_cast<ggml_backend_set_n_threads_t>(set)(backend, static_cast<int>(std::thread::hardware_concurrency()));
}

void silent(ggml_log_level, const char*, void*) {}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--version") return std::printf("\"%s\"\n", ggml_version()) < 0;
  if (argc != 6) {
    std::fprintf(stderr, "usage: daybreak_ggml_matmul BACKEND M N K RUNS | --version\n");
    return 2;
  }
  const int64_t m = std::atoll(argv[2]), n = std::atoll(argv[3]), k = std::atoll(argv[4]);
  ggml_log_set(silent, nullptr);
  ggml_backend_load_all();
  const std::unique_ptr<ggml_backend, void (*)(ggml_backend_t)> backend(
      ggml_backend_dev_init(device_named(argv[1]), nullptr), ggml_backend_free);
  use_all_cores(backend.get());

  const std::unique_ptr<ggml_context, void (*)(ggml_context*)> context(
      ggml_init({ggml_tensor_overhead() * 8 + ggml_graph_overhead(), nullptr, /*no_alloc=*/true}), ggml_free);
  ggml_tensor* weight = ggml_new_tensor_2d(context.get(), GGML_TYPE_F32, k, n);  // ggml's weights are [n][k]
  ggml_tensor* x = ggml_new_tensor_2d(context.get(), GGML_TYPE_F32, k, m);
  ggml_tensor* y = ggml_mul_mat(context.get(), weight, x);
  ggml_cgraph* graph = ggml_new_graph(context.get());
  ggml_build_forward_expand(graph, y);
  const std::unique_ptr<ggml_backend_buffer, void (*)(ggml_backend_buffer_t)> memory(
      ggml_backend_alloc_ctx_tensors(context.get(), backend.get()), ggml_backend_buffer_free);

  std::vector<float> in(static_cast<size_t>(std::max(m, n) * k), 0.5f), out(static_cast<size_t>(m * n));
  ggml_backend_tensor_set(weight, in.data(), 0, ggml_nbytes(weight));
  bool done = true;
  const std::vector<double> times = milliseconds_of(std::atoi(argv[5]), [&] {
    ggml_backend_tensor_set(x, in.data(), 0, ggml_nbytes(x));
    done = done && ggml_backend_graph_compute(backend.get(), graph) == GGML_STATUS_SUCCESS;
    ggml_backend_tensor_get(y, out.data(), 0, ggml_nbytes(y));
  });
  if (!done || out[0] != 0.25f * static_cast<float>(k)) {
    std::fprintf(stderr, "ggml computed %s\n", done ? "something else" : "nothing");
    return 1;
  }
  print_times(times);
}
