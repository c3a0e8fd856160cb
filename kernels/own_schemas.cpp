#include "own_schemas.h"

namespace {

using onnx::AttributeProto;
using onnx::OpSchema;

// One row: inputs and outputs in order, attributes, then the types that their constraints stand for.
class Op {
 public:
  Op(const char* domain, const char* name, int since = 1) {
    schema_.SetName(name).SetDomain(domain).SinceVersion(since);
  }
  Op& internal() {
    internal_ = true;
    return *this;
  }
  Op& in(const char* name, const char* type) { return input(name, type, OpSchema::Single); }
  Op& maybe_in(const char* name, const char* type) { return input(name, type, OpSchema::Optional); }
  Op& many_in(const char* name, const char* type) {
    schema_.Input(inputs_++, name, "", type, OpSchema::Variadic, /*is_homogeneous=*/false);
    return *this;
  }
  Op& out(const char* name, const char* type) { return output(name, type, OpSchema::Single); }
  Op& maybe_out(const char* name, const char* type) { return output(name, type, OpSchema::Optional); }
  Op& required_int(const char* name) { return attribute({name, "", AttributeProto::INT, true}); }
  Op& maybe_int(const char* name) { return attribute({name, "", AttributeProto::INT, false}); }
  Op& required_ints(const char* name) { return attribute({name, "", AttributeProto::INTS, true}); }
  Op& maybe_ints(const char* name) { return attribute({name, "", AttributeProto::INTS, false}); }
  Op& maybe_reals(const char* name) { return attribute({name, "", AttributeProto::FLOATS, false}); }
  Op& maybe_texts(const char* name) { return attribute({name, "", AttributeProto::STRINGS, false}); }
  Op& maybe_real(const char* name) { return attribute({name, "", AttributeProto::FLOAT, false}); }
  Op& integer(const char* name, int64_t otherwise) {
    AttributeProto value;
    value.set_type(AttributeProto::INT);
    value.set_i(otherwise);
    return attribute(name, value);
  }
  Op& real(const char* name, float otherwise) {
    AttributeProto value;
    value.set_type(AttributeProto::FLOAT);
    value.set_f(otherwise);
    return attribute(name, value);
  }
  Op& text(const char* name, const char* otherwise) {
    AttributeProto value;
    value.set_type(AttributeProto::STRING);
    value.set_s(otherwise);
    return attribute(name, value);
  }
  Op& maybe_text(const char* name) { return attribute({name, "", AttributeProto::STRING, false}); }
  Op& types(const char* constraint, std::vector<std::string> dtypes) {
    for (std::string& dtype : dtypes) dtype = "tensor(" + dtype + ")";
    schema_.TypeConstraint(constraint, std::move(dtypes), "");
    return *this;
  }
  operator OwnSchema() const {
    OwnSchema own{schema_, internal_};
    own.schema.Finalize();
    return own;
  }

 private:
  Op& input(const char* name, const char* type, OpSchema::FormalParameterOption option) {
    schema_.Input(inputs_++, name, "", type, option);
    return *this;
  }
  Op& output(const char* name, const char* type, OpSchema::FormalParameterOption option) {
    schema_.Output(outputs_++, name, "", type, option);
    return *this;
  }
  Op& attribute(OpSchema::Attribute a) {
    schema_.Attr(std::move(a));
    return *this;
  }
  Op& attribute(const char* name, AttributeProto& value) {
    value.set_name(name);
    return attribute({name, "", value});
  }

  OpSchema schema_;
  bool internal_ = false;
  int inputs_ = 0, outputs_ = 0;
};

constexpr const char *kMicrosoft = "com.microsoft", *kDaybreak = "ai.daybreak";
const std::vector<std::string> kFloats{"float", "float16", "bfloat16"}, kCommonFloats{"float", "float16", "double"},
    kAllFloats{"float", "float16", "double", "bfloat16"}, kBytes{"int8", "uint8"};

}  // namespace

