#include "onednn_yardstick.h"

#include <dnnl.hpp>

namespace bench {

struct OnednnMatmul::State {
  int64_t size = 0;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  std::vector<float> a, b, c;
  dnnl::memory a_memory, b_memory, c_memory;
  dnnl::matmul matmul;
};

OnednnMatmul::OnednnMatmul(int64_t size) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.size = size;
  const auto count = static_cast<size_t>(size * size);
  s.a = s.b = s.c = values(count);
  const dnnl::memory::desc desc({size, size}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab);
  s.a_memory = dnnl::memory(desc, s.engine, s.a.data());
  s.b_memory = dnnl::memory(desc, s.engine, s.b.data());
  s.c_memory = dnnl::memory(desc, s.engine, s.c.data());
  s.matmul = dnnl::matmul(dnnl::matmul::primitive_desc(s.engine, desc, desc, desc));
  run();
}

OnednnMatmul::~OnednnMatmul() = default;

void OnednnMatmul::run() {
  State& s = *state_;
  s.matmul.execute(s.stream, {{DNNL_ARG_SRC, s.a_memory}, {DNNL_ARG_WEIGHTS, s.b_memory}, {DNNL_ARG_DST, s.c_memory}});
  s.stream.wait();
}

Work OnednnMatmul::work() const { return product_work({state_->size, state_->size, state_->size}); }

}  // namespace bench
