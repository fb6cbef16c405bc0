#pragma once

// Fields of a tokenizer.json, read with their types checked.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

using Json = nlohmann::json;

// Corruption: the part `what` of the file is invalid.
Status BadTokenizerField(std::string_view what);
// Unsupported: a part ("normalizer") of an unknown kind.
Status UnknownTokenizerKind(std::string_view part, std::string_view kind);

// The field of an object, or null when it is missing, null itself, or `object` is no object.
const Json* FindField(const Json& object, const char* key);

// `fallback` when the field is missing or null; Corruption when it has another type.
Result<bool> ReadFlag(const Json& object, const char* key, bool fallback);
Result<std::string> ReadText(const Json& object, const char* key, std::string_view fallback);
Result<uint32_t> ReadCount(const Json& object, const char* key, uint32_t fallback);
// The kind of a part, its field "type".
Result<std::string> ReadKind(const Json& part, std::string_view name);

}  // namespace recall
