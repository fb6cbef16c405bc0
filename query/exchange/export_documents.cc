// Exports documents as JSON Lines, in Recall's own format (docs/format/export.md) or that of recall
// 0.1.
//
// The rowids of the documents are listed first, in the order of their paths, because the header
// states how many documents and chunks there are. Then the documents are read, converted and
// written one by one. The published format has all documents before all chunks, so it reads the
// documents twice.
//
// Invariants. The bytes depend only on the documents and the settings: vectors of a trained model
// and its version are left out, because stores with equal documents may have different models. Text
// that is not UTF-8 is preserved in base64 in Recall's format, and replaced in the published one.
//
// Cost: one read of each document; the published format computes a hash vector for each chunk.

#include "query/exchange/export_documents.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "index/base/text/utf8.h"
#include "index/embed/factory/builtin_embedders.h"
#include "index/search/vector/stored_vectors.h"
#include "index/write/local/local_note_records.h"
#include "index/write/local/local_snapshot.h"
#include "query/add/records/json_record.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/views.h"
#include "query/exchange/recall_layout.h"
#include "storage/base/bytes.h"
#include "storage/base/json_tree.h"
#include "storage/base/json_writer.h"
#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"
#include "storage/file_io/output_file.h"
#include "storage/schema/schema.h"
#include "storage/tables/supplied_vectors.h"
#include "storage/tables/symbol_table.h"

namespace recall {
namespace {

// Lines are buffered up to this size before they are written.
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
  Exporter(const ReadTransaction& transaction, const FilterSets& filters,
           const TransferDependencies& deps, const ExportRequest& request, const ExportSink& sink,
           const AddProgressFn& progress)
      : transaction_(transaction),
        filters_(filters),
        deps_(deps),
        with_vectors_(deps.store->settings().embedder != kLsaEmbedder),
        request_(request),
        sink_(sink),
        progress_(progress) {}

