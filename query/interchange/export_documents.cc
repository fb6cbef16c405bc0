#include "query/interchange/export_documents.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "index/embed/factory/builtin_embedders.h"
#include "index/local/local_snapshot.h"
#include "index/text/utf8.h"
#include "index/vector/stored_vectors.h"
#include "query/interchange/recall_layout.h"
#include "query/records/json_line_writer.h"
#include "query/rows/scope.h"
#include "query/rows/views.h"
#include "storage/base/bytes.h"
#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"
#include "storage/file_io/output_file.h"
#include "storage/schema/schema.h"
#include "storage/tables/supplied_vectors.h"

namespace recall {
namespace {

// Lines gather until there is this much of them.
constexpr size_t kWriteBytes = 256 << 10;
constexpr size_t kEmbedBatch = 64;

std::string ReplaceIllFormed(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for (size_t at = 0; at < text.size();) AppendUtf8(DecodeUtf8(text, &at), &valid);
  return valid;
}

class Exporter final {
 public:
  Exporter(const ReadTransaction& transaction, const TransferTools& tools,
           const ExportRequest& request, const ExportSink& sink, const AddProgressFn& progress)
      : transaction_(transaction),
        tools_(tools),
        with_vectors_(tools.store->settings().embedder != kLsaEmbedder),
        request_(request),
        sink_(sink),
        progress_(progress) {}

  Result<ExportReport> Run() {
    report_.store = Summarize(transaction_, *tools_.store);
    RECALL_TRY(ListDocuments());
    RECALL_TRY(OpenOutput());
    RECALL_TRY(request_.layout == ExportLayout::kRecall ? WriteRecall() : WritePublished());
    RECALL_TRY(WriteLines());
    if (file_) {
      RECALL_TRY(file_->Finish());
      report_.bytes = file_->bytes_written();
    }
    return std::move(report_);
  }

 private:
  Status ListDocuments() {
    RECALL_ASSIGN(ResolvedScope scope, ResolveScope(LocalFilterSets(transaction_), request_.scope,
                                                    report_.store.snapshot, FilterDomain::kDocs));
    report_.warnings = std::move(scope.warnings);
    report_.filter = std::move(scope.filter);
    report_.as_of = scope.as_of;
    return ScanPaths(transaction_, false, [&](const PathEntry& entry) {
      if (scope.set && !scope.set->Contains(static_cast<uint32_t>(entry.doc_row))) return true;
      doc_rows_.push_back(entry.doc_row);
      report_.chunks += entry.chunk_count;
      return true;
    });
  }

  Status OpenOutput() {
    report_.docs = static_cast<int64_t>(doc_rows_.size());
    if (request_.out_path.empty()) return Status::Ok();
    if (IsFileOfStore(request_.out_path, tools_.store->path())) {
      return Status::InvalidArgument(request_.out_path + " is the store itself",
                                     "export to another file");
    }
    RECALL_ASSIGN(file_, OutputFile::Create(request_.out_path));
    return Status::Ok();
  }

  // Reads each document in turn.
  template <typename Visit>
  Status ForEachDocument(Visit visit) {
    AddProgress shown;
    shown.files_total = report_.docs;
    for (const int64_t row : doc_rows_) {
      if (tools_.cancel->load(std::memory_order_relaxed)) {
        return Status::Cancelled("the export was interrupted");
      }
      RECALL_ASSIGN(const DocRow doc, ReadDoc(transaction_, row));
      RECALL_TRY(visit(doc).WithContext("export " + doc.path));
      shown.files_done += 1;
      progress_.Update(shown);
    }
    return Status::Ok();
  }

  // ---- Our own layout ---------------------------------------------------------------------------

  Status WriteRecall() {
    WriteHeader();
    RECALL_ASSIGN(const auto columns, ChunkColumns::Open(transaction_, tools_.space->vectors()));
    StoredVectors vectors(*columns);
    return ForEachDocument([&](const DocRow& doc) { return WriteRecallDocument(doc, vectors); });
  }

  void WriteHeader() {
    const StoreSettings& settings = tools_.store->settings();
    const VectorOrigin origin = OriginOf(*tools_.space);
    line_.Begin(kExportType);
    line_.Integer("version", kExportVersion);
    line_.Integer("store_version", SchemaVersion());
    line_.Integer("tokenizer_version", settings.tokenizer_version);
    line_.Text("embedder", settings.embedder);
    // What was learnt is not exported, so it must not make exports of equal documents differ.
    with_vectors_ ? line_.Text("embedder_version", origin.embedder_version)
                  : line_.Null("embedder_version");
    line_.Integer("dim", settings.dim);
    with_vectors_ ? line_.Text("vector_space", origin.space) : line_.Null("vector_space");
    line_.Integer("chunk_tokens", settings.chunk_tokens);
    line_.Integer("overlap_tokens", settings.overlap_tokens);
    line_.Integer("docs", report_.docs);
    line_.Integer("chunks", report_.chunks);
    line_.End();
    ++report_.lines;
  }

