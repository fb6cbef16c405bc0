#include "query/compat/recall01/recall01_source.h"

#include <limits>
#include <utility>

#include "query/add/records/json_record.h"

namespace recall {
namespace {

struct Line {
  enum : size_t {
    kType,
    kId,
    kPath,
    kMtime,
    kHash,
    kTag,
    kSource,
    kMeta,
    kDocId,
    kOffset,
    kByteInToken,
    kTokens,
    kText,
    kEmbedding,
  };
  static constexpr FieldSpec kFields[] = {
      {"type"},          {"id"},     {"path"},       {"mtime"},    {"hash"},
      {"tag"},           {"source"}, {"meta", true}, {"doc_id"},   {"offset"},
      {"byte_in_token"}, {"tokens"}, {"text"},       {"embedding"}};
};

class ExportReader final {
 public:
  explicit ExportReader(Recall01Spool* spool) : spool_(spool) {}

  Status Read(const LineRef& line) {
    RECALL_ASSIGN(JsonRecord record, JsonRecord::Parse(line, Line::kFields));
    const std::string type = record.Text(Line::kType);
    RECALL_TRY(record.status());
    if (type == "doc") return ReadDocument(record);
    if (type == "chunk") return ReadChunk(record);
    return LineFault(line, "unknown line type '" + type.substr(0, 40) + "'");
  }

 private:
  Status ReadDocument(JsonRecord& record) {
    Recall01Document document;
    document.place = record.line().number;
    document.id = record.Text(Line::kId);
    document.path = record.Text(Line::kPath);
    document.mtime = record.TextOrNull(Line::kMtime).value_or("");
    document.hash = record.Text(Line::kHash);
    document.tag = record.TextOrNull(Line::kTag);
    document.source = record.TextOrNull(Line::kSource);
    if (record.IsString(Line::kMeta)) {
      document.meta = record.Text(Line::kMeta);
    } else if (const auto meta = record.Tree(Line::kMeta)) {
      document.meta = meta->dump();
    }
    RECALL_TRY(record.status());
    return spool_->PutDocument(document);
  }

  Status ReadChunk(JsonRecord& record) {
    Recall01Chunk chunk;
    chunk.place = record.line().number;
    chunk.id = record.Text(Line::kId);
    const std::string doc_id = record.Text(Line::kDocId);
    chunk.offset = static_cast<uint64_t>(record.Integer(Line::kOffset, 0, kMostInt64));
    chunk.byte_in_token =
        static_cast<uint32_t>(record.IntegerOrNull(Line::kByteInToken, 0, kMostUint32).value_or(0));
    chunk.tokens = record.IntegerOrNull(Line::kTokens, 0, kMostInt64);
    chunk.text = record.Text(Line::kText);
    if (record.IsString(Line::kEmbedding)) chunk.embedding = record.Base64(Line::kEmbedding);
    RECALL_TRY(record.status());
    return spool_->PutChunk(doc_id, chunk);
  }

  Recall01Spool* spool_;
};

}  // namespace

Result<std::unique_ptr<Recall01Source>> Recall01Source::ReadExport(
    std::unique_ptr<InputLines> lines, std::string first, bool more,
    const std::atomic<bool>* cancel, uint64_t max_document_bytes) {
  const std::string file = lines->file().name();
  RECALL_ASSIGN(auto spool, Recall01Spool::Create({file, true, 0}, max_document_bytes));
  ExportReader reader(spool.get());
  std::string line = std::move(first);
  while (more) {
    if (cancel->load(std::memory_order_relaxed)) {
      return Fail(Status::Cancelled("interrupted while reading " + file));
    }
    if (line.find_first_not_of(" \t\r") != line.npos) {
      RECALL_TRY(reader.Read({file, lines->line_number(), line}));
    }
    RECALL_ASSIGN(more, lines->Next(&line));
  }
  ImportWarnings notes;
  RECALL_TRY(spool->Sort(&notes));
  return std::make_unique<Recall01Source>(std::move(spool), std::move(notes), lines->line_number());
}

Recall01Source::Recall01Source(std::unique_ptr<Recall01Spool> spool, ImportWarnings notes,
                               int64_t lines)
    : spool_(std::move(spool)), notes_(std::move(notes)), lines_(lines) {}

Result<std::optional<ImportSource::Job>> Recall01Source::Next() {
  RECALL_ASSIGN(std::shared_ptr<const Recall01Document> document, spool_->Next());
  if (!document) return std::nullopt;
  ++docs_;
  Job job;
  job.bytes = document->bytes();
  const auto id = FromHex(document->id);
  if (id && id->size() == sizeof(Digest)) {
    std::copy(id->begin(), id->end(), job.id.emplace().begin());
  }
  job.make = [document, spool = spool_.get()] {
    return AssembleDocument(*document, spool->PlaceOf(document->place));
  };
  return job;
}

AddProgress Recall01Source::progress() const {
  AddProgress progress;
  progress.files_done = docs_;
  progress.files_total = spool_->documents();
  return progress;
}

}  // namespace recall
