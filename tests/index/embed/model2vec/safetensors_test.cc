#include "index/embed/model2vec/safetensors.h"

#include <cmath>

#include "storage/base/bytes.h"
#include "tests/index/embed/model2vec/safetensors_builder.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::vector<float> Floats(const std::string& type, const std::string& bytes) {
  Tensor tensor{TensorType::kOther, type, {}, AsBytes(bytes)};
  for (const auto& [name, value] : {std::pair("F64", TensorType::kF64),
                                    {"F32", TensorType::kF32},
                                    {"F16", TensorType::kF16},
                                    {"BF16", TensorType::kBf16},
                                    {"I8", TensorType::kI8}}) {
    if (type == name) tensor.type = value;
  }
  std::vector<float> values(bytes.size() / TensorTypeBytes(tensor.type));
  CopyTensorFloats(tensor, 0, values.size(), values.data());
  for (size_t i = 0; i < values.size(); ++i) {
    float one = 0;
    CopyTensorFloats(tensor, i, 1, &one);
    EXPECT_EQ(std::memcmp(&one, &values[i], sizeof(one)), 0);
  }
  return values;
}

template <typename T>
std::string BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

TEST(SafetensorsTest, NumbersOfEveryType) {
  EXPECT_EQ(Floats("F64", BytesOf<double>({1.5, -1e300})), (std::vector<float>{1.5f, -INFINITY}));
  EXPECT_EQ(Floats("F32", BytesOf<float>({1.5f, -3})), (std::vector<float>{1.5f, -3}));
  EXPECT_EQ(Floats("BF16", BytesOf<uint16_t>({0x3f80, 0xc040})), (std::vector<float>{1, -3}));
  EXPECT_EQ(Floats("I8", BytesOf<int8_t>({-128, 127, 0})), (std::vector<float>{-128, 127, 0}));
  // 1, -2, the largest, the smallest, the largest subnormal, infinity.
  EXPECT_EQ(Floats("F16", BytesOf<uint16_t>({0x3c00, 0xc000, 0x7bff, 0x0001, 0x03ff, 0xfc00})),
            (std::vector<float>{1, -2, 65504, 0x1p-24f, 1023 * 0x1p-24f, -INFINITY}));
  EXPECT_TRUE(std::isnan(Floats("F16", BytesOf<uint16_t>({0x7e00}))[0]));
}

#ifdef __FLT16_MAX__
TEST(SafetensorsTest, EveryHalfIsWhatTheCompilerMakesOfIt) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    _Float16 half;
    const auto low = static_cast<uint16_t>(bits);
    std::memcpy(&half, &low, sizeof(low));
    const auto expected = static_cast<float>(half);
    const float value = Floats("F16", BytesOf<uint16_t>({low}))[0];
    EXPECT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected))) << bits;
  }
}
#endif

TEST(SafetensorsTest, FindsTensors) {
  const std::string bytes = SafetensorsBuilder()
                                .Add<float>("embeddings", "F32", {2, 3}, {1, 2, 3, 4, 5, 6})
                                .Add<int64_t>("mapping", "I64", {2}, {1, 0})
                                .Add<uint8_t>("odd", "F8_E4M3", {3}, {1, 2, 3})
                                .Build();
  ASSERT_OK_AND_ASSIGN(const Safetensors file, Safetensors::Parse(AsBytes(bytes)));
  const Tensor* vectors = file.Find("embeddings");
  ASSERT_NE(vectors, nullptr);
  EXPECT_EQ(vectors->shape, (std::vector<uint64_t>{2, 3}));
  float fifth = 0;
  CopyTensorFloats(*vectors, 4, 1, &fifth);
  EXPECT_EQ(fifth, 5);
  EXPECT_EQ(file.Find("mapping")->bytes.size(), 16u);
  EXPECT_EQ(file.Find("odd")->type, TensorType::kOther);
  EXPECT_EQ(file.Find("__metadata__"), nullptr);
  EXPECT_EQ(file.Find("other"), nullptr);
}

TEST(SafetensorsTest, WhatDoesNotFitIsRefused) {
  const auto refused = [](const std::string& header, size_t data = 16) {
    const std::string bytes = SafetensorsBuilder::Join(header, std::string(data, '\0'));
    const auto file = Safetensors::Parse(AsBytes(bytes));
    EXPECT_TRUE(file || file.error().code() == StatusCode::kCorruption) << header;
    return !file.has_value();
  };
  EXPECT_FALSE(refused(R"({"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})"));
  EXPECT_FALSE(refused(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[4,8]}})"));
  EXPECT_FALSE(refused(R"({"a":{"dtype":"F32","shape":[0,7],"data_offsets":[4,4]}})"));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})", 15));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,12]}})"));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"F32","shape":[2,2],"data_offsets":[16,0]}})"));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"F32","shape":[2,-2],"data_offsets":[0,16]}})"));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"F32","shape":2,"data_offsets":[0,8]}})"));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}})"));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}})"));
  EXPECT_TRUE(refused(R"({"a":{"shape":[2],"data_offsets":[0,8]}})"));
  // 2^62 numbers of 4 bytes overflow to a size of 0.
  EXPECT_TRUE(
      refused(R"({"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})"));
  EXPECT_TRUE(refused(R"({"a":1})"));
  EXPECT_TRUE(refused("[]"));
  EXPECT_TRUE(refused("{"));
  EXPECT_FALSE(Safetensors::Parse(AsBytes("1234567")).has_value());
  EXPECT_FALSE(
      Safetensors::Parse(AsBytes(std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}"))).has_value());
}

TEST(SafetensorsTest, EveryCutAndEveryFlippedByteIsRefusedOrHarmless) {
  const std::string whole = SafetensorsBuilder().Add<float>("a", "F32", {3}, {1, 2, 3}).Build();
  for (size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::string> damaged = {whole.substr(0, i)};
    for (const int flip : {1, 4, 0x80}) {
      damaged.push_back(whole);
      damaged.back()[i] = static_cast<char>(damaged.back()[i] ^ flip);
    }
    for (const std::string& text : damaged) {
      // A copy of the exact size, so that sanitizers detect a read past its end.
      const std::vector<uint8_t> bytes(text.begin(), text.end());
      const auto file = Safetensors::Parse(bytes);
      if (!file) continue;
      const Tensor* tensor = file->Find("a");
      if (tensor == nullptr || tensor->type == TensorType::kOther) continue;
      const size_t count = tensor->bytes.size() / TensorTypeBytes(tensor->type);
      std::vector<float> values(count);
      CopyTensorFloats(*tensor, 0, count, values.data());
    }
  }
}

}  // namespace
}  // namespace recall
