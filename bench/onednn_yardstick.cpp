#include "onednn_yardstick.h"

#include <cmath>
#include <dnnl.hpp>

namespace bench {

struct OnednnMatmul::State {
  MatmulSize size;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  std::vector<float> a, b, c;
  dnnl::memory a_memory, b_memory, c_memory;
  dnnl::matmul matmul;

  // Of a matrix of new numbers.
  dnnl::memory memory(int64_t rows, int64_t columns, std::vector<float>& data) {
    data = values(static_cast<size_t>(rows * columns));
    return {{{rows, columns}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab}, engine, data.data()};
  }
};

OnednnMatmul::OnednnMatmul(MatmulSize size) : state_(std::make_unique<State>(size)) {
  State& s = *state_;
  s.a_memory = s.memory(size.rows, size.inner, s.a);
  s.b_memory = s.memory(size.inner, size.columns, s.b);
  s.c_memory = s.memory(size.rows, size.columns, s.c);
  s.matmul = dnnl::matmul(
      dnnl::matmul::primitive_desc(s.engine, s.a_memory.get_desc(), s.b_memory.get_desc(), s.c_memory.get_desc()));
}

OnednnMatmul::~OnednnMatmul() = default;

void OnednnMatmul::run() {
  State& s = *state_;
  s.matmul.execute(s.stream, {{DNNL_ARG_SRC, s.a_memory}, {DNNL_ARG_WEIGHTS, s.b_memory}, {DNNL_ARG_DST, s.c_memory}});
  s.stream.wait();
}

Work OnednnMatmul::work() const { return product_work(state_->size); }

double OnednnMatmul::error() const {
  const State& s = *state_;
  double sum = 0, magnitude = 0;
  for (int64_t i = 0; i < s.size.inner; ++i) {
    const double term = double{s.a[static_cast<size_t>(i)]} * double{s.b[static_cast<size_t>(i * s.size.columns)]};
    sum += term, magnitude += std::abs(term);
  }
  return std::abs(double{s.c[0]} - sum) / magnitude;
}

}  // namespace bench
