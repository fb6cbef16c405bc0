// Reads an export in Recall's own format document by document.
//
// Next() only splits the file: it collects the document line and the chunk lines up to the next
// document, bounded by max_document_bytes. Workers parse them. Type and id of a line are taken from
// its first bytes if the line has the form that this program writes; it is then parsed only once.
// The header has the numbers of documents and chunks; CheckEnd compares them, so a file that was
// cut off is an error.

#include "query/exchange/recall_source.h"

#include <limits>
#include <utility>

#include "query/exchange/recall_layout.h"

namespace recall {
namespace {

// Returns: the document id without parsing the line, if the line has the form that this program
// writes.
std::optional<Digest> IdAtAGlance(std::string_view line) {
  constexpr std::string_view kBefore = R"({"type":"doc","id":")";
  if (!line.starts_with(kBefore)) return std::nullopt;
  const auto bytes = FromHex(line.substr(kBefore.size(), 64));
  Digest id;
  if (!bytes || bytes->size() != id.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), id.begin());
  return id;
}

// Returns: the type of a line. Lines in the form that this program writes are not parsed.
Result<std::string> TypeAtAGlance(const LineRef& line) {
  for (const std::string_view type : {"doc", "chunk"}) {
    if (line.text.starts_with("{\"type\":\"" + std::string(type) + "\",")) return std::string(type);
  }
  return TypeOfLine(line);
}

}  // namespace

RecallSource::RecallSource(std::unique_ptr<InputLines> lines, const TransferDependencies& deps,
                           uint64_t max_document_bytes)
    : lines_(std::move(lines)),
      deps_(deps),
      max_document_bytes_(max_document_bytes),
      file_(lines_->file().name()) {}

Result<std::unique_ptr<RecallSource>> RecallSource::Open(std::unique_ptr<InputLines> lines,
                                                         const std::string& header,
                                                         const TransferDependencies& deps,
                                                         uint64_t max_document_bytes) {
  std::unique_ptr<RecallSource> source(
      new RecallSource(std::move(lines), deps, max_document_bytes));
  RECALL_TRY(source->ReadHeader(header));
  RECALL_ASSIGN(const bool more, source->NextLine());
  source->at_end_ = !more;
  return source;
}

Status RecallSource::ReadHeader(const std::string& header) {
  const LineRef line{file_, lines_->line_number(), header};
  RECALL_ASSIGN(JsonRecord record, JsonRecord::Parse(line, HeaderLine::kFields));
  const int64_t version = record.Integer(HeaderLine::kVersion, 1, kMostInt64);
  RECALL_TRY(record.status());
  if (version > kExportVersion) {
    return place().Fault(StatusCode::kUnsupported,
                         "the export has version " + std::to_string(version) +
                             ", and this version of recall supports up to " +
                             std::to_string(kExportVersion),
                         "use a newer version of recall");
  }
  docs_expected_ = record.IntegerOrNull(HeaderLine::kDocs, 0, kMostInt64);
  chunks_expected_ = record.IntegerOrNull(HeaderLine::kChunks, 0, kMostInt64);
  CompareSettings(record, line);
  return record.status();
}

void RecallSource::CompareSettings(JsonRecord& record, const LineRef& line) {
  const std::string where = "line " + std::to_string(line.number);
  const VectorOrigin origin{record.TextOrNull(HeaderLine::kEmbedder).value_or(""),
                            record.TextOrNull(HeaderLine::kEmbedderVersion).value_or(""),
                            record.TextOrNull(HeaderLine::kVectorSpace).value_or("")};
  // Exports do not contain vectors of a trained embedder, which would belong to another model.
  const bool trained = origin.embedder == kLsaEmbedder;
  take_vectors_ = !trained && origin == OriginOf(*deps_.space);
  if (!take_vectors_ && !trained)
    notes_.Add(ImportWarning::kVectorSpace, where, chunks_expected_.value_or(1));
  const StoreSettings& settings = deps_.store->settings();
  const auto tokens = record.IntegerOrNull(HeaderLine::kChunkTokens, 0, kMostInt64);
  const auto overlap = record.IntegerOrNull(HeaderLine::kOverlapTokens, 0, kMostInt64);
  if ((tokens && *tokens != settings.chunk_tokens) ||
      (overlap && *overlap != settings.overlap_tokens)) {
    notes_.Add(ImportWarning::kChunkSizes, where, chunks_expected_.value_or(1));
  }
}

// Reads the next line that is not blank, and its type.
Result<bool> RecallSource::NextLine() {
  do {
    RECALL_ASSIGN(const bool more, lines_->Next(&line_));
    if (!more) return false;
  } while (IsBlankLine(line_));
  RECALL_ASSIGN(line_type_, TypeAtAGlance(here()));
  return true;
}

Result<std::optional<ImportSource::Job>> RecallSource::Next() {
  if (at_end_) {
    RECALL_TRY(CheckEnd());
    return std::nullopt;
  }
  RECALL_ASSIGN(std::shared_ptr<const RawDocument> raw, ReadDocument());
  ++docs_;
  chunks_ += static_cast<int64_t>(raw->ends.size());
  Job job;
  job.bytes = raw->bytes();
  job.id = IdAtAGlance(raw->doc_line);
  job.make = [raw, space = &deps_.space->geometry(), take = take_vectors_] {
    return ParseRecallDocument(*raw, *space, take);
  };
  return job;
}

Result<std::unique_ptr<RawDocument>> RecallSource::ReadDocument() {
  if (line_type_ != "doc") {
    const bool chunk = line_type_ == "chunk";
    return Fail(LineFault(here(), chunk ? "a chunk without a preceding document"
                                        : "unknown line type '" + line_type_.substr(0, 40) + "'"));
  }
  auto raw = std::make_unique<RawDocument>();
  raw->file = file_;
  raw->doc_line_number = lines_->line_number();
  raw->doc_line = std::move(line_);
  line_.clear();
  for (;;) {
    RECALL_ASSIGN(const bool more, NextLine());
    at_end_ = !more;
    if (!more || line_type_ != "chunk") return raw;
    raw->chunk_lines += line_;
    raw->ends.push_back({raw->chunk_lines.size(), lines_->line_number()});
    if (static_cast<uint64_t>(raw->bytes()) > max_document_bytes_) {
      return Fail(place().Fault(
          StatusCode::kLimitExceeded,
          "one document has more than " + std::to_string(max_document_bytes_) + " bytes"));
    }
  }
}

Status RecallSource::CheckEnd() const {
  const bool whole = (!docs_expected_ || *docs_expected_ == docs_) &&
                     (!chunks_expected_ || *chunks_expected_ == chunks_);
  if (whole) return Status::Ok();
  return place().Fault(StatusCode::kInvalidArgument,
                       "the file ends with " + std::to_string(docs_) + " documents and " +
                           std::to_string(chunks_) + " chunks, but its header specifies " +
                           std::to_string(docs_expected_.value_or(docs_)) + " and " +
                           std::to_string(chunks_expected_.value_or(chunks_)),
                       "the file is truncated; export again");
}

AddProgress RecallSource::progress() const {
  AddProgress progress;
  progress.files_done = docs_;
  progress.files_total = docs_expected_.value_or(0);
  progress.bytes_done = lines_->file().bytes_read();
  progress.bytes_total = lines_->file().bytes_total();
  return progress;
}

}  // namespace recall
