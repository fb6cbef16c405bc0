// Documents from JSON Lines, for add --jsonl.
//
// The pipeline looks up the stored version of a document before a worker parses it, so the path
// must be known early. It is taken from the first bytes of the line if the line begins with it;
// otherwise the line is parsed for its path alone. Workers parse and check the whole line. An
// invalid line becomes a failed document with its line number, and reading continues.
//
// Memory: the lines in flight, each at most max_file_bytes.

#include "query/add/records/document_lines.h"

#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/write/ingest/text_file.h"
#include "query/add/records/document_fields.h"

namespace recall {
namespace {

using Outcome = PreparedDocument::Outcome;

enum GivenField : size_t {
  kPathField,
  kTextField,
  kTagField,
  kSourceField,
  kMtimeField,
  kMetaField,
  kEmbeddingField,
  kLangField
};
constexpr FieldSpec kGivenFields[] = {
    {"path"}, {"text"}, {"tag"}, {"source"}, {"mtime"}, {"meta", true}, {"embedding", true},
    {"lang"}};

// Returns: the path without parsing the line, if the line begins with the path and spells it
// without escapes, as most programs write it.
std::optional<std::string> PathAtAGlance(std::string_view line) {
  for (const std::string_view before : {R"({"path":")", R"({"path": ")"}) {
    if (!line.starts_with(before)) continue;
    const size_t end = line.find_first_of("\"\\", before.size());
    if (end == line.npos || line[end] != '"') break;
    return std::string(line.substr(before.size(), end - before.size()));
  }
  return std::nullopt;
}

// Returns: the path of the document on this line; "" if the line is invalid.
std::string PathOf(std::string_view line) {
  std::optional<std::string> path = PathAtAGlance(line);
  if (!path) {
    Result<JsonRecord> record = JsonRecord::Parse({"", 0, line}, std::span(kGivenFields).first(1));
    if (!record) return {};
    path = ReadPath(*record, kPathField);
    if (!record->status().ok()) return {};
  }
  return CanBePath(*path) ? *std::move(path) : std::string();
}

std::vector<float> ReadEmbedding(JsonRecord& record, const EmbeddingSpace& space) {
  if (record.IsNull(kEmbeddingField)) return {};
  std::vector<float> embedding = record.Floats(kEmbeddingField);
  const size_t dim = space.geometry().dim();
  if (!space.is_user_supplied()) {
    record.Refuse(kEmbeddingField, "is not accepted: the embedder of the store, " +
                                       std::string(space.row().embedder) +
                                       ", computes the vectors");
  } else if (embedding.size() != dim) {
    record.Refuse(kEmbeddingField, "has " + std::to_string(embedding.size()) +
                                       " components, but the vectors of the store have " +
                                       std::to_string(dim));
  }
  return embedding;
}

}  // namespace

Result<ProvidedDocument> ParseDocumentLine(const LineRef& line, const EmbeddingSpace& space) {
  RECALL_ASSIGN(JsonRecord record, JsonRecord::Parse(line, kGivenFields));
  ProvidedDocument given;
  given.path = ReadPath(record, kPathField);
  given.text = record.Text(kTextField);
  given.origin = kLineOrigin;
  if (record.Has(kTagField)) given.tag = record.TextOrNull(kTagField);
  if (record.Has(kSourceField)) given.source = record.TextOrNull(kSourceField);
  if (record.Has(kMtimeField)) given.mtime = ReadMtime(record, kMtimeField);
  if (record.Has(kMetaField)) given.meta = ReadMeta(record, kMetaField);
  if (record.Has(kEmbeddingField)) given.embedding = ReadEmbedding(record, space);
  if (record.Has(kLangField)) given.language = ReadLanguage(record, kLangField);
  const Status is_text = CheckText(given.text);
  if (!is_text.ok())
    record.Refuse(kTextField, "cannot be added: " + std::string(is_text.message()));
  RECALL_TRY(record.status());
  return given;
}

DocumentLines::DocumentLines(std::unique_ptr<InputLines> lines, const BuildOptions* options)
    : lines_(std::move(lines)), options_(options), name_(lines_->file().name()) {}

Result<std::unique_ptr<DocumentLines>> DocumentLines::Open(const AddRequest& request,
                                                           const BuildOptions* options,
                                                           const std::atomic<bool>* cancel) {
  std::unique_ptr<InputFile> file;
  if (request.lines) {
    file = InputFile::OfText(*request.lines, request.jsonl);
  } else {
    RECALL_ASSIGN(file, InputFile::Open(request.jsonl, cancel));
  }
  auto lines = std::make_unique<InputLines>(std::move(file), options->max_file_bytes);
  return std::unique_ptr<DocumentLines>(new DocumentLines(std::move(lines), options));
}

Result<std::optional<IngestSource::Item>> DocumentLines::Next() {
  std::string line;
  for (;;) {
    const Result<bool> more = lines_->Next(&line);
    if (!more && more.error().code() == StatusCode::kLimitExceeded) {
      RECALL_TRY(lines_->SkipLine());
      return TooLong();
    }
    if (!more) return Fail(more.error());
    if (!*more) return std::nullopt;
    if (!IsBlankLine(line)) return ItemOf(std::move(line));
  }
}

IngestSource::Item DocumentLines::TooLong() const {
  PreparedDocument skipped;
  skipped.outcome = Outcome::kSkipped;
  skipped.fault = {
      "", lines_->line_number(), PlaceOf(lines_->line_number()),
      "the line exceeds the limit of " + std::to_string(options_->max_file_bytes) + " bytes",
      SkipReason::kTooLarge};
  Item item;
  item.make = [skipped](const std::optional<DocRow>&, TermBuilder&) { return skipped; };
  return item;
}

IngestSource::Item DocumentLines::ItemOf(std::string line) {
  Item item;
  item.path = PathOf(line);
  item.bytes = static_cast<int64_t>(line.size());
  const int64_t number = lines_->line_number();
  if (!item.path.empty() && !IsNormalPath(item.path)) {
    notes_.Add(ImportWarning::kPathNotNormal, "line " + std::to_string(number));
  }
  auto kept = std::make_shared<const std::string>(std::move(line));
  item.make = [this, kept, number, path = item.path](const std::optional<DocRow>& live,
                                                     TermBuilder& terms) {
    return Prepare(*kept, number, path, live, terms);
  };
  return item;
}

PreparedDocument DocumentLines::Prepare(std::string_view text, int64_t line,
                                        const std::string& path, const std::optional<DocRow>& live,
                                        TermBuilder& terms) const {
  const std::string place = PlaceOf(line);
  Result<ProvidedDocument> given = ParseDocumentLine({place, line, text}, terms.space());
  if (given) return PrepareDocument(*std::move(given), live, *options_, terms);
  PreparedDocument failed;
  failed.outcome = Outcome::kFailed;
  // The message begins with the position, which is reported in a separate field.
  std::string reason(given.error().message().substr(place.size() + 2));
  const TextPosition* const position = given.error().position();
  if (position != nullptr && position->column > 0) {
    reason += " (column " + std::to_string(position->column) + ")";
  }
  failed.fault = {path, line, place, std::move(reason)};
  return failed;
}

}  // namespace recall
