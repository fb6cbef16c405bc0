// Parses and checks one document of an export, on a worker thread.
//
// The bytes of an export are not trusted. The size and the SHA-256 of the text, the ids of document
// and chunks, the number of chunk lines, the boundaries of each chunk in the text (ChunkCheck) and
// the length of each vector are compared with computed values. The first difference is an error
// with the position of its line, so a document that was changed or cut off is not imported. The
// SHA-256 of a text that was reconstructed from chunks cannot be checked.
//
// Cost: linear in the lines, including one SHA-256 of the text.

#include "query/exchange/recall_document.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "index/base/paths/doc_path.h"
#include "index/source/chunk/chunk_check.h"
#include "query/add/records/document_fields.h"
#include "query/add/records/document_records_json.h"
#include "query/add/records/symbols_json.h"
#include "query/exchange/recall_layout.h"
#include "storage/tables/supplied_vectors.h"

namespace recall {
namespace {

std::string Quote(std::string_view text) { return "\"" + std::string(text) + "\""; }

class DocumentParser final {
 public:
  DocumentParser(const RawDocument& raw, const VectorGeometry& space, bool take_vectors)
      : raw_(raw), space_(space), take_vectors_(take_vectors) {}

  Result<ImportedDocument> Parse() {
    RECALL_TRY(ParseDocLine());
    RECALL_TRY(ParseChunkLines());
    return std::move(result_);
  }

 private:
  Status ParseDocLine() {
    const LineRef line{raw_.file, raw_.doc_line_number, raw_.doc_line};
    RECALL_ASSIGN(JsonRecord record, JsonRecord::Parse(line, DocLine::kFields));
    DocRow& doc = result_.doc;
    doc.id = record.Hash(DocLine::kId);
    doc.path = ReadPath(record, DocLine::kPath);
    doc.hash = record.Hash(DocLine::kHash);
    doc.size = record.Integer(DocLine::kSize, 0, kMostInt64);
    doc.tag = record.TextOrNull(DocLine::kTag);
    doc.source = record.TextOrNull(DocLine::kSource);
    doc.parser = record.Text(DocLine::kParser);
    chunk_count_ = record.Integer(DocLine::kChunks, 0, kMostUint32);
    result_.text = record.Text(DocLine::kText);
    doc.mtime = ReadMtime(record, DocLine::kMtime);
    doc.meta = ReadMeta(record, DocLine::kMeta);
    if (record.Has(DocLine::kEmbedding) && !record.IsNull(DocLine::kEmbedding)) {
      doc.supplied_vector = EncodeSuppliedVector(record.Floats(DocLine::kEmbedding));
    }
    if (record.Has(DocLine::kRecords) && !record.IsNull(DocLine::kRecords)) {
      ParseRecords(record);
    }
    if (record.Has(DocLine::kGrammar)) {
      doc.grammar = record.TextOrNull(DocLine::kGrammar).value_or("");
      const std::string objection = GrammarObjection(doc);
      if (!objection.empty()) record.Refuse(DocLine::kGrammar, objection);
    }
    if (record.Has(DocLine::kLang)) TakeLanguage(record);
    CheckDocument(record);
    result_.place = {raw_.file, true, raw_.doc_line_number};
    if (!IsNormalPath(doc.path)) {
      result_.notes.Add(ImportWarning::kPathNotNormal, "'" + doc.path + "'");
    }
    return record.status();
  }

  void TakeLanguage(JsonRecord& record) {
    DocLanguage& language = result_.doc.language;
    language.code = record.TextOrNull(DocLine::kLang).value_or("");
    if (!IsLanguageValue(language.code)) record.Refuse(DocLine::kLang, "is no code of a language");
    language.is_given =
        record.Has(DocLine::kLangBy) && record.TextOrNull(DocLine::kLangBy) == kLanguageByUser;
  }

  void ParseRecords(JsonRecord& record) {
    const auto records = record.Tree(DocLine::kRecords);
    if (!records) return;
    auto history = ParseDocumentRecords(*records, result_.doc.path);
    if (history) {
      result_.history = std::move(*history);
    } else {
      record.Refuse(DocLine::kRecords, std::string(history.error().message()));
    }
  }

  void CheckDocument(JsonRecord& record) const {
    const DocRow& doc = result_.doc;
    if (!IsKnownParser(doc.parser)) record.Refuse(DocLine::kParser, "is not the name of a parser");
    if (doc.size != static_cast<int64_t>(result_.text.size())) {
      record.Refuse(DocLine::kSize, "is " + std::to_string(doc.size) + ", but the text has " +
                                        std::to_string(result_.text.size()) + " bytes");
    }
    // If the text was reconstructed from chunks, the hash is that of the original text, which is
    // not available.
    if (doc.parser != kImportedParser && doc.hash != Sha256(result_.text)) {
      record.Refuse(DocLine::kHash, "is not the SHA-256 of the text");
    }
    if (doc.id != MakeDocId(doc.path, doc.hash)) {
      record.Refuse(DocLine::kId, "does not match path and hash");
    }
  }

