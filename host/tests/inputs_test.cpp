// Inputs from the command line, names of output files, comparison of results.
#include <fstream>

#include "expect_error.h"
#include "model_inputs.h"
#include "model_text.h"
#include "printable.h"
#include "temp_dir.h"
#include "tensors/input_values.h"
#include "tensors/numbers.h"
#include "tensors/output_file.h"
#include "tensors/tensor_compare.h"

using host::Tensor;
using Words = std::vector<std::string>;

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

const std::string head = R"(<ir_version: 8, opset_import: ["" : 17]>)";

std::vector<Tensor> inputs(const std::string& text, const Words& words,
                           const std::map<std::string, host::DimRange>& dims = {}) {
  const onnx::ModelProto proto = model_of(head + text);
  const host::InputSources sources = host::read_sources(words, proto.graph());
  host::ImportOptions options;
  options.dims = dims;
  host::apply_sources(sources, proto.graph(), options);
  const Imported model(proto, options);
  return host::make_inputs(model.result, sources, dims);
}

std::string refused(const std::string& text, const Words& words,
                    const std::map<std::string, host::DimRange>& dims = {}) {
  try {
    inputs(text, words, dims);
  } catch (const daybreak::Error& error) {
    std::string all;
    for (const daybreak::Cause& cause : error.causes()) all += cause.message + "\n";
    return all;
  }
  return "nothing was refused";
}

const std::string two = "g (float[n, 2] x, int64[m] i) => (float[n, 2] y) { y = Relu(x) }";

void test_words() {
  const std::vector<Tensor> result = inputs(two, {"x=[[1, 2.5], [-3, inf]]", "i=7,8,9"});
  TEST_ASSERT_TRUE((result[0].dims == daybreak::Dims{2, 2}));
  TEST_ASSERT_EQUAL_DOUBLE(2.5, host::numbers_of(result[0])[1]);
  TEST_ASSERT_TRUE((result[1].dims == daybreak::Dims{3}));
  TEST_ASSERT_TRUE((inputs(two, {"x=1,2,3,4", "i=[]"})[0].dims == daybreak::Dims{2, 2}));  // n follows from the count
  TEST_ASSERT_TRUE((inputs("g (float x) => (float y) { y = Relu(x) }", {"x=3"})[0].dims == daybreak::Dims{}));
}

void test_made_up_inputs() {
  const std::vector<Tensor> result = inputs(two, {"x=random", "i=zeros"}, {{"n", {3, 3}}, {"m", {1, 8}}});
  TEST_ASSERT_TRUE((result[0].dims == daybreak::Dims{3, 2}));
  TEST_ASSERT_TRUE((result[1].dims == daybreak::Dims{8}));  // the largest of a range
  TEST_ASSERT_TRUE(result[0].bytes == inputs(two, {"x=random", "i=zeros"}, {{"n", {3, 3}}, {"m", {1, 8}}})[0].bytes);
  for (const double number : host::numbers_of(result[0])) TEST_ASSERT_TRUE(number >= 0 && number < 1);
  for (const uint32_t dtype : {DBK_I64, DBK_I4, DBK_U2}) {
    double sum = 0;
    for (const double number : host::numbers_of(host::random_tensor(dtype, {99}, 1))) {
      TEST_ASSERT_TRUE(number == 0 || number == 1);
      sum += number;
    }
    TEST_ASSERT_TRUE(sum > 20 && sum < 80);
  }
  const std::string text = refused(two, {"x=zeros", "i=1"}, {{"n", {1, int64_t{1} << 40}}});
  expect_in(text, "input 'x': f32[1099511627776, 2] takes 8 TiB, but this machine has");
}

void test_every_missing_input_is_named() {
  const std::string text = refused(two, {});
  expect_in(text, "input 'x': f32[n, 2] has no value: give --input x=FILE.npy");
  expect_in(text, "input 'i': i64[m] has no value");
  expect_in(refused(two, {"x=random", "i=zeros"}), "dimension 'n' is not known: give --dim n=N");
}

