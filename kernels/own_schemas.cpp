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
  Op& out(const char* name, const char* type) { return output(name, type, OpSchema::Single); }
  Op& maybe_out(const char* name, const char* type) { return output(name, type, OpSchema::Optional); }
  Op& required_int(const char* name) { return attribute({name, "", AttributeProto::INT, true}); }
  Op& maybe_int(const char* name) { return attribute({name, "", AttributeProto::INT, false}); }
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
const std::vector<std::string> kFloats{"float", "float16", "bfloat16"}, kAllFloats{"float", "float16", "double", "bfloat16"};

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
          .real("scale", 1).integer("causal", 0).real("softcap", 0).integer("masked_rows_zero", 0)
          .types("T", kAllFloats).types("M", {"float", "float16", "double", "bfloat16", "bool"}),

      // ---- ONNX Runtime ----
      Op("", "SimplifiedLayerNormalization")
          .in("X", "T").in("scale", "V").out("Y", "V").maybe_out("inv_std_var", "U")
          .integer("axis", -1).real("epsilon", 1e-5f).integer("stash_type", 1)
          .types("T", kAllFloats).types("U", {"float", "double"}).types("V", kAllFloats),
      Op(kMicrosoft, "MultiHeadAttention")
          .in("query", "T").maybe_in("key", "T").maybe_in("value", "T").maybe_in("bias", "T").maybe_in("key_padding_mask", "M")
          .maybe_in("attention_bias", "T").maybe_in("past_key", "T").maybe_in("past_value", "T")
          .maybe_in("past_sequence_length", "M").maybe_in("cache_indirection", "M")
          .out("output", "T").maybe_out("present_key", "T").maybe_out("present_value", "T").maybe_out("qk", "QK")
          .required_int("num_heads").maybe_real("mask_filter_value").maybe_real("scale").integer("unidirectional", 0)
          .types("T", kFloats).types("QK", kFloats).types("M", {"int32"}),
      Op(kMicrosoft, "RotaryEmbedding")
          .in("input", "T").in("position_ids", "M").in("cos_cache", "T").in("sin_cache", "T").out("output", "T")
          .integer("interleaved", 0).integer("is_packed_batching", 0).integer("num_heads", 0).integer("rotary_embedding_dim", 0)
          .real("scale", 1)
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
  };
}
// clang-format on

std::map<std::string, int> own_domains() { return {{kDaybreak, 1}, {kMicrosoft, 1}}; }
