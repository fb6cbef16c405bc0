#pragma once

// Fields of a tokenizer.json, read with their types checked.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

using Json = nlohmann::json;

// Returns: the Corruption error for an invalid part `what` of the file.
Status BadTokenizerField(std::string_view what);
// Returns: the Unsupported error for a part ("normalizer") of an unknown kind.
Status UnknownTokenizerKind(std::string_view part, std::string_view kind);

// Returns: the field of an object; null if it is missing or null, or if `object` is not an object.
const Json* FindField(const Json& object, const char* key);

// Read a field, or return `fallback` if it is missing or null. Errors: Corruption if it has another
// type.
Result<bool> ReadFlag(const Json& object, const char* key, bool fallback);
Result<std::string> ReadText(const Json& object, const char* key, std::string_view fallback);
Result<uint32_t> ReadCount(const Json& object, const char* key, uint32_t fallback);
// Reads the kind of a part, which is its field "type". Errors: Corruption.
Result<std::string> ReadKind(const Json& part, std::string_view name);

}  // namespace recall
