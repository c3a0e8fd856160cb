// Tensors of a model: every element type from every field it may be in, and files of external data.
#include "onnx/tensor_data.h"

#include <cstring>

#include "expect_error.h"
#include "model_text.h"
#include "onnx/external_data.h"

using Type = onnx::TensorProto;

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

onnx::TensorProto tensor(Type::DataType type, std::vector<int64_t> dims) {
  onnx::TensorProto result;
  result.set_data_type(type);
  for (const int64_t extent : dims) result.add_dims(extent);
  return result;
}

std::string bytes_of(const onnx::TensorProto& message) {
  const host::TensorData data = host::read_tensor(message, nullptr);
  return std::string(reinterpret_cast<const char*>(data.bytes.data()), data.bytes.size());
}

// The same elements as typed numbers and as raw bytes.
void expect_both(Type::DataType type, uint32_t dtype, std::vector<int64_t> dims, const std::string& raw,
                 const std::function<void(onnx::TensorProto&)>& fill) {
  onnx::TensorProto typed = tensor(type, dims), plain = typed;
  fill(typed);
  plain.set_raw_data(raw);
  TEST_ASSERT_EQUAL_UINT32(dtype, host::read_tensor(typed, nullptr).dtype);
  TEST_ASSERT_TRUE(bytes_of(typed) == raw);
  TEST_ASSERT_TRUE(bytes_of(plain) == raw);
  plain.mutable_raw_data()->push_back('x');
  expect_error(DBK_INVALID_ARGUMENT, [&] { host::read_tensor(plain, nullptr); });
  typed.add_dims(2);
  expect_error(DBK_INVALID_ARGUMENT, [&] { host::read_tensor(typed, nullptr); });
}

template <class T>
std::string raw_of(std::initializer_list<T> elements) {
  return std::string(reinterpret_cast<const char*>(elements.begin()), elements.size() * sizeof(T));
}

auto int32s(std::vector<int32_t> numbers) {
  return [numbers](onnx::TensorProto& t) { t.mutable_int32_data()->Add(numbers.begin(), numbers.end()); };
}

void test_wide_types() {
  expect_both(Type::FLOAT, DBK_F32, {2}, raw_of({1.0f, -2.0f}),
              [](auto& t) { t.add_float_data(1), t.add_float_data(-2); });
  expect_both(Type::DOUBLE, DBK_F64, {1}, raw_of({0.5}), [](auto& t) { t.add_double_data(0.5); });
  expect_both(Type::INT64, DBK_I64, {}, raw_of<int64_t>({-3}), [](auto& t) { t.add_int64_data(-3); });
  expect_both(Type::UINT64, DBK_U64, {1, 1}, raw_of<uint64_t>({~0ull}), [](auto& t) { t.add_uint64_data(~0ull); });
  expect_both(Type::UINT32, DBK_U32, {1}, raw_of<uint32_t>({~0u}), [](auto& t) { t.add_uint64_data(~0u); });
  expect_both(Type::INT32, DBK_I32, {2}, raw_of<int32_t>({INT32_MIN, 7}), int32s({INT32_MIN, 7}));
  expect_both(Type::COMPLEX64, DBK_C64, {1}, raw_of({1.0f, 2.0f}),
              [](auto& t) { t.add_float_data(1), t.add_float_data(2); });
  expect_both(Type::COMPLEX128, DBK_C128, {1}, raw_of({1.0, 2.0}),
              [](auto& t) { t.add_double_data(1), t.add_double_data(2); });
}