  Status WriteRecallDocument(const DocRow& doc, StoredVectors& vectors) {
    RECALL_ASSIGN(const std::string text,
                  ReadText(transaction_, doc, 0, static_cast<uint64_t>(doc.size)));
    line_.Begin("doc");
    line_.Text("id", ToHex(doc.id));
    line_.Text("path", doc.path);
    doc.mtime ? line_.Text("mtime", FormatRfc3339(*doc.mtime)) : line_.Null("mtime");
    line_.Integer("size", doc.size);
    line_.Text("hash", ToHex(doc.hash));
    line_.TextOrNull("tag", doc.tag);
    line_.TextOrNull("source", doc.source);
    WriteMeta(doc);
    line_.Text("parser", doc.parser);
    line_.Integer("chunks", doc.chunk_count);
    RECALL_TRY(WriteSuppliedVector(doc));
    line_.Text("text", text);
    line_.End();
    ++report_.lines;
    RECALL_ASSIGN(const auto chunks, ReadChunksOf(transaction_, doc));
    for (const ChunkRow& chunk : chunks) {
      RECALL_ASSIGN(const StoredVectors::View vector, vectors.Find(chunk.row));
      WriteRecallChunk(doc, chunk, vector);
      RECALL_TRY(WriteSomeLines());
    }
    return WriteSomeLines();
  }

  Status WriteSuppliedVector(const DocRow& doc) {
    if (tools_.store->settings().embedder != kUserSuppliedEmbedder) return Status::Ok();
    RECALL_ASSIGN(const std::string record, FindSuppliedVector(transaction_.connection(), doc.row));
    const auto vector = DecodeSuppliedVector(record);
    if (vector) line_.Base64("embedding", AsBytes(record).first(vector->size() * sizeof(float)));
    if (!vector && !record.empty()) {
      report_.warnings.push_back(doc.path + ": its embedding is damaged; left out");
    }
    return Status::Ok();
  }

  void WriteMeta(const DocRow& doc) {
    if (!doc.meta) return line_.Null("meta");
    const auto meta = ParseJsonObject(*doc.meta);
    if (!meta) {
      report_.warnings.push_back(doc.path + ": its metadata is not a JSON object; left out");
      return line_.Null("meta");
    }
    std::string json;
    AppendJson(*meta, &json);
    line_.Json("meta", json);
  }

  void WriteRecallChunk(const DocRow& doc, const ChunkRow& chunk,
                        const StoredVectors::View& vector) {
    line_.Begin("chunk");
    line_.Text("id", ToHex(MakeChunkId(doc.id, chunk.offset, chunk.byte_in_token)));
    line_.Text("doc_id", ToHex(doc.id));
    line_.Integer("offset", static_cast<int64_t>(chunk.offset));
    line_.Integer("byte_in_token", chunk.byte_in_token);
    line_.Integer("tokens", chunk.tokens);
    line_.Integer("start_byte", static_cast<int64_t>(chunk.start_byte));
    line_.Integer("end_byte", static_cast<int64_t>(chunk.end_byte));
    line_.Integer("start_line", chunk.start_line);
    line_.Integer("end_line", chunk.end_line);
    line_.Text("heading", chunk.heading);
    if (with_vectors_) {
      line_.Number("scale", vector.scale);  // as a double it is exact
      line_.Base64("vector",
                   {reinterpret_cast<const uint8_t*>(vector.values.data()), vector.values.size()});
    }
    line_.End();
    ++report_.lines;
  }

  // ---- The published layout ---------------------------------------------------------------------

  Status WritePublished() {
    RECALL_TRY(ForEachDocument([&](const DocRow& doc) {
      WritePublishedDocument(doc);
      return WriteSomeLines();
    }));
    return ForEachDocument([&](const DocRow& doc) { return WritePublishedChunks(doc); });
  }

  // Its readers know JSON strings only, so what is not UTF-8 cannot be kept.
  void PublishedText(std::string_view name, std::string_view text, const DocRow& doc) {
    if (IsValidUtf8(text)) return line_.Text(name, text);
    line_.Text(name, ReplaceIllFormed(text));
    if (replaced_in_ == doc.row) return;
    replaced_in_ = doc.row;
    report_.warnings.push_back(doc.path + ": holds bytes that are not UTF-8; written as U+FFFD");
  }

