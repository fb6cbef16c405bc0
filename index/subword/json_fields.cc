#include "index/subword/json_fields.h"

#include <limits>

namespace recall {

Status BadTokenizerField(std::string_view what) {
  return Status::Corruption("tokenizer.json: bad " + std::string(what),
                            "download the model's files again");
}

Status UnknownTokenizerKind(std::string_view part, std::string_view kind) {
  return Status::Unsupported(
      "tokenizer.json: the " + std::string(part) + " \"" + std::string(kind) +
          "\" is not supported",
      "choose a model whose tokenizer is WordPiece, BPE or Unigram with the usual parts");
}

const Json* FindField(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

Result<bool> ReadFlag(const Json& object, const char* key, bool fallback) {
  const Json* field = FindField(object, key);
  if (field == nullptr) return fallback;
  if (!field->is_boolean()) return Fail(BadTokenizerField(key));
  return field->get<bool>();
}

Result<std::string> ReadText(const Json& object, const char* key, std::string_view fallback) {
  const Json* field = FindField(object, key);
  if (field == nullptr) return std::string(fallback);
  if (!field->is_string()) return Fail(BadTokenizerField(key));
  return field->get_ref<const std::string&>();
}

Result<uint32_t> ReadCount(const Json& object, const char* key, uint32_t fallback) {
  const Json* field = FindField(object, key);
  if (field == nullptr) return fallback;
  if (!field->is_number_unsigned() ||
      field->get<uint64_t>() > std::numeric_limits<uint32_t>::max()) {
    return Fail(BadTokenizerField(key));
  }
  return static_cast<uint32_t>(field->get<uint64_t>());
}

Result<std::string> ReadKind(const Json& part, std::string_view name) {
  RECALL_ASSIGN(std::string kind, ReadText(part, "type", ""));
  if (kind.empty()) return Fail(BadTokenizerField(std::string(name) + ": it has no type"));
  return kind;
}

}  // namespace recall