void test_narrow_types() {
  expect_both(Type::INT8, DBK_I8, {2}, raw_of<int8_t>({-128, 127}), int32s({-128, 127}));
  expect_both(Type::UINT8, DBK_U8, {2}, raw_of<uint8_t>({0, 255}), int32s({0, 255}));
  expect_both(Type::INT16, DBK_I16, {1}, raw_of<int16_t>({-2}), int32s({-2}));
  expect_both(Type::UINT16, DBK_U16, {1}, raw_of<uint16_t>({65535}), int32s({65535}));
  expect_both(Type::BOOL, DBK_BOOL, {2}, raw_of<uint8_t>({1, 0}), int32s({1, 0}));
  expect_both(Type::FLOAT16, DBK_F16, {1}, raw_of<uint16_t>({0x3C00}), int32s({0x3C00}));
  expect_both(Type::BFLOAT16, DBK_BF16, {1}, raw_of<uint16_t>({0xBF80}), int32s({0xBF80}));
  expect_both(Type::FLOAT8E4M3FN, DBK_F8_E4M3FN, {1}, raw_of<uint8_t>({0xFE}), int32s({0xFE}));
  expect_both(Type::FLOAT8E8M0, DBK_F8_E8M0FNU, {1}, raw_of<uint8_t>({127}), int32s({127}));
  expect_both(Type::INT4, DBK_I4, {3}, raw_of<uint8_t>({0x71, 0x08}), int32s({0x71, 0x08}));
  expect_both(Type::UINT4, DBK_U4, {2}, raw_of<uint8_t>({0xF0}), int32s({0xF0}));
  expect_both(Type::FLOAT4E2M1, DBK_F4_E2M1FN, {2}, raw_of<uint8_t>({0x21}), int32s({0x21}));
  expect_both(Type::INT2, DBK_I2, {5}, raw_of<uint8_t>({0xE4, 0x03}), int32s({0xE4, 0x03}));
  expect_both(Type::UINT2, DBK_U2, {4}, raw_of<uint8_t>({0xE4}), int32s({0xE4}));
}

void test_strings() {
  onnx::TensorProto message = tensor(Type::STRING, {2});
  message.add_string_data("a");
  expect_error(DBK_INVALID_ARGUMENT, [&] { host::read_tensor(message, nullptr); });
  message.add_string_data(std::string("\0b", 2));
  TEST_ASSERT_TRUE(host::read_tensor(message, nullptr).strings[1] == std::string("\0b", 2));
}

void test_elements_that_do_not_fit() {
  const auto refuse = [](Type::DataType type, int32_t number) {
    onnx::TensorProto message = tensor(type, {1});
    message.add_int32_data(number);
    expect_error(DBK_INVALID_ARGUMENT, [&] { host::read_tensor(message, nullptr); });
  };
  refuse(Type::INT8, 128);
  refuse(Type::UINT8, -1);
  refuse(Type::BOOL, 256);
  refuse(Type::FLOAT16, 65536);
  refuse(Type::UINT4, 256);
}

void test_sizes_that_lie() {
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{-1}, {1ll << 40, 1ll << 40}, {1ll << 62}, {1ll << 40}}) {
    onnx::TensorProto message = tensor(Type::FLOAT, dims);
    bool refused = false;
    try {
      host::read_tensor(message, nullptr);
    } catch (const daybreak::Error&) {
      refused = true;
    }
    TEST_ASSERT_TRUE(refused);
  }
  expect_error(DBK_UNIMPLEMENTED, [] { host::read_tensor(tensor(Type::FLOAT, std::vector<int64_t>(33, 1)), nullptr); });
  expect_error(DBK_INVALID_ARGUMENT, [] { host::read_tensor(tensor(Type::UNDEFINED, {1}), nullptr); });
  TEST_ASSERT_EQUAL_size_t(0, host::read_tensor(tensor(Type::FLOAT, {1ll << 40, 0}), nullptr).bytes.size());
}

// ---- external data ----

onnx::TensorProto external(const std::string& location, const std::string& offset = "",
                           const std::string& length = "") {
  onnx::TensorProto message = tensor(Type::FLOAT, {2});
  message.set_data_location(Type::EXTERNAL);
  const auto add = [&](const char* key, const std::string& value) {
    if (value.empty()) return;
    onnx::StringStringEntryProto& entry = *message.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  };
  add("location", location);
  add("offset", offset);
  add("length", length);
  return message;
}