  Status ParseChunkLines() {
    if (raw_.ends.size() != static_cast<size_t>(chunk_count_)) {
      return LineFault({raw_.file, raw_.doc_line_number, raw_.doc_line},
                       Quote("chunks") + " is " + std::to_string(chunk_count_) + ", but " +
                           std::to_string(raw_.ends.size()) + " chunk lines follow",
                       "the file was truncated or edited; export again");
    }
    ChunkCheck check(result_.text, result_.doc.parser == kImportedParser);
    size_t begin = 0;
    for (const RawDocument::End& end : raw_.ends) {
      const std::string_view text(raw_.chunk_lines.data() + begin, end.byte - begin);
      begin = end.byte;
      RECALL_TRY(ParseChunkLine({raw_.file, end.line_number, text}, check));
    }
    const std::string objection = SymbolObjection(result_.spans);
    if (objection.empty()) return Status::Ok();
    return LineFault({raw_.file, raw_.doc_line_number, raw_.doc_line}, objection);
  }

  Status ParseChunkLine(const LineRef& line, ChunkCheck& check) {
    RECALL_ASSIGN(JsonRecord record, JsonRecord::Parse(line, ChunkLine::kFields));
    const auto number = [&](size_t field) { return record.Integer(field, 0, kMostInt64); };
    const auto number32 = [&](size_t field) {
      return static_cast<uint32_t>(record.Integer(field, 0, kMostUint32));
    };
    ChunkSpan span;
    span.offset = static_cast<uint64_t>(number(ChunkLine::kOffset));
    span.byte_in_token = number32(ChunkLine::kByteInToken);
    span.tokens = number32(ChunkLine::kTokens);
    span.start_byte = static_cast<uint64_t>(number(ChunkLine::kStartByte));
    span.end_byte = static_cast<uint64_t>(number(ChunkLine::kEndByte));
    span.start_line = number32(ChunkLine::kStartLine);
    span.end_line = number32(ChunkLine::kEndLine);
    span.heading = record.Text(ChunkLine::kHeading);
    if (record.Hash(ChunkLine::kDocId) != result_.doc.id) {
      record.Refuse(ChunkLine::kDocId, "is not the id of the document above");
    }
    if (record.Hash(ChunkLine::kId) !=
        MakeChunkId(result_.doc.id, span.offset, span.byte_in_token)) {
      record.Refuse(ChunkLine::kId, "does not match document id and offset");
    }
    if (take_vectors_) TakeVector(record);
    if (record.Has(ChunkLine::kSymbols)) TakeSymbols(record, &span);
    RECALL_TRY(record.status());
    const std::string objection = check.Objection(span);
    if (!objection.empty()) return LineFault(line, objection);
    result_.spans.push_back(std::move(span));
    return Status::Ok();
  }

  void TakeSymbols(JsonRecord& record, ChunkSpan* span) const {
    const auto list = record.List(ChunkLine::kSymbols);
    if (!list) return;
    if (result_.doc.grammar.empty()) {
      return record.Refuse(ChunkLine::kSymbols, "is of a document without a grammar");
    }
    auto symbols = ParseSymbols(*list);
    if (!symbols) return record.Refuse(ChunkLine::kSymbols, std::string(symbols.error().message()));
    span->symbols = std::move(*symbols);
  }

  void TakeVector(JsonRecord& record) {
    const std::string bytes = record.Base64(ChunkLine::kVector);
    QuantizedVector vector;
    vector.scale = static_cast<float>(record.Number(ChunkLine::kScale));
    if (bytes.size() != space_.padded_dim()) {
      return record.Refuse(ChunkLine::kVector, "has " + std::to_string(bytes.size()) +
                                                   " components, expected " +
                                                   std::to_string(space_.padded_dim()));
    }
    vector.values.assign(bytes.begin(), bytes.end());
    if (vector.scale != UnitScale(vector.values)) {
      return record.Refuse(ChunkLine::kScale, "is not 1 / length of the vector");
    }
    result_.vectors.push_back(std::move(vector));
  }

  const RawDocument& raw_;
  const VectorGeometry& space_;
  bool take_vectors_;
  int64_t chunk_count_ = 0;
  ImportedDocument result_;
};

}  // namespace

Result<ImportedDocument> ParseRecallDocument(const RawDocument& raw, const VectorGeometry& space,
                                             bool take_vectors) {
  return DocumentParser(raw, space, take_vectors).Parse();
}

}  // namespace recall