void test_wrong_inputs() {
  expect_in(refused(two, {"z=1"}), "--input z=1: no input is called 'z'; expected is NAME=FILE.npy");
  expect_in(refused(two, {"z=1"}), "'x' or 'i'");
  expect_in(refused(two, {"x=random", "x=zeros"}), "a value already");
  expect_in(refused(two, {"x=1,2", "i=1.5"}), "'1.5' is no value of i64");
  expect_in(refused(two, {"x=[[1,2],[3]]", "i=1"}), "rows differ in length");
  expect_in(refused(two, {"x=[1,[2]]", "i=1"}), "numbers stand beside brackets");
  expect_in(refused(two, {"x=[[1,2,3]]", "i=1"}), "it holds f32[1, 3], but the input is f32[n, 2]");
  expect_in(refused(two, {"x=1,2,3", "i=1"}), "3 values do not fill f32[n, 2], whatever 'n' is");
  expect_in(refused(two, {"x=1", "i=1"}), "1 values do not fill f32[n, 2], whatever 'n' is");
  expect_in(refused(two, {"x=1 2", "i=1"}), "text follows the last value; write commas between values");
  for (const char* blank : {"i=", "i= "})
    expect_in(refused(two, {"x=1,2", blank}), "nothing follows the `=`: neither a file nor values");
  expect_in(refused(two, {"x=missing.npy", "i=1"}), "'missing.npy': No such file");
}

void test_neither_file_nor_numbers() {
  const TempDir dir;
  const std::string other = (dir.path() / "x.npz").string();
  std::ofstream(other) << "PK";
  expect_in(refused(two, {"x=foo", "i=1"}), "--input x=foo: neither numbers nor random, zeros, a .npy or a .pb file; there is no file 'foo'");
  expect_in(refused(two, {"x=1.npz", "i=1"}), "there is no file '1.npz'");
  expect_in(refused(two, {"x=" + dir.path().string(), "i=1"}), "' is a directory");
  expect_in(refused(two, {"x=" + other, "i=1"}), "x.npz' is a file of another kind");
  expect_in(refused(two, {"x=1,pear", "i=1"}), "'pear' is no value of f32");
}

// Symbols that arrays show need no --dim; those that nothing shows are all named.
void test_extents_of_given_arrays() {
  const std::string three = "g (int64[b, s] ids, int64[b, s] mask, int64[b, t] more) => (int64[b, s] y) { y = Add(ids, mask) }";
  const std::map<std::string, host::DimRange> t{{"t", {5, 5}}};
  TEST_ASSERT_TRUE((inputs(three, {"ids=[[1,2,3]]", "mask=zeros", "more=random"}, t)[1].dims == daybreak::Dims{1, 3}));
  TEST_ASSERT_TRUE((inputs(three, {"ids=[[1,2,3]]", "mask=zeros", "more=random"}, t)[2].dims == daybreak::Dims{1, 5}));
  // b follows from the count of `more`, and s then from that of `mask`
  TEST_ASSERT_TRUE((inputs(three, {"ids=zeros", "mask=1,2,3,4,5,6", "more=0,1,2,3,4,5,6,7,8,9"}, t)[0].dims == daybreak::Dims{2, 3}));
  expect_in(refused(three, {"ids=zeros", "mask=zeros", "more=zeros"}), "input 'ids': dimensions 'b' and 's' are not known: give --dim b=N --dim s=N");
  expect_in(refused(three, {"ids=[[1,2,3]]", "mask=zeros", "more=zeros"}), "input 'more': dimension 't' is not known: give --dim t=N");
}

void test_names_with_equals_signs() {
  onnx::ModelProto proto = model_of(head + "g (float a, float b) => (float y) { y = Add(a, b) }");
  proto.mutable_graph()->mutable_input(0)->set_name("a=b");
  proto.mutable_graph()->mutable_input(1)->set_name("a");
  const host::InputSources sources = host::read_sources({"a=b=1", "a=2"}, proto.graph());
  TEST_ASSERT_EQUAL_STRING("1", sources.at("a=b").text.c_str());
  TEST_ASSERT_EQUAL_STRING("2", sources.at("a").text.c_str());
}