void test_external_data() {
  TempDir dir;
  dir.write("model/weights.bin", std::string("12345678abcdefgh", 16));
  dir.write("model/sub/more.bin", "ABCDEFGH");
  host::ExternalData files(dir.path() / "model");
  const host::TensorData data = host::read_tensor(external("weights.bin", "8", "8"), &files);
  TEST_ASSERT_EQUAL_MEMORY("abcdefgh", data.bytes.data(), 8);
  TEST_ASSERT_EQUAL_MEMORY("ABCDEFGH", host::read_tensor(external("sub/more.bin"), &files).bytes.data(), 8);
  const auto refuse = [&](dbk_status status, const onnx::TensorProto& message) {
    expect_error(status, [&] { host::read_tensor(message, &files); });
  };
  refuse(DBK_DATA_LOSS, external("weights.bin", "9"));
  refuse(DBK_DATA_LOSS, external("weights.bin", "18446744073709551615", "8"));
  refuse(DBK_INVALID_ARGUMENT, external("weights.bin", "0", "7"));
  refuse(DBK_INVALID_ARGUMENT, external("weights.bin", "-8"));
  refuse(DBK_INVALID_ARGUMENT, external("weights.bin", "8 "));
  refuse(DBK_INVALID_ARGUMENT, external(""));
  refuse(DBK_NOT_FOUND, external("missing.bin"));
  refuse(DBK_INVALID_ARGUMENT, external("sub"));
}

void test_external_data_stays_in_its_directory() {
  namespace fs = std::filesystem;
  TempDir dir;
  dir.write("secret.bin", "SECRETS!");
  dir.write("model_of_someone_else/secret.bin", "SECRETS!");
  dir.write("model/own.bin", "12345678");
  fs::create_symlink("../secret.bin", dir.path() / "model/link.bin");
  fs::create_directory_symlink("..", dir.path() / "model/up");
  fs::create_symlink("own.bin", dir.path() / "model/alias.bin");
  host::ExternalData files(dir.path() / "model");
  const auto refuse = [&](const std::string& location) {
    expect_error(DBK_PERMISSION_DENIED, [&] { host::read_tensor(external(location), &files); });
  };
  refuse("../secret.bin");
  refuse("sub/../../secret.bin");
  refuse((dir.path() / "secret.bin").string());
  refuse((dir.path() / "model/own.bin").string());
  refuse("link.bin");
  refuse("up/secret.bin");
  refuse("up/model_of_someone_else/secret.bin");
  TEST_ASSERT_EQUAL_MEMORY("12345678", host::read_tensor(external("alias.bin"), &files).bytes.data(), 8);
}

void test_external_data_of_a_model() {
  onnx::ModelProto proto =
      model_of(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[300] x) => (float[300] y) { y = Add(x, w) })");
  onnx::TensorProto& weight = *proto.mutable_graph()->add_initializer();
  weight = external("weights.bin");
  weight.set_name("w");
  weight.set_dims(0, 300);
  TempDir dir;
  const std::filesystem::path path = dir.write("model.onnx", proto.SerializeAsString());
  dir.write("weights.bin", std::string(1200, 'w'));
  host::ModelFile file(path);
  const host::ImportedModel model = host::import_model(file);
  TEST_ASSERT_EQUAL_size_t(1, model.inputs.size());
  dir.write("weights.bin", std::string(1199, 'w'));
  host::ModelFile again(path);
  expect_error(DBK_DATA_LOSS, [&] { host::import_model(again); });
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_wide_types);
  RUN_TEST(test_narrow_types);
  RUN_TEST(test_strings);
  RUN_TEST(test_elements_that_do_not_fit);
  RUN_TEST(test_sizes_that_lie);
  RUN_TEST(test_external_data);
  RUN_TEST(test_external_data_stays_in_its_directory);
  RUN_TEST(test_external_data_of_a_model);
  return UNITY_END();
}