  void PublishedTextOrNull(std::string_view name, const std::optional<std::string>& text,
                           const DocRow& doc) {
    text ? PublishedText(name, *text, doc) : line_.Null(name);
  }

  void WritePublishedDocument(const DocRow& doc) {
    line_.Begin("doc");
    line_.Text("id", ToHex(doc.id));
    PublishedText("path", doc.path, doc);
    line_.Text("mtime", doc.mtime ? FormatRfc3339(*doc.mtime) : std::string());
    line_.Integer("size", doc.size);
    line_.Text("hash", ToHex(doc.hash));
    PublishedTextOrNull("tag", doc.tag, doc);
    PublishedTextOrNull("source", doc.source, doc);
    PublishedTextOrNull("meta", doc.meta, doc);
    line_.End();
    ++report_.lines;
  }

  Status WritePublishedChunks(const DocRow& doc) {
    RECALL_ASSIGN(const std::string text,
                  ReadText(transaction_, doc, 0, static_cast<uint64_t>(doc.size)));
    RECALL_ASSIGN(const auto chunks, ReadChunksOf(transaction_, doc));
    // Whatever the store has: its readers know no other embedder.
    const size_t dim = tools_.store->settings().dim;
    RECALL_ASSIGN(const auto embedder, MakeEmbedder("hash", tools_.store->settings().dim));
    std::vector<float> vectors(kEmbedBatch * dim);
    std::vector<std::string_view> texts;
    for (size_t first = 0; first < chunks.size(); first += kEmbedBatch) {
      const std::span batch =
          std::span(chunks).subspan(first, std::min(kEmbedBatch, chunks.size() - first));
      texts.clear();
      for (const ChunkRow& chunk : batch) {
        if (chunk.end_byte > text.size()) return DamagedChunk(chunk);
        texts.push_back(
            std::string_view(text).substr(chunk.start_byte, chunk.end_byte - chunk.start_byte));
      }
      const std::span<float> out = std::span(vectors).first(batch.size() * dim);
      RECALL_TRY(embedder->Embed(texts, out));
      for (size_t i = 0; i < batch.size(); ++i) {
        WritePublishedChunk(doc, batch[i], texts[i], out.subspan(i * dim, dim));
      }
      RECALL_TRY(WriteSomeLines());
    }
    return Status::Ok();
  }

  void WritePublishedChunk(const DocRow& doc, const ChunkRow& chunk, std::string_view text,
                           std::span<const float> vector) {
    line_.Begin("chunk");
    line_.Text("id", ToHex(MakeChunkId(doc.id, chunk.offset, chunk.byte_in_token)));
    line_.Text("doc_id", ToHex(doc.id));
    line_.Integer("offset", static_cast<int64_t>(chunk.offset));
    line_.Integer("tokens", chunk.tokens);
    PublishedText("text", text, doc);
    line_.Base64("embedding",
                 {reinterpret_cast<const uint8_t*>(vector.data()), vector.size() * sizeof(float)});
    // Its readers ignore what they do not know; ours needs it to find the id again.
    if (chunk.byte_in_token != 0) line_.Integer("byte_in_token", chunk.byte_in_token);
    line_.End();
    ++report_.lines;
  }

  static Status DamagedChunk(const ChunkRow& chunk) {
    return Status::Corruption(
        "chunk row " + std::to_string(chunk.row) + " lies outside the text",
        "recall rm --purge the document and add it again, or restore the store from a backup");
  }

  // ---- Where the lines go -----------------------------------------------------------------------

  Status WriteSomeLines() { return lines_.size() < kWriteBytes ? Status::Ok() : WriteLines(); }

  Status WriteLines() {
    report_.bytes += static_cast<int64_t>(lines_.size());
    RECALL_TRY(file_ ? file_->Write(lines_) : sink_(lines_));
    lines_.clear();
    return Status::Ok();
  }

  const ReadTransaction& transaction_;
  const TransferTools& tools_;
  const bool with_vectors_;  // those of a learnt model mean nothing beside another's
  const ExportRequest& request_;
  const ExportSink& sink_;
  TransferProgress progress_;
  std::vector<int64_t> doc_rows_;  // by path
  std::unique_ptr<OutputFile> file_;
  std::string lines_;
  JsonLineWriter line_{&lines_};
  int64_t replaced_in_ = 0;  // row of the document last warned of
  ExportReport report_;
};

}  // namespace

Result<ExportReport> ExportDocuments(const ReadTransaction& transaction, const TransferTools& tools,
                                     const ExportRequest& request, const ExportSink& sink,
                                     const AddProgressFn& progress) {
  return Exporter(transaction, tools, request, sink, progress).Run();
}

}  // namespace recall