  Result<ExportReport> Run() {
    report_.store = Summarize(transaction_, *deps_.store);
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
    RECALL_ASSIGN(ResolvedScope scope, ResolveScope(filters_, request_.scope,
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
    RECALL_ASSIGN(file_, OutputFile::Create(request_.out_path, deps_.cancel));
    return Status::Ok();
  }

  // Reads each document in turn.
  template <typename Visit>
  Status ForEachDocument(Visit visit) {
    AddProgress shown;
    shown.files_total = report_.docs;
    for (const int64_t row : doc_rows_) {
      if (deps_.cancel->load(std::memory_order_relaxed)) {
        return Status::Cancelled("the export was interrupted");
      }
      RECALL_ASSIGN(const DocRow doc, ReadDoc(transaction_, row));
      RECALL_TRY(visit(doc).WithContext("export " + doc.path));
      shown.files_done += 1;
      progress_.Update(shown);
    }
    return Status::Ok();
  }

  // ---- Recall's own format ----------------------------------------------------------------------

  Status WriteRecall() {
    WriteHeader();
    // A trained store can be exported even if its segments are damaged.
    if (!with_vectors_) {
      return ForEachDocument([&](const DocRow& doc) { return WriteRecallDocument(doc, nullptr); });
    }
    RECALL_ASSIGN(const auto columns, ChunkColumns::Open(transaction_, deps_.space->geometry()));
    StoredVectors vectors(*columns);
    return ForEachDocument([&](const DocRow& doc) { return WriteRecallDocument(doc, &vectors); });
  }

  void WriteHeader() {
    const StoreSettings& settings = deps_.store->settings();
    const VectorOrigin origin = OriginOf(*deps_.space);
    BeginLine(kExportType);
    line_.Field("version", kExportVersion);
    line_.Field("store_version", SchemaVersion());
    line_.Field("tokenizer_version", settings.tokenizer_version);
    Text("embedder", settings.embedder);
    // The model is not exported, so its version must not make exports of equal documents differ.
    with_vectors_ ? Text("embedder_version", origin.embedder_version)
                  : line_.Field("embedder_version", nullptr);
    line_.Field("dim", settings.dim);
    with_vectors_ ? Text("vector_space", origin.space) : line_.Field("vector_space", nullptr);
    line_.Field("chunk_tokens", settings.chunk_tokens);
    line_.Field("overlap_tokens", settings.overlap_tokens);
    line_.Field("docs", report_.docs);
    line_.Field("chunks", report_.chunks);
    EndLine();
  }

  // `vectors` is null if they are not exported.
  Status WriteRecallDocument(const DocRow& doc, StoredVectors* vectors) {
    RECALL_ASSIGN(const std::string text,
                  ReadText(transaction_, doc, 0, static_cast<uint64_t>(doc.size)));
    BeginLine("doc");
    line_.Field("id", ToHex(doc.id));
    Text("path", doc.path);
    doc.mtime ? line_.Field("mtime", FormatRfc3339(*doc.mtime)) : line_.Field("mtime", nullptr);
    line_.Field("size", doc.size);
    line_.Field("hash", ToHex(doc.hash));
    TextOrNull("tag", doc.tag);
    TextOrNull("source", doc.source);
    WriteMeta(doc);
    Text("parser", doc.parser);
    line_.Field("chunks", doc.chunk_count);
    RECALL_TRY(WriteSuppliedVector(doc));
    RECALL_TRY(WriteRecords(doc));
    RECALL_ASSIGN(const std::string grammar, FindGrammar(transaction_.connection(), doc.row));
    if (!grammar.empty()) Text("grammar", grammar);
    if (doc.language != DocLanguage()) Text("lang", doc.language.code);
    if (doc.language.is_given) Text("lang_by", kLanguageByUser);
    Text("text", text);
    EndLine();
    RECALL_ASSIGN(const auto chunks, ReadChunksOf(transaction_, doc));
    std::map<uint32_t, std::vector<Symbol>> symbols;
    if (!grammar.empty()) {
      RECALL_ASSIGN(symbols, SymbolsOfDocument(doc));
    }
    for (const ChunkRow& chunk : chunks) {
      WriteRecallChunk(doc, chunk);
      if (const auto found = symbols.find(chunk.row); found != symbols.end()) {
        WriteSymbols(found->second);
      }
      if (vectors) {
        RECALL_ASSIGN(const StoredVectors::View vector, vectors->Find(chunk.row));
        WriteVector(vector);
      }
      EndLine();
      RECALL_TRY(WriteSomeLines());
    }
    return WriteSomeLines();
  }

  Status WriteSuppliedVector(const DocRow& doc) {
    if (deps_.store->settings().embedder != kUserSuppliedEmbedder) return Status::Ok();
    RECALL_ASSIGN(const std::string record, FindSuppliedVector(transaction_.connection(), doc.row));
    const auto vector = DecodeSuppliedVector(record);
    if (vector) Base64("embedding", AsBytes(record).first(vector->size() * sizeof(float)));
    if (!vector && !record.empty()) {
      report_.warnings.push_back(doc.path + ": skipped its embedding, which is damaged");
    }
    return Status::Ok();
  }

  // Links, uses and reviews; nothing if there are none.
  Status WriteRecords(const DocRow& doc) {
    RECALL_ASSIGN(const DocumentRecords history,
                  LocalNoteRecords(transaction_).RecordsOf(doc.path));
    if (history.Empty()) return Status::Ok();
    line_.Object("records", [&] {
      line_.Objects("links", history.links, [&](const LinkRecord& link) {
        Text("target", link.target);
        line_.Field("relation", link.relation);
        line_.Field("weight", link.weight);
        line_.Field("reason", link.reason);
        line_.Field("origin", link.origin);
        line_.Field("at", FormatRfc3339(link.at));
      });
      line_.Objects("uses", history.uses, [&](const UseRow& use) {
        line_.Field("at", FormatRfc3339(use.at));
        line_.Field("how", use.how);
        line_.Field("count", use.count);
      });
      line_.Objects("reviews", history.reviews, [&](const ReviewRow& review) {
        line_.Field("at", FormatRfc3339(review.at));
        line_.Field("quality", review.quality);
        line_.Field("algorithm", review.algorithm);
        line_.Field("repetitions", review.repetitions);
        line_.Field("interval_days", review.interval_days);
        line_.Field("easiness", review.easiness);
        line_.Field("due", FormatRfc3339(review.due));
      });
    });
    return Status::Ok();
  }

  // By chunk rowid.
  Result<std::map<uint32_t, std::vector<Symbol>>> SymbolsOfDocument(const DocRow& doc) {
    std::map<uint32_t, std::vector<Symbol>> symbols;
    RECALL_TRY(SymbolsOf(
        transaction_.connection(), doc.first_chunk, doc.chunk_count,
        [&](uint32_t chunk, Symbol&& symbol) { symbols[chunk].push_back(std::move(symbol)); }));
    return symbols;
  }

  void WriteSymbols(const std::vector<Symbol>& symbols) {
    line_.Objects("symbols", symbols, [&](const Symbol& symbol) {
      Text("name", symbol.name);
      line_.Field("kind", symbol.kind);
      Text("scope", symbol.scope);
      line_.Field("start_line", symbol.start_line);
      line_.Field("end_line", symbol.end_line);
      line_.Field("begins", symbol.begins);
    });
  }

  void WriteMeta(const DocRow& doc) {
    if (!doc.meta) return line_.Field("meta", nullptr);
    const auto meta = ParseJsonObject(*doc.meta);
    if (!meta) {
      report_.warnings.push_back(doc.path + ": skipped its metadata, which is not a JSON object");
      return line_.Field("meta", nullptr);
    }
    line_.Key("meta");
    WriteTree(*meta, line_);
  }

  void WriteRecallChunk(const DocRow& doc, const ChunkRow& chunk) {
    BeginLine("chunk");
    line_.Field("id", ToHex(MakeChunkId(doc.id, chunk.offset, chunk.byte_in_token)));
    line_.Field("doc_id", ToHex(doc.id));
    line_.Field("offset", chunk.offset);
    line_.Field("byte_in_token", chunk.byte_in_token);
    line_.Field("tokens", chunk.tokens);
    line_.Field("start_byte", chunk.start_byte);
    line_.Field("end_byte", chunk.end_byte);
    line_.Field("start_line", chunk.start_line);
    line_.Field("end_line", chunk.end_line);
    Text("heading", chunk.heading);
  }

  void WriteVector(const StoredVectors::View& vector) {
    line_.Field("scale", vector.scale);  // as a double it is exact
    Base64("vector",
           {reinterpret_cast<const uint8_t*>(vector.values.data()), vector.values.size()});
  }

  // ---- The published format ---------------------------------------------------------------------

  Status WritePublished() {
    RECALL_TRY(ForEachDocument([&](const DocRow& doc) {
      WriteRecall01Document(doc);
      return WriteSomeLines();
    }));
    return ForEachDocument([&](const DocRow& doc) { return WriteRecall01Chunks(doc); });
  }

  // Readers of this format accept JSON strings only, so bytes that are not UTF-8 are replaced.
  void CompatText(std::string_view name, std::string_view text, const DocRow& doc) {
    if (IsValidUtf8(text)) return line_.Field(name, text);
    line_.Field(name, ReplaceIllFormed(text));
    if (replaced_in_ == doc.row) return;
    replaced_in_ = doc.row;
    report_.warnings.push_back(doc.path + ": replaced bytes that are not UTF-8 by U+FFFD");
  }

  void CompatTextOrNull(std::string_view name, const std::optional<std::string>& text,
                        const DocRow& doc) {
    text ? CompatText(name, *text, doc) : line_.Field(name, nullptr);
  }

  void WriteRecall01Document(const DocRow& doc) {
    BeginLine("doc");
    line_.Field("id", ToHex(doc.id));
    CompatText("path", doc.path, doc);
    line_.Field("mtime", doc.mtime ? FormatRfc3339(*doc.mtime) : std::string());
    line_.Field("size", doc.size);
    line_.Field("hash", ToHex(doc.hash));
    CompatTextOrNull("tag", doc.tag, doc);
    CompatTextOrNull("source", doc.source, doc);
    CompatTextOrNull("meta", doc.meta, doc);
    EndLine();
  }

  Status WriteRecall01Chunks(const DocRow& doc) {
    RECALL_ASSIGN(const std::string text,
                  ReadText(transaction_, doc, 0, static_cast<uint64_t>(doc.size)));
    RECALL_ASSIGN(const auto chunks, ReadChunksOf(transaction_, doc));
    // Always the hash embedder, whatever the store uses: readers of this format know no other
    // embedder.
    const size_t dim = deps_.store->settings().dim;
    RECALL_ASSIGN(const auto embedder, MakeEmbedder("hash", deps_.store->settings().dim));
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
        WriteRecall01Chunk(doc, batch[i], texts[i], out.subspan(i * dim, dim));
      }
      RECALL_TRY(WriteSomeLines());
    }
    return Status::Ok();
  }

