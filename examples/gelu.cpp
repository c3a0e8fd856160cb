// y = gelu(x W + b) with daybreak.hpp; gelu.c is the same job through the C ABI.
// usage: gelu_cpp PLUGIN.so [DEVICE]. DEVICE is cpu, gpu, an index or part of a name; else the best one runs it.
#include <cstdio>
#include <vector>

#include "daybreak.hpp"

int main(int argc, char** argv) try {
  if (argc < 2) throw daybreak::Error(DBK_INVALID_ARGUMENT, "usage: gelu_cpp PLUGIN.so [DEVICE]");
  const std::vector<float> x{1, 2, 3, -1, 0, 1}, w{0.5f, -0.5f, 0.25f, 0.75f, -1, 1}, b{0.5f, -1};

  daybreak::GraphBuilder g(20);
  const auto in = g.input<float>("x", {2, 3});
  const auto sum = g.node("Gemm", {in, g.param<float>("W", {3, 2}), g.param<float>("b", {2})});
  g.output(g.node("Gelu", {sum}), "y");

  const auto plugin = daybreak::Plugin::load(argv[1]);
  const daybreak::Context context(plugin);
  daybreak::Compile how;
  if (argc > 2) how.options.set("device", argv[2]);
  auto exec = context.compile(g, how);
  exec.set_param("W", std::span(w));
  exec.set_param("b", std::span(b));
  exec.ready();

  daybreak::Run run(exec);
  run.bind_input("x", daybreak::view_of(x, daybreak::Dims{2, 3}));
  run.run();
  const std::vector<float> y = run.read<float>("y");
  std::printf("y = [[%.4f, %.4f], [%.4f, %.4f]]\n", y[0], y[1], y[2], y[3]);
  std::printf("%s\n", exec.report("placement").c_str());  // which node ran where, and why
} catch (const std::exception& error) {
  std::fprintf(stderr, "gelu_cpp: %s\n", error.what());
  return 1;
}