// clang-format off
std::vector<OwnSchema> own_schemas() {
  return {
      // ---- what compiler passes make ----
      // softmax(scale * q k^T + mask) v for heads that lie side by side in the last axis: host_fallback/attention.cpp.
      Op(kDaybreak, "Attention").internal()
          .in("q", "T").in("k", "T").in("v", "T").maybe_in("mask", "M").out("y", "T")
          .required_int("heads").required_int("kv_heads").required_int("head_size").required_int("v_head_size")
          .integer("q_first", 0).integer("k_first", 0).integer("v_first", 0)
          .real("scale", 1).integer("causal", 0).real("softcap", 0).integer("masked_rows_zero", 0).maybe_real("masked_score")
          .types("T", kAllFloats).types("M", {"float", "float16", "double", "bfloat16", "bool"}),
      // MatMul whose columns go to several results: host_fallback/split_matmul.cpp.
      Op(kDaybreak, "SplitMatMul").internal()
          .in("A", "T").in("B", "T").out("y0", "T").out("y1", "T").maybe_out("y2", "T").required_ints("widths")
          .types("T", kAllFloats),
      // MatMul of operands with their axes in another order: host_fallback/scaled_product.h.
      Op(kDaybreak, "PermutedMatMul").internal()
          .in("A", "T").in("B", "T").out("Y", "T").real("alpha", 1).maybe_ints("permA").maybe_ints("permB")
          .types("T", kAllFloats),
      // x cos + turned(x) sin: host_fallback/rotary.cpp.
      Op(kDaybreak, "Rotary").internal()
          .in("x", "T").in("cos", "T").in("sin", "T").out("y", "T").integer("interleaved", 0)
          .types("T", kAllFloats),
      // Heads turned by the positions of their tokens, of one operand or of two: host_fallback/rotary_heads.cpp.
      Op(kDaybreak, "RotaryHeads").internal()
          .in("q", "T").maybe_in("k", "T").in("cos_cache", "T").in("sin_cache", "T").maybe_in("position_ids", "M").out("y", "T").maybe_out("key", "T")
          .integer("num_heads", 0).integer("kv_num_heads", 0).integer("rotary_embedding_dim", 0).integer("interleaved", 0).integer("whole_rows", 0)
          .types("T", kAllFloats).types("M", {"int64"}),

      // com.microsoft.Attention behind its product with the weights: host_fallback/microsoft_attention.h.
      Op(kDaybreak, "PackedAttention").internal()
          .in("qkv", "T").maybe_in("mask_index", "M").maybe_in("past", "T").maybe_in("attention_bias", "T")
          .out("y", "T").maybe_out("present", "T")
          .required_int("num_heads").integer("unidirectional", 0).maybe_real("scale").maybe_real("mask_filter_value").maybe_ints("qkv_hidden_sizes")
          .types("T", kAllFloats).types("M", {"int32"}),

      // ---- ONNX Runtime ----
      Op("", "SimplifiedLayerNormalization")
          .in("X", "T").in("scale", "V").out("Y", "V").maybe_out("inv_std_var", "U")
          .integer("axis", -1).real("epsilon", 1e-5f).integer("stash_type", 1)
          .types("T", kAllFloats).types("U", {"float", "double"}).types("V", kAllFloats),
      Op(kMicrosoft, "Attention")
          .in("input", "T").in("weights", "T").maybe_in("bias", "T").maybe_in("mask_index", "M").maybe_in("past", "T")
          .maybe_in("attention_bias", "T").maybe_in("past_sequence_length", "M").out("output", "T").maybe_out("present", "T")
          .required_int("num_heads").integer("unidirectional", 0).maybe_ints("qkv_hidden_sizes").maybe_real("scale")
          .maybe_real("mask_filter_value").maybe_int("do_rotary").maybe_int("rotary_embedding_dim").maybe_int("past_present_share_buffer")
          .types("T", kFloats).types("M", {"int32"}),
      Op(kMicrosoft, "BiasGelu").in("A", "T").in("B", "T").out("C", "T").types("T", kAllFloats),
      Op(kMicrosoft, "BiasSplitGelu").in("X", "T").in("bias", "T").out("Y", "T").types("T", {"float", "float16"}),
      Op(kMicrosoft, "EmbedLayerNormalization")
          .in("input_ids", "T1").maybe_in("segment_ids", "T1").in("word_embedding", "T").in("position_embedding", "T")
          .maybe_in("segment_embedding", "T").in("gamma", "T").in("beta", "T").maybe_in("mask", "T1").maybe_in("position_ids", "T1")
          .out("output", "T").maybe_out("mask_index", "T1").maybe_out("embedding_sum", "T")
          .real("epsilon", 1e-12f).maybe_int("mask_index_type")
          .types("T1", {"int32"}).types("T", {"float", "float16"}),
      Op(kMicrosoft, "FastGelu").in("X", "T").maybe_in("bias", "T").out("Y", "T").types("T", kAllFloats),
      Op(kMicrosoft, "FusedConv")
          .in("X", "T").in("W", "T").maybe_in("B", "T").maybe_in("Z", "T").out("Y", "T")
          .text("auto_pad", "NOTSET").maybe_ints("dilations").integer("group", 1).maybe_ints("kernel_shape").maybe_ints("pads").maybe_ints("strides")
          .maybe_text("activation").maybe_reals("activation_params")
          .types("T", kCommonFloats),
      Op(kMicrosoft, "FusedGemm")
          .in("A", "T").in("B", "T").maybe_in("C", "T").out("Y", "T")
          .real("alpha", 1).real("beta", 1).integer("transA", 0).integer("transB", 0)
          .maybe_text("activation").maybe_real("activation_alpha").maybe_real("activation_beta").maybe_real("activation_gamma")
          .types("T", {"float", "float16", "double", "uint32", "uint64", "int32", "int64"}),
      Op(kMicrosoft, "FusedMatMul")
          .in("A", "T").in("B", "T").out("Y", "T")
          .real("alpha", 1).integer("transA", 0).integer("transB", 0).integer("transBatchA", 0).integer("transBatchB", 0)
          .types("T", kAllFloats),
      Op(kMicrosoft, "Gelu").in("X", "T").out("Y", "T").types("T", kAllFloats),
      Op(kMicrosoft, "GroupQueryAttention")
          .in("query", "T").maybe_in("key", "T").maybe_in("value", "T").maybe_in("past_key", "T_CACHE").maybe_in("past_value", "T_CACHE")
          .in("seqlens_k", "M").in("total_sequence_length", "M").maybe_in("cos_cache", "T").maybe_in("sin_cache", "T")
          .maybe_in("position_ids", "tensor(int64)").maybe_in("attention_bias", "T").maybe_in("head_sink", "T")
          .maybe_in("k_scale", "T_KV_SCALE").maybe_in("v_scale", "T_KV_SCALE").maybe_in("q_norm_weight", "T").maybe_in("k_norm_weight", "T")
          .out("output", "T").maybe_out("present_key", "T_CACHE").maybe_out("present_value", "T_CACHE").maybe_out("output_qk", "T")
          .required_int("num_heads").required_int("kv_num_heads").maybe_real("scale").maybe_real("softcap").integer("local_window_size", -1)
          .maybe_int("do_rotary").maybe_int("rotary_interleaved").integer("smooth_softmax", -1).integer("causal", 1).integer("qk_output", 0)
          .integer("sliding_window_cache", 0).real("qk_norm_epsilon", 1e-6f).text("k_quant_type", "NONE").text("v_quant_type", "NONE")
          .maybe_int("kv_cache_bit_width")
          .types("T", kFloats).types("T_CACHE", {"float", "float16", "bfloat16", "uint8", "int8", "float8e4m3fn"}).types("T_KV_SCALE", {"float"})
          .types("M", {"int32"}),
      Op(kMicrosoft, "Inverse").in("X", "T").out("Y", "T").types("T", kCommonFloats),
      Op(kMicrosoft, "MultiHeadAttention")
          .in("query", "T").maybe_in("key", "T").maybe_in("value", "T").maybe_in("bias", "T").maybe_in("key_padding_mask", "M")
          .maybe_in("attention_bias", "T").maybe_in("past_key", "T").maybe_in("past_value", "T")
          .maybe_in("past_sequence_length", "M").maybe_in("cache_indirection", "M")
          .out("output", "T").maybe_out("present_key", "T").maybe_out("present_value", "T").maybe_out("qk", "QK")
          .required_int("num_heads").maybe_real("mask_filter_value").maybe_real("scale").integer("unidirectional", 0)
          .types("T", kFloats).types("QK", kFloats).types("M", {"int32"}),
      Op(kMicrosoft, "QuickGelu").in("X", "T").out("Y", "T").real("alpha", 1.702f).types("T", kAllFloats),
      Op(kMicrosoft, "RotaryEmbedding")
          .in("input", "T").in("position_ids", "M").in("cos_cache", "T").in("sin_cache", "T").out("output", "T")
          .maybe_int("interleaved").maybe_int("is_packed_batching").maybe_int("num_heads").maybe_int("rotary_embedding_dim").maybe_real("scale")
          .types("T", kFloats).types("M", {"int64"}),
      Op(kMicrosoft, "SkipLayerNormalization")
          .in("input", "T").in("skip", "T").in("gamma", "T").maybe_in("beta", "T").maybe_in("bias", "T")
          .out("output", "T").maybe_out("mean", "U").maybe_out("inv_std_var", "U").maybe_out("input_skip_bias_sum", "T")
          .real("epsilon", 1e-12f)
          .types("T", kFloats).types("U", {"float"}),
      Op(kMicrosoft, "SkipSimplifiedLayerNormalization")
          .in("input", "T").in("skip", "T").in("gamma", "T").maybe_in("bias", "T")
          .out("output", "T").maybe_out("mean", "U").maybe_out("inv_std_var", "U").maybe_out("input_skip_bias_sum", "T")
          .real("epsilon", 1e-12f)
          .types("T", kFloats).types("U", {"float"}),
      Op(kMicrosoft, "Trilu")
          .in("X", "T").maybe_in("k", "tensor(int64)").out("Y", "T").integer("upper", 1)
          .types("T", {"float", "float16", "double", "bfloat16", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bool"}),
      // ---- ONNX Runtime, quantised ----
      Op(kMicrosoft, "QuantizeLinear")
          .in("x", "T1").in("y_scale", "T1").maybe_in("y_zero_point", "T2").out("y", "T2").maybe_int("axis")
          .types("T1", {"float16", "float"}).types("T2", {"int8", "uint8", "int16", "uint16", "int4", "uint4"}),
      Op(kMicrosoft, "DequantizeLinear")
          .in("x", "T1").in("x_scale", "T2").maybe_in("x_zero_point", "T1").out("y", "T2").maybe_int("axis")
          .types("T1", {"int8", "uint8", "int16", "uint16", "int32", "int4", "uint4"}).types("T2", {"float16", "float"}),
      Op(kMicrosoft, "MatMulIntegerToFloat")
          .in("A", "T1").in("B", "T2").in("a_scale", "T3").in("b_scale", "T3").maybe_in("a_zero_point", "T1").maybe_in("b_zero_point", "T2")
          .maybe_in("bias", "T3").out("Y", "T3")
          .types("T1", kBytes).types("T2", kBytes).types("T3", {"float", "float16"}),
      Op(kMicrosoft, "DynamicQuantizeMatMul")
          .in("A", "T1").in("B", "T2").in("b_scale", "T1").maybe_in("b_zero_point", "T2").maybe_in("bias", "T1").out("Y", "T1")
          .types("T1", {"float"}).types("T2", kBytes),
      Op(kMicrosoft, "DynamicQuantizeLSTM")
          .in("X", "T").in("W", "T2").in("R", "T2").maybe_in("B", "T").maybe_in("sequence_lens", "T1").maybe_in("initial_h", "T")
          .maybe_in("initial_c", "T").maybe_in("P", "T").in("W_scale", "T").in("W_zero_point", "T2").in("R_scale", "T").in("R_zero_point", "T2")
          .maybe_out("Y", "T").maybe_out("Y_h", "T").maybe_out("Y_c", "T")
          .maybe_reals("activation_alpha").maybe_reals("activation_beta").maybe_texts("activations").maybe_real("clip")
          .text("direction", "forward").maybe_int("hidden_size").integer("input_forget", 0)
          .types("T", {"float"}).types("T1", {"int32"}).types("T2", kBytes),
      Op(kMicrosoft, "QAttention")
          .in("input", "T1").in("weight", "T2").in("bias", "T3").in("input_scale", "T3").in("weight_scale", "T3").maybe_in("mask_index", "T4")
          .maybe_in("input_zero_point", "T1").maybe_in("weight_zero_point", "T2").maybe_in("past", "T3")
          .out("output", "T3").maybe_out("present", "T3")
          .required_int("num_heads").integer("unidirectional", 0).maybe_int("do_rotary").maybe_int("past_present_share_buffer")
          .maybe_real("mask_filter_value").maybe_real("scale")
          .types("T1", kBytes).types("T2", kBytes).types("T3", {"float", "float16"}).types("T4", {"int32"}),
      Op(kMicrosoft, "MatMulNBits")
          .in("A", "T1").in("B", "T2").in("scales", "T1").maybe_in("zero_points", "T3").maybe_in("g_idx", "T4").maybe_in("bias", "T1")
          .out("Y", "T1")
          .required_int("K").required_int("N").required_int("block_size").integer("bits", 4).integer("accuracy_level", 0)
          .integer("weight_prepacked", 0)
          .types("T1", kFloats).types("T2", {"uint8"}).types("T3", {"uint8", "float16", "float", "bfloat16"}).types("T4", {"int32"}),
      Op(kMicrosoft, "GatherBlockQuantized")
          .in("data", "T1").in("indices", "Tind").in("scales", "T2").maybe_in("zero_points", "T1").out("output", "T2")
          .integer("bits", 4).integer("block_size", 128).integer("gather_axis", 0).integer("quantize_axis", 1)
          .types("T1", {"int4", "uint4", "uint8", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float4e2m1"})
          .types("T2", kFloats).types("Tind", {"int32", "int64"}),
      Op(kMicrosoft, "QLinearAdd")
          .in("A", "T").in("A_scale", "tensor(float)").maybe_in("A_zero_point", "T").in("B", "T").in("B_scale", "tensor(float)")
          .maybe_in("B_zero_point", "T").in("C_scale", "tensor(float)").maybe_in("C_zero_point", "T").out("C", "T")
          .types("T", kBytes),
      Op(kMicrosoft, "QLinearMul")
          .in("A", "T").in("A_scale", "tensor(float)").maybe_in("A_zero_point", "T").in("B", "T").in("B_scale", "tensor(float)")
          .maybe_in("B_zero_point", "T").in("C_scale", "tensor(float)").maybe_in("C_zero_point", "T").out("C", "T")
          .types("T", kBytes),
      Op(kMicrosoft, "QLinearSigmoid")
          .in("X", "T").in("X_scale", "tensor(float)").maybe_in("X_zero_point", "T").in("Y_scale", "tensor(float)").maybe_in("Y_zero_point", "T")
          .out("Y", "T").types("T", kBytes),
      Op(kMicrosoft, "QLinearLeakyRelu")
          .in("X", "T").in("X_scale", "tensor(float)").maybe_in("X_zero_point", "T").in("Y_scale", "tensor(float)").maybe_in("Y_zero_point", "T")
          .out("Y", "T").real("alpha", 0.01f).types("T", kBytes),
      Op(kMicrosoft, "QLinearConcat")
          .in("Y_scale", "TF").in("Y_zero_point", "T8").many_in("inputs", "TV").out("Y", "T8").required_int("axis")
          .types("T8", kBytes).types("TF", {"float"}).types("TV", {"uint8", "int8", "float"}),
      Op(kMicrosoft, "QLinearAveragePool")
          .in("X", "T").in("x_scale", "tensor(float)").maybe_in("x_zero_point", "T").in("y_scale", "tensor(float)").maybe_in("y_zero_point", "T")
          .out("Y", "T")
          .text("auto_pad", "NOTSET").integer("ceil_mode", 0).integer("channels_last", 0).integer("count_include_pad", 0)
          .required_ints("kernel_shape").maybe_ints("pads").maybe_ints("strides")
          .types("T", kBytes),
      Op(kMicrosoft, "QLinearGlobalAveragePool")
          .in("X", "T").in("x_scale", "tensor(float)").in("x_zero_point", "T").in("y_scale", "tensor(float)").in("y_zero_point", "T")
          .out("Y", "T").integer("channels_last", 0).types("T", kBytes),
      Op(kMicrosoft, "NhwcMaxPool")
          .in("x", "T").out("y", "T")
          .text("auto_pad", "NOTSET").integer("ceil_mode", 0).maybe_ints("dilations").required_ints("kernel_shape").maybe_ints("pads")
          .maybe_ints("strides")
          .types("T", {"int8", "uint8"}),
  };
}
// clang-format on

std::map<std::string, int> own_domains() { return {{kDaybreak, 1}, {kMicrosoft, 1}}; }
