#include "index/search/filter/fields.h"

#include <algorithm>
#include <array>
#include <utility>

#include "index/base/text/fold.h"
#include "index/base/text/utf8.h"
#include "storage/base/check.h"

namespace recall {
namespace {

constexpr FieldTable kDocTable = FieldTable::kDoc;
constexpr FieldTable kChunkTable = FieldTable::kChunk;
constexpr FieldSource kComputed = FieldSource::kComputed;
constexpr FieldSource kSession = FieldSource::kSession;
constexpr FieldSource kSymbolSource = FieldSource::kSymbol;
constexpr FieldSource kPlaceSource = FieldSource::kPlace;

constexpr std::array<FieldInfo, 46> kFields = {{
    {Field::kDocId, "id", kDocTable, FieldType::kText},
    {Field::kDocPath, "path", kDocTable, FieldType::kText},
    {Field::kDocMtime, "mtime", kDocTable, FieldType::kTime},
    {Field::kDocHash, "hash", kDocTable, FieldType::kText},
    {Field::kDocTag, "tag", kDocTable, FieldType::kText},
    {Field::kDocSource, "source", kDocTable, FieldType::kText},
    {Field::kDocMeta, "meta", kDocTable, FieldType::kText},
    {Field::kDocParser, "parser", kDocTable, FieldType::kText},
    {Field::kDocSize, "size", kDocTable, FieldType::kInteger},
    {Field::kDocTokens, "tokens", kDocTable, FieldType::kInteger},
    {Field::kDocChunks, "chunks", kDocTable, FieldType::kInteger},
    {Field::kDocOrigin, "origin", kDocTable, FieldType::kText},
    {Field::kDocKind, "kind", kDocTable, FieldType::kText, kComputed},
    {Field::kDocStatus, "status", kDocTable, FieldType::kText, kComputed},
    {Field::kDocLifecycle, "lifecycle", kDocTable, FieldType::kText, kComputed},
    {Field::kDocUses, "uses", kDocTable, FieldType::kInteger, kComputed},
    {Field::kDocUsedAt, "used_at", kDocTable, FieldType::kTime, kComputed},
    {Field::kDocConsolidation, "consolidation", kDocTable, FieldType::kReal, kComputed},
    {Field::kDocDue, "due", kDocTable, FieldType::kTime, kComputed},
    {Field::kDocInterval, "interval", kDocTable, FieldType::kInteger, kComputed},
    {Field::kDocEasiness, "easiness", kDocTable, FieldType::kReal, kComputed},
    {Field::kDocReviews, "reviews", kDocTable, FieldType::kInteger, kComputed},
    {Field::kDocLinks, "links", kDocTable, FieldType::kInteger, kComputed},
    {Field::kDocBacklinks, "backlinks", kDocTable, FieldType::kInteger, kComputed},
    {Field::kDocLink, "link", kDocTable, FieldType::kText, kComputed},
    {Field::kDocBacklink, "backlink", kDocTable, FieldType::kText, kComputed},
    {Field::kDocSession, "session", kDocTable, FieldType::kDynamic, kSession},
    {Field::kChunkId, "id", kChunkTable, FieldType::kText},
    {Field::kChunkDocId, "doc_id", kChunkTable, FieldType::kText},
    {Field::kChunkOffset, "offset", kChunkTable, FieldType::kInteger},
    {Field::kChunkTokens, "tokens", kChunkTable, FieldType::kInteger},
    {Field::kChunkText, "text", kChunkTable, FieldType::kText},
    {Field::kChunkHeading, "heading", kChunkTable, FieldType::kText},
    {Field::kChunkStartByte, "start_byte", kChunkTable, FieldType::kInteger},
    {Field::kChunkEndByte, "end_byte", kChunkTable, FieldType::kInteger},
    {Field::kChunkStartLine, "start_line", kChunkTable, FieldType::kInteger},
    {Field::kChunkEndLine, "end_line", kChunkTable, FieldType::kInteger},
    {Field::kChunkTurn, "turn", kChunkTable, FieldType::kInteger, kSession},
    {Field::kChunkRole, "role", kChunkTable, FieldType::kText, kSession},
    {Field::kChunkAt, "at", kChunkTable, FieldType::kTime, kSession},
    {Field::kChunkSymbol, "symbol", kChunkTable, FieldType::kText, kSymbolSource},
    {Field::kChunkKind, "kind", kChunkTable, FieldType::kText, kSymbolSource},
    {Field::kChunkPage, "page", kChunkTable, FieldType::kInteger, kPlaceSource},
    {Field::kChunkSlide, "slide", kChunkTable, FieldType::kInteger, kPlaceSource},
    {Field::kChunkSheet, "sheet", kChunkTable, FieldType::kText, kPlaceSource},
    {Field::kChunkCell, "cell", kChunkTable, FieldType::kInteger, kPlaceSource},
}};
constexpr std::pair<std::string_view, std::string_view> kCardKeys[] = {
    {"type", "type"},           {"title", "title"},   {"summary", "summary"},
    {"scope", "scope"},         {"tags", "tags"},     {"triggers", "recall_when"},
    {"topics", "topic_path"},   {"format", "format"}, {"extracted", "extracted"},
    {"extractor", "extractor"},
};
constexpr FieldInfo kMetaKey = {Field::kDocMetaKey, "meta", kDocTable, FieldType::kDynamic};

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

std::span<const FieldInfo> AllFields() { return kFields; }

const FieldInfo& InfoOf(Field field) {
  if (field == Field::kDocMetaKey) return kMetaKey;
  const auto info = std::ranges::find(kFields, field, &FieldInfo::field);
  RECALL_CHECK(info != kFields.end());
  return *info;
}

std::string_view CardKey(std::string_view name) {
  for (const auto& [field, key] : kCardKeys) {
    if (field == name) return key;
  }
  return {};
}

const FieldInfo* FindField(FieldTable table, std::string_view name) {
  const auto info = std::ranges::find_if(kFields, [&](const FieldInfo& candidate) {
    return candidate.table == table && candidate.name == name;
  });
  return info == kFields.end() ? nullptr : &*info;
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
