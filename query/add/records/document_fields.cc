#include "query/add/records/document_fields.h"

#include "index/source/chunk/chunker.h"
#include "index/write/ingest/document_language.h"
#include "storage/documents/document_store.h"

namespace recall {

bool CanBePath(std::string_view path) { return !path.empty() && path.find('\0') == path.npos; }

bool IsKnownParser(std::string_view parser) {
  if (parser == kImportedParser) return true;
  const auto known = ParserFromName(parser);
  return known && *known != Parser::kAuto;
}

bool CanBeLanguage(std::string_view text) {
  if (text == kNoLanguage || text == kDetectLanguage) return true;
  return !text.empty() && IsLanguageValue(text);
}

std::string GrammarObjection(const DocRow& doc) {
  constexpr size_t kMostBytes = 100;
  if (doc.grammar.empty()) return "";
  if (doc.grammar.size() > kMostBytes) return "has more than 100 bytes";
  if (doc.parser != ParserName(Parser::kCode)) return "is of a document that is no source code";
  return "";
}

std::string ReadPath(JsonRecord& record, size_t field) {
  std::string path = record.Text(field);
  if (!CanBePath(path)) record.Refuse(field, "is empty or contains a NUL");
  return path;
}

std::string ReadLanguage(JsonRecord& record, size_t field) {
  std::string language = record.TextOrNull(field).value_or(std::string(kDetectLanguage));
  if (!CanBeLanguage(language)) {
    record.Refuse(field, "is neither a code of two letters nor \"none\"");
  }
  return language;
}

std::optional<UnixNanos> ReadMtime(JsonRecord& record, size_t field) {
  const std::optional<std::string> text = record.TextOrNull(field);
  if (!text) return std::nullopt;
  const std::optional<UnixNanos> mtime = ParseRfc3339(*text);
  if (!mtime && IsTimeBeyondRange(*text)) {
    record.Refuse(field, "is not a time from " + std::string(kTimeRange));
  } else if (!mtime) {
    record.Refuse(field, "is not an RFC 3339 time");
  }
  return mtime;
}

std::optional<std::string> ReadMeta(JsonRecord& record, size_t field) {
  const auto meta = record.Tree(field);
  if (!meta) return std::nullopt;
  return meta->dump();
}

}  // namespace recall
