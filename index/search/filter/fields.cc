#include "index/search/filter/fields.h"

#include <algorithm>
#include <utility>

#include "index/base/text/fold.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

constexpr std::pair<std::string_view, std::string_view> kCardKeys[] = {
    {"type", "type"},           {"title", "title"},   {"summary", "summary"},
    {"scope", "scope"},         {"tags", "tags"},     {"triggers", "recall_when"},
    {"topics", "topic_path"},   {"format", "format"}, {"extracted", "extracted"},
    {"extractor", "extractor"},
};

bool IsAsciiWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The size of the letter, mark or digit at `at`; 0 if there is another character.
size_t WordCharacterSize(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  if (static_cast<unsigned char>(text[at]) < 0x80) return IsAsciiWord(text[at]) ? 1 : 0;
  size_t end = at;
  const uint32_t character = DecodeUtf8(text, &end);
  const CharacterKind kind = KindBeforeFolding(character);
  const bool is_word = kind == CharacterKind::kWord || kind == CharacterKind::kBigram;
  return is_word || IsMark(character) ? end - at : 0;
}

bool IsPlainKey(std::string_view key) {
  size_t at = 0;
  while (const size_t size = NameCharacterSize(key, at)) at += size;
  return !key.empty() && at == key.size();
}

}  // namespace

std::string_view CardKey(std::string_view name) {
  for (const auto& [field, key] : kCardKeys) {
    if (field == name) return key;
  }
  return {};
}

const FieldInfo* FindField(FieldTable table, std::string_view name) {
  const auto found = std::ranges::find_if(AllFields(), [&](const FieldInfo& candidate) {
    return candidate.table == table && candidate.name == name;
  });
  return found == AllFields().end() ? nullptr : &*found;
}

size_t NameCharacterSize(std::string_view text, size_t at) {
  if (at < text.size() && text[at] == '-') return WordCharacterSize(text, at + 1) > 0 ? 1 : 0;
  return WordCharacterSize(text, at);
}

std::string FieldName(const FieldRef& field) {
  const FieldInfo& info = InfoOf(field.field);
  std::string name = info.table == FieldTable::kDoc ? "doc." : "chunk.";
  name += info.name;
  for (const std::string& key : field.meta_path) {
    name += '.';
    if (IsPlainKey(key)) {
      name += key;
      continue;
    }
    name += '"';
    for (const char c : key) {
      if (c == '"' || c == '\\') name += c == '"' ? '"' : '\\';
      name += c;
    }
    name += '"';
  }
  return name;
}

}  // namespace recall