  void WriteRecall01Chunk(const DocRow& doc, const ChunkRow& chunk, std::string_view text,
                          std::span<const float> vector) {
    BeginLine("chunk");
    line_.Field("id", ToHex(MakeChunkId(doc.id, chunk.offset, chunk.byte_in_token)));
    line_.Field("doc_id", ToHex(doc.id));
    line_.Field("offset", chunk.offset);
    line_.Field("tokens", chunk.tokens);
    CompatText("text", text, doc);
    Base64("embedding",
           {reinterpret_cast<const uint8_t*>(vector.data()), vector.size() * sizeof(float)});
    // Readers of recall 0.1 ignore unknown fields; this program needs the field to compute the
    // chunk id.
    if (chunk.byte_in_token != 0) line_.Field("byte_in_token", chunk.byte_in_token);
    EndLine();
  }

  static Status DamagedChunk(const ChunkRow& chunk) {
    return Status::Corruption("chunk rowid " + std::to_string(chunk.row) + " is outside the text",
                              "remove the document with recall rm --purge and add it again, or "
                              "restore the store from a backup");
  }

  // ---- Output -----------------------------------------------------------------------------------

  void BeginLine(std::string_view type) {
    line_.BeginObject();
    line_.Field("type", type);
  }

  void EndLine() {
    line_.EndObject();
    line_.EndLine();
    ++report_.lines;
  }

