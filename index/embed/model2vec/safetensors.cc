#include "index/embed/model2vec/safetensors.h"

#include <bit>
#include <nlohmann/json.hpp>

#include "storage/base/bytes.h"
#include "storage/base/checked_math.h"

namespace recall {
namespace {

using Json = nlohmann::json;

// Far more than the few names and shapes of a model need.
constexpr uint64_t kMostHeaderBytes = uint64_t{1} << 20;

Status DamagedSafetensors(const std::string& what) {
  return Status::Corruption("invalid safetensors file: " + what,
                            "download the model's files again");
}

TensorType TypeOf(std::string_view name) {
  if (name == "F64") return TensorType::kF64;
  if (name == "F32") return TensorType::kF32;
  if (name == "F16") return TensorType::kF16;
  if (name == "BF16") return TensorType::kBf16;
  if (name == "I64") return TensorType::kI64;
  if (name == "I32") return TensorType::kI32;
  if (name == "I8") return TensorType::kI8;
  return TensorType::kOther;
}

bool ReadUnsigned(const Json& value, uint64_t* out) {
  if (!value.is_number_unsigned()) return false;
  *out = value.get<uint64_t>();
  return true;
}

// Computes the product of the shape and the size of a number; false if it overflows.
bool BytesOf(const Tensor& tensor, uint64_t* bytes) {
  *bytes = TensorTypeBytes(tensor.type);
  for (const uint64_t extent : tensor.shape) {
    if (!CheckedMultiply(*bytes, extent, bytes)) return false;
  }
  return true;
}

bool ReadTensor(const Json& entry, ByteSpan data, Tensor* tensor) {
  if (!entry.is_object()) return false;
  const auto type = entry.find("dtype");
  const auto shape = entry.find("shape");
  const auto offsets = entry.find("data_offsets");
  if (type == entry.end() || !type->is_string() || shape == entry.end() || !shape->is_array() ||
      offsets == entry.end() || !offsets->is_array() || offsets->size() != 2) {
    return false;
  }
  tensor->type_name = type->get_ref<const std::string&>();
  tensor->type = TypeOf(tensor->type_name);
  for (const Json& extent : *shape) {
    if (!ReadUnsigned(extent, &tensor->shape.emplace_back())) return false;
  }
  uint64_t begin = 0;
  uint64_t end = 0;
  if (!ReadUnsigned((*offsets)[0], &begin) || !ReadUnsigned((*offsets)[1], &end) || begin > end ||
      end > data.size()) {
    return false;
  }
  tensor->bytes = data.subspan(begin, end - begin);
  uint64_t bytes = 0;
  if (tensor->type == TensorType::kOther) return true;
  return BytesOf(*tensor, &bytes) && bytes == end - begin;
}

float HalfToFloat(uint16_t half) {
  const uint32_t exponent = half >> 10 & 31;
  const uint32_t fraction = half & 0x3ff;
  const float sign = (half & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 0) return sign * static_cast<float>(fraction) * 0x1p-24f;
  // The largest exponent (infinity and NaN) maps to the largest exponent.
  const uint32_t biased = exponent == 31 ? 255 : exponent + 112;
  return sign * std::bit_cast<float>(biased << 23 | fraction << 13);
}

float BfloatToFloat(uint16_t value) { return std::bit_cast<float>(uint32_t{value} << 16); }

}  // namespace

size_t TensorTypeBytes(TensorType type) {
  switch (type) {
    case TensorType::kF64:
    case TensorType::kI64:
      return 8;
    case TensorType::kF32:
    case TensorType::kI32:
      return 4;
    case TensorType::kF16:
    case TensorType::kBf16:
      return 2;
    case TensorType::kI8:
      return 1;
    case TensorType::kOther:
      break;
  }
  return 0;
}

Result<Safetensors> Safetensors::Parse(ByteSpan file) {
  ByteReader reader(file);
  const auto header_bytes = reader.Read<uint64_t>();
  if (!reader.ok()) return Fail(DamagedSafetensors("it is too short"));
  if (header_bytes > kMostHeaderBytes || header_bytes > reader.remaining()) {
    return Fail(DamagedSafetensors("its header is longer than it can be"));
  }
  const std::string_view header = AsText(reader.ReadBytes(header_bytes));
  const ByteSpan data = reader.ReadBytes(reader.remaining());
  const Json root = Json::parse(header, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) return Fail(DamagedSafetensors("its header is not a JSON object"));
  Safetensors made;
  for (const auto& [name, entry] : root.items()) {
    if (name == "__metadata__") continue;
    Tensor tensor;
    if (!ReadTensor(entry, data, &tensor))
      return Fail(DamagedSafetensors("bad tensor \"" + name + "\""));
    made.tensors_.emplace(name, std::move(tensor));
  }
  return made;
}

const Tensor* Safetensors::Find(const std::string& name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

void CopyTensorFloats(const Tensor& tensor, size_t first, size_t count, float* out) {
  const uint8_t* from = tensor.bytes.data() + first * TensorTypeBytes(tensor.type);
  switch (tensor.type) {
    case TensorType::kF64:
      for (size_t i = 0; i < count; ++i) {
        out[i] = static_cast<float>(LoadLittle<double>(from + 8 * i));
      }
      return;
    case TensorType::kF32:
      std::memcpy(out, from, count * sizeof(float));
      return;
    case TensorType::kF16:
      for (size_t i = 0; i < count; ++i) out[i] = HalfToFloat(LoadLittle<uint16_t>(from + 2 * i));
      return;
    case TensorType::kBf16:
      for (size_t i = 0; i < count; ++i) out[i] = BfloatToFloat(LoadLittle<uint16_t>(from + 2 * i));
      return;
    default:
      for (size_t i = 0; i < count; ++i) {
        out[i] = static_cast<float>(LoadLittle<int8_t>(from + i));
      }
  }
}

}  // namespace recall
