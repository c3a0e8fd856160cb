// The tables of cases, one function and one file per family of kernels/ops.inc. A family without a table fails the test
// ops_registry, so a new row is tested by being there and a new family by adding a line here.
#pragma once

#include <string_view>

#include "tests/ops/op_case.h"

namespace ops {

Cases unary_cases(const dbk::OpRow& row);
Cases binary_cases(const dbk::OpRow& row);
Cases predicate_cases(const dbk::OpRow& row);
Cases compare_cases(const dbk::OpRow& row);
Cases clip_cases(const dbk::OpRow& row);
Cases where_cases(const dbk::OpRow& row);
Cases cast_cases(const dbk::OpRow& row);
Cases quantize_cases(const dbk::OpRow& row);
Cases dequantize_cases(const dbk::OpRow& row);
Cases dynamic_quantize_cases(const dbk::OpRow& row);
Cases integer_matmul_cases(const dbk::OpRow& row);
Cases integer_conv_cases(const dbk::OpRow& row);
Cases scaled_matmul_cases(const dbk::OpRow& row);
Cases block_matmul_cases(const dbk::OpRow& row);
Cases block_gather_cases(const dbk::OpRow& row);
Cases quantized_cases(const dbk::OpRow& row);
Cases reduce_cases(const dbk::OpRow& row);
Cases softmax_cases(const dbk::OpRow& row);
Cases layer_normalization_cases(const dbk::OpRow& row);
Cases attention_cases(const dbk::OpRow& row);
Cases rotary_cases(const dbk::OpRow& row);
Cases transposed_matmul_cases(const dbk::OpRow& row);
Cases inverse_cases(const dbk::OpRow& row);
Cases group_query_attention_cases(const dbk::OpRow& row);
Cases rotary_embedding_cases(const dbk::OpRow& row);
Cases tensor_scatter_cases(const dbk::OpRow& row);
Cases matmul_cases(const dbk::OpRow& row);
Cases gemm_cases(const dbk::OpRow& row);
Cases conv_cases(const dbk::OpRow& row);
Cases conv_transpose_cases(const dbk::OpRow& row);
Cases group_normalization_cases(const dbk::OpRow& row);
Cases lp_normalization_cases(const dbk::OpRow& row);
Cases lrn_cases(const dbk::OpRow& row);
Cases mean_variance_normalization_cases(const dbk::OpRow& row);
Cases recurrent_cases(const dbk::OpRow& row);
Cases pool_cases(const dbk::OpRow& row);
Cases global_pool_cases(const dbk::OpRow& row);
Cases batch_normalization_cases(const dbk::OpRow& row);
Cases transpose_cases(const dbk::OpRow& row);
Cases gather_cases(const dbk::OpRow& row);
Cases gather_nd_cases(const dbk::OpRow& row);
Cases split_cases(const dbk::OpRow& row);
Cases pad_cases(const dbk::OpRow& row);
Cases repeat_cases(const dbk::OpRow& row);
Cases fill_cases(const dbk::OpRow& row);
Cases range_cases(const dbk::OpRow& row);
Cases extents_cases(const dbk::OpRow& row);
Cases arg_cases(const dbk::OpRow& row);
Cases gather_elements_cases(const dbk::OpRow& row);
Cases scatter_cases(const dbk::OpRow& row);
Cases cum_sum_cases(const dbk::OpRow& row);
Cases top_k_cases(const dbk::OpRow& row);
Cases one_hot_cases(const dbk::OpRow& row);
Cases trilu_cases(const dbk::OpRow& row);
Cases rearrange_cases(const dbk::OpRow& row);
Cases einsum_cases(const dbk::OpRow& row);
Cases cast_like_cases(const dbk::OpRow& row);
Cases eye_like_cases(const dbk::OpRow& row);
Cases concat_cases(const dbk::OpRow& row);
Cases slice_cases(const dbk::OpRow& row);
Cases view_cases(const dbk::OpRow& row);
Cases constant_cases(const dbk::OpRow& row);
Cases selection_cases(const dbk::OpRow& row);
Cases resize_cases(const dbk::OpRow& row);
Cases grid_sample_cases(const dbk::OpRow& row);
Cases roi_align_cases(const dbk::OpRow& row);
Cases reverse_sequence_cases(const dbk::OpRow& row);
Cases spatial_cases(const dbk::OpRow& row);
Cases dft_cases(const dbk::OpRow& row);
Cases signal_cases(const dbk::OpRow& row);
Cases random_cases(const dbk::OpRow& row);
Cases features_cases(const dbk::OpRow& row);
Cases training_cases(const dbk::OpRow& row);

struct CaseTable {
  std::string_view family;
  Cases (*cases)(const dbk::OpRow& row);
};

inline constexpr CaseTable kCaseTables[] = {
    {"unary", unary_cases},       {"binary", binary_cases},
    {"where", where_cases},       {"cast", cast_cases},
    {"reduce", reduce_cases},     {"softmax", softmax_cases},
    {"matmul", matmul_cases},     {"layer_normalization", layer_normalization_cases},
    {"gemm", gemm_cases},         {"transpose", transpose_cases},
    {"gather", gather_cases},     {"concat", concat_cases},
    {"slice", slice_cases},       {"view", view_cases},
    {"constant", constant_cases}, {"conv", conv_cases},
    {"pool", pool_cases},         {"global_pool", global_pool_cases},
    {"batch_normalization", batch_normalization_cases}, {"attention", attention_cases},
    {"predicate", predicate_cases}, {"compare", compare_cases},
    {"clip", clip_cases},         {"gather_nd", gather_nd_cases},
    {"split", split_cases},       {"pad", pad_cases},
    {"repeat", repeat_cases},     {"fill", fill_cases},
    {"range", range_cases},       {"extents", extents_cases},
    {"conv_transpose", conv_transpose_cases},
    {"group_normalization", group_normalization_cases},
    {"lp_normalization", lp_normalization_cases},
    {"lrn", lrn_cases},
    {"mean_variance_normalization", mean_variance_normalization_cases},
    {"recurrent", recurrent_cases},
    {"selection", selection_cases},
    {"arg", arg_cases},
    {"gather_elements", gather_elements_cases},
    {"scatter", scatter_cases},
    {"cum_sum", cum_sum_cases},
    {"top_k", top_k_cases},
    {"one_hot", one_hot_cases},
    {"trilu", trilu_cases},
    {"rearrange", rearrange_cases},
    {"einsum", einsum_cases},
    {"cast_like", cast_like_cases},
    {"eye_like", eye_like_cases},
    {"quantize", quantize_cases}, {"dequantize", dequantize_cases}, {"dynamic_quantize", dynamic_quantize_cases},
    {"integer_matmul", integer_matmul_cases}, {"integer_conv", integer_conv_cases},
    {"scaled_matmul", scaled_matmul_cases}, {"block_matmul", block_matmul_cases},
    {"block_gather", block_gather_cases}, {"quantized", quantized_cases},
    {"rotary", rotary_cases},
    {"resize", resize_cases},
    {"grid_sample", grid_sample_cases},
    {"roi_align", roi_align_cases},
    {"reverse_sequence", reverse_sequence_cases},
    {"spatial", spatial_cases},
    {"dft", dft_cases},
    {"signal", signal_cases},
    {"random", random_cases},
    {"features", features_cases},
    {"training", training_cases},
    {"transposed_matmul", transposed_matmul_cases},
    {"inverse", inverse_cases},
    {"group_query_attention", group_query_attention_cases},
    {"rotary_embedding", rotary_embedding_cases},
    {"tensor_scatter", tensor_scatter_cases},
};

inline const CaseTable* find_table(std::string_view family) {
  for (const CaseTable& table : kCaseTables) {
    if (table.family == family) return &table;
  }
  return nullptr;
}

}  // namespace ops
