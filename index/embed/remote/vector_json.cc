#include "index/embed/remote/vector_json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "index/base/program/json_line.h"
#include "index/base/text/utf8.h"
#include "simd/kernels.h"
#include "storage/base/coding.h"
#include "storage/base/ids.h"
#include "storage/base/json_writer.h"

namespace recall {

void AppendTextLine(std::string_view text, std::string* out) {
  std::string repaired;
  if (!IsValidUtf8(text)) {
    AppendRepairedUtf8(text, &repaired);
    text = repaired;
  }
  JsonWriter json(out);
  json.BeginObject();
  json.Field("text", text);
  json.EndObject();
  json.EndLine();
}

Status ReadVector(const nlohmann::json& value, std::vector<float>* vector) {
  if (!value.is_array()) return Status::IoError("it is not an array of numbers");
  vector->clear();
  for (const nlohmann::json& number : value) {
    if (!number.is_number()) return Status::IoError("it contains a value that is not a number");
    const auto component = static_cast<float>(number.get<double>());
    if (!std::isfinite(component))
      return Status::IoError("it contains a number that a float32 cannot represent");
    vector->push_back(component);
  }
  return Status::Ok();
}

Status ReadVectorLine(std::string_view line, std::vector<float>* vector) {
  RECALL_ASSIGN(const nlohmann::json json, ParseJsonLine(line));
  if (!json.is_object()) return ReadVector(json, vector);
  const auto embedding = json.find("embedding");
  if (embedding == json.end()) return Status::IoError("it has no \"embedding\"");
  return ReadVector(*embedding, vector);
}

Status CopyUnitVector(std::span<const float> from, std::span<float> to) {
  if (from.size() != to.size()) {
    return Status::InvalidArgument(
        "it has " + std::to_string(from.size()) + " dimensions, expected " +
            std::to_string(to.size()),
        "set the dimension of the embedder to " + std::to_string(from.size()));
  }
  // Divide by the largest component first: squares of floats may overflow or underflow.
  float largest = 0;
  for (const float component : from) largest = std::max(largest, std::fabs(component));
  if (largest == 0) {
    std::ranges::fill(to, 0.0f);
    return Status::Ok();
  }
  for (size_t i = 0; i < to.size(); ++i) to[i] = from[i] / largest;
  const float length = std::sqrt(DotF32(to.data(), to.data(), to.size()));
  for (float& component : to) component /= length;
  return Status::Ok();
}

std::string VersionOfText(std::string_view version, std::string_view text) {
  const Digest digest = Sha256(text);
  char hex[17];
  std::snprintf(hex, sizeof(hex), "%016llx",
                static_cast<unsigned long long>(LoadBig64(digest.data())));
  return std::string(version) + "-" + hex;
}

}  // namespace recall
