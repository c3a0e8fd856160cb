#include "cases.h"

#include <format>

#include "attention_jobs.h"
#include "models.h"
#include "onednn_yardstick.h"
#include "product_sizes.h"
#ifdef DAYBREAK_GPU
#include "naive_matmul.h"
#endif

namespace bench {

namespace {

constexpr int64_t kLargestNaive = 1024;  // half a second for one run on a software adapter
// Of other numbers than f32: squares, a layer of BERT-base and a step of a decoder.
struct NumberKind {
  const char* name;
  Numbers numbers;
};
constexpr NumberKind kOtherNumbers[] = {{"matmul_f16", Numbers::F16}, {"matmul_f16_f32acc", Numbers::F16F32acc}, {"matmul_i8", Numbers::I8}};
constexpr MatmulSize kOtherProducts[] = {{128, 128, 128}, {512, 512, 512}, {1024, 1024, 1024}, {128, 768, 3072}, {1, 2048, 2048}};

struct RowOp {
  const char *op, *name;
  int64_t rows, columns;
};
constexpr RowOp kRowOps[] = {{"Add", "add", 4096, 768},
                             {"Gelu", "gelu", 4096, 768},
                             {"Softmax", "softmax", 2048, 1024},
                             {"Softmax", "softmax", 1, 32000},
                             {"LayerNormalization", "layer_normalization", 128, 384},
                             {"LayerNormalization", "layer_normalization", 2048, 768},
                             {"LayerNormalization", "layer_normalization", 2048, 1024},
                             {"RMSNormalization", "rms_normalization", 2048, 2048},
                             {"Transpose", "transpose", 2048, 1024}};

struct NamedConv {
  const char* name;
  ConvSize size;
};
constexpr NamedConv kConvs[] = {{"3x3_64", {64, 64, 56, 3, 1, 1}},
                                {"1x1_256to64", {256, 64, 56, 1, 1, 1}},
                                {"depthwise_3x3_96", {96, 96, 112, 3, 1, 96}},
                                {"7x7_stride2", {3, 64, 224, 7, 2, 1}}};

struct NamedAttention {
  const char* name;
  AttentionSize size;
};
// BERT-base, the same with 512 tokens, a step of a decoder; a prompt and a step of Llama 3.2 1B, whose heads share keys in groups of 4.
constexpr NamedAttention kAttentions[] = {{"12x128x128x64", {12, 128, 128, 64}},
                                          {"12x512x512x64", {12, 512, 512, 64}},
                                          {"32x1x1024x64", {32, 1, 1024, 64}},
                                          {"causal_12x512x512x64", {12, 512, 512, 64, 12, true}},
                                          {"grouped_32by8x256x256x64", {32, 256, 256, 64, 8, true}},
                                          {"cached_32by8x1x1024x64", {32, 1, 1024, 64, 8, true, true}}};

constexpr EncoderSize kMiniLmLike{6, 384, 12, 1536, 128};

const ModelCase kMiniLm{"minilm_128", "minilm-f32", {{"batch_size", 1}, {"sequence_length", 128}}};
const ModelCase kModels[] = {kMiniLm,
                             {"minilm_8x128", "minilm-f32", {{"batch_size", 8}, {"sequence_length", 128}}},
                             {"ocr_det_640x640",
                              "ocr-det",
                              {{"DynamicDimension.0", 1}, {"DynamicDimension.1", 640}, {"DynamicDimension.2", 640}}}};

// The difference of the two, by 99, is what a kernel costs that has nothing to do.
constexpr int64_t kChains[] = {1, 100};
constexpr int64_t kTransfers[] = {4 << 10, 1 << 20, 16 << 20};  // bytes

constexpr MlpSize kMlp{128, 384, 1536}, kSmallMlp{16, 128, 512};

// A job of `make` with its size.
template <class Make, class... Size>
MakeJob job(Make make, Size... size) {
  return [=](const daybreak::Context& context, uint32_t device) { return make(context, device, size...); };
}

std::string product_name(const char* kind, const MatmulSize& s) { return std::format("{}/{}x{}x{}", kind, s.rows, s.inner, s.columns); }

// Named by its extent alone, and beside its yardsticks.
Case square_case(int64_t n) {
  Case square{std::format("matmul/{}", n), job(matmul_job, MatmulSize{n, n, n}, Numbers::F32), {}, true};
#ifdef DAYBREAK_GPU
  if (n <= kLargestNaive)
    square.yardsticks.push_back({"naive", [n] { return std::make_unique<NaiveMatmul>(static_cast<uint32_t>(n)); }});
#endif
  square.yardsticks.push_back({"onednn", [n] { return std::make_unique<OnednnMatmul>(MatmulSize{n, n, n}); }});
  return square;
}

void add_products(std::vector<Case>& list) {
  const auto add = [&](const char* kind, const MatmulSize& s, Numbers numbers) {
    list.push_back({product_name(kind, s), job(matmul_job, s, numbers), {}, true});
  };
  for (const host::ProductSize& s : host::product_sizes) {
    if (s.m == s.n && s.n == s.k) list.push_back(square_case(s.n));
    else add("matmul", {s.m, s.k, s.n}, Numbers::F32);
  }
  for (const NumberKind& kind : kOtherNumbers)
    for (const MatmulSize& s : kOtherProducts) add(kind.name, s, kind.numbers);
}

}  // namespace

std::vector<Case> all_cases() {
  std::vector<Case> list;
  add_products(list);
  for (const RowOp& row : kRowOps)
    list.push_back(
        {std::format("{}/{}x{}", row.name, row.rows, row.columns), job(op_job, row.op, row.rows, row.columns)});
  for (const NamedConv& conv : kConvs) list.push_back({std::string("conv/") + conv.name, job(conv_job, conv.size)});
  for (const NamedAttention& attention : kAttentions)
    list.push_back({std::string("attention/") + attention.name, job(attention_job, attention.size)});
  for (const ModelCase& model : kModels) list.push_back({std::string("model/") + model.name, job(model_job, model)});
  list.push_back({"rebind/minilm_like", job(rebind_job, kMiniLmLike)});
  for (int64_t kernels : kChains) list.push_back({std::format("dispatch/{}", kernels), job(chain_job, kernels)});
  for (int64_t bytes : kTransfers) {
    list.push_back({std::format("readback/{}", bytes), job(transfer_job, Direction::Readback, bytes)});
    list.push_back({std::format("upload/{}", bytes), job(transfer_job, Direction::Upload, bytes)});
  }
  return list;
}

std::vector<Case> first_run_cases() {
  return {{"mlp", job(mlp_job, kMlp)},
          {"small_mlp", job(mlp_job, kSmallMlp)},
          {"gelu", gelu_job},
          {kMiniLm.name, job(model_job, kMiniLm)}};
}

}  // namespace bench