void test_output_files() {
  const Words files = host::output_files(
      {"a/b:0", "a_b:0", "plain", "../up", std::string("nul\0", 4), "\xC3\xA9 x", std::string(400, 'a'), "a_b:0_2"});
  TEST_ASSERT_EQUAL_STRING("a_b:0_3.npy", files[0].c_str());  // the other two have these very names
  TEST_ASSERT_EQUAL_STRING("a_b:0.npy", files[1].c_str());
  TEST_ASSERT_EQUAL_STRING("a_b:0_2.npy", files[7].c_str());
  TEST_ASSERT_EQUAL_STRING("plain.npy", files[2].c_str());
  TEST_ASSERT_EQUAL_STRING(".._up.npy", files[3].c_str());
  TEST_ASSERT_EQUAL_STRING("nul_.npy", files[4].c_str());
  TEST_ASSERT_EQUAL_STRING("\xC3\xA9 x.npy", files[5].c_str());
  TEST_ASSERT_LESS_THAN_size_t(256, files[6].size());
}

void test_comparison() {
  const auto f32 = [](const Words& words) { return host::tensor_of(words, DBK_F32, {std::ssize(words)}); };
  TEST_ASSERT_EQUAL_STRING("", host::difference(f32({"1", "nan", "inf"}), f32({"1.0009", "nan", "inf"})).c_str());
  expect_in(host::difference(f32({"1", "5"}), f32({"1.002", "5"})), "1 of 2 elements differ; element 0 is 1");
  expect_in(host::difference(f32({"nan"}), f32({"0"})), "element 0 is nan");
  expect_in(host::difference(f32({"inf"}), f32({"-inf"})), "differ");
  expect_in(host::difference(f32({"1"}), f32({"1", "1"})), "is f32[1], expected f32[2]");
  const auto i64 = [](const Words& words) { return host::tensor_of(words, DBK_I64, {std::ssize(words)}); };
  expect_in(host::difference(i64({"9007199254740993"}), i64({"9007199254740992"})), "differ");
}

void test_small_floats() {
  const auto value = [](uint32_t dtype, int bits) {
    return host::numbers_of({dtype, {1}, {static_cast<std::byte>(bits)}, {}})[0];
  };
  TEST_ASSERT_EQUAL_DOUBLE(448, value(DBK_F8_E4M3FN, 0x7E));
  TEST_ASSERT_EQUAL_DOUBLE(-0x1p-9, value(DBK_F8_E4M3FN, 0x81));
  TEST_ASSERT_EQUAL_DOUBLE(240, value(DBK_F8_E4M3FNUZ, 0x7F));
  TEST_ASSERT_EQUAL_DOUBLE(57344, value(DBK_F8_E5M2, 0x7B));
  TEST_ASSERT_EQUAL_DOUBLE(-INFINITY, value(DBK_F8_E5M2, 0xFC));
  TEST_ASSERT_FALSE(value(DBK_F8_E5M2FNUZ, 0x80) == value(DBK_F8_E5M2FNUZ, 0x80));  // NaN
  TEST_ASSERT_EQUAL_DOUBLE(2, value(DBK_F8_E8M0FNU, 128));
  TEST_ASSERT_EQUAL_DOUBLE(-6, value(DBK_F4_E2M1FN, 0x0F));
  TEST_ASSERT_EQUAL_STRING("f8_e4m3fn[2]", host::type_text(DBK_F8_E4M3FN, {2}).c_str());
  TEST_ASSERT_EQUAL_STRING("f8_e8m0fnu", daybreak::dtype_name(DBK_F8_E8M0FNU).c_str());
  TEST_ASSERT_EQUAL_STRING("f4_e2m1fn", daybreak::dtype_name(DBK_F4_E2M1FN).c_str());
  TEST_ASSERT_EQUAL_STRING("u2", daybreak::dtype_name(DBK_U2).c_str());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_words);
  RUN_TEST(test_made_up_inputs);
  RUN_TEST(test_every_missing_input_is_named);
  RUN_TEST(test_wrong_inputs);
  RUN_TEST(test_neither_file_nor_numbers);
  RUN_TEST(test_extents_of_given_arrays);
  RUN_TEST(test_names_with_equals_signs);
  RUN_TEST(test_output_files);
  RUN_TEST(test_comparison);
  RUN_TEST(test_small_floats);
  return UNITY_END();
}