  // Text that is not UTF-8 becomes the field NAME_base64.
  void Text(std::string_view name, std::string_view text) {
    if (IsValidUtf8(text)) return line_.Field(name, text);
    Base64(std::string(name) + "_base64", AsBytes(text));
  }

  void TextOrNull(std::string_view name, const std::optional<std::string>& text) {
    text ? Text(name, *text) : line_.Field(name, nullptr);
  }

  void Base64(std::string_view name, ByteSpan bytes) {
    line_.Key(name);
    line_.Base64(bytes);
  }

  Status WriteSomeLines() { return lines_.size() < kWriteBytes ? Status::Ok() : WriteLines(); }

  Status WriteLines() {
    report_.bytes += static_cast<int64_t>(lines_.size());
    RECALL_TRY(file_ ? file_->Write(lines_) : sink_(lines_));
    lines_.clear();
    return Status::Ok();
  }

  const ReadTransaction& transaction_;
  const FilterSets& filters_;
  const TransferDependencies& deps_;
  const bool with_vectors_;  // false for a trained model: its vectors fit no other model
  const ExportRequest& request_;
  const ExportSink& sink_;
  TransferProgress progress_;
  std::vector<int64_t> doc_rows_;  // ordered by path
  std::unique_ptr<OutputFile> file_;
  std::string lines_;
  JsonWriter line_{&lines_};
  int64_t replaced_in_ = 0;  // rowid of the document of the last warning
  ExportReport report_;
};

}  // namespace

Result<ExportReport> ExportDocuments(const ReadTransaction& transaction, const FilterSets& filters,
                                     const TransferDependencies& deps, const ExportRequest& request,
                                     const ExportSink& sink, const AddProgressFn& progress) {
  return Exporter(transaction, filters, deps, request, sink, progress).Run();
}

}  // namespace recall
