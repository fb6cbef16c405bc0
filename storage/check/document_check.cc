#include "storage/check/document_check.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "storage/base/checked_math.h"
#include "storage/check/label_check.h"
#include "storage/check/text_check.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/doc_origin.h"
#include "storage/tables/language_table.h"

namespace recall {
namespace {

std::string DocName(int64_t row, std::string_view path) {
  return std::string(path) + " (document row " + std::to_string(row) + ")";
}

std::string ChunkName(int64_t row) { return "chunk rowid " + std::to_string(row); }

// ---- doc --------------------------------------------------------------------------------------

std::string CheckedDocSql(bool has_origins) {
  return std::string(
             "SELECT id, path, hash, size, parser, first_chunk, chunk_count, first_block, tokens, "
             "lexical_tokens, added_seq, removed_seq, key, mtime, tag, source, meta, ") +
         (has_origins ? "origin" : "'file'") + " FROM doc NOT INDEXED ORDER BY id";
}

// The reason why a row of doc is invalid; empty if it is valid.
std::string DocObjection(const Statement& row) {
  constexpr int64_t kRows = int64_t{1} << 32;
  if (!row.ColumnIsText(1)) return "its path is not text";
  if (!row.ColumnIsBlob(2) || row.ColumnBlob(2).size() != sizeof(Digest)) {
    return "its hash does not have 32 bytes";
  }
  constexpr const char* kNumbers[] = {"size",        "",       "first_chunk",    "chunk_count",
                                      "first_block", "tokens", "lexical_tokens", "added_seq"};
  for (int column = 3; column <= 10; ++column) {
    if (column == 4) continue;
    if (row.ColumnIsInteger(column) && row.ColumnInt(column) >= 0) continue;
    return std::string("its ") + kNumbers[column - 3] +
           " is invalid: " + std::string(row.ColumnText(column));
  }
  const int64_t first_chunk = row.ColumnInt(5);
  const int64_t chunk_count = row.ColumnInt(6);
  if (first_chunk > kRows || chunk_count > kRows - first_chunk) {
    return "its chunk rowids are out of range: " + std::to_string(first_chunk) + " + " +
           std::to_string(chunk_count);
  }
  int64_t block_end = 0;
  if (!CheckedAdd(row.ColumnInt(7), row.ColumnInt(3), &block_end))
    return "it has too many text blocks";
  if (!row.ColumnIsNull(11) && !row.ColumnIsInteger(11)) return "its removed_seq is not a number";
  if (!row.ColumnIsNull(11) && row.ColumnInt(11) < row.ColumnInt(10)) {
    return "it was removed by commit " + std::to_string(row.ColumnInt(11)) +
           ", before it was added";
  }
  return "";
}

bool IsNameOfParser(std::string_view name) {
  return name == "plain" || name == "markdown" || name == "code" || name == kNoteParser ||
         name == kSessionParser || name == kImportedParser;
}

// The reason why a value that nothing else depends on is invalid; empty if all are valid. The
// document is checked and repaired nevertheless.
std::string ValueObjection(const Statement& row) {
  if (!row.ColumnIsText(4) || !IsNameOfParser(row.ColumnText(4))) {
    return "its parser is unknown: " + std::string(row.ColumnText(4));
  }
  return LabelObjection(row, 13);
}

Digest HashOf(const Statement& row) {
  Digest hash{};
  const ByteSpan bytes = row.ColumnBlob(2);
  std::copy(bytes.begin(), bytes.end(), hash.begin());
  return hash;
}

// Requires: DocObjection(row) is empty.
CheckedDoc DocOf(const Statement& row, const std::string& name) {
  CheckedDoc doc;
  doc.row = row.ColumnInt(0);
  doc.name = name;
  doc.path = row.ColumnText(1);
  doc.hash = HashOf(row);
  doc.id = MakeDocId(row.ColumnText(1), doc.hash);
  doc.size = row.ColumnInt(3);
  doc.parser = row.ColumnText(4);
  doc.imported = doc.parser == kImportedParser;
  doc.first_chunk = static_cast<uint32_t>(
      std::min<int64_t>(row.ColumnInt(5), std::numeric_limits<uint32_t>::max()));
  doc.chunk_count = static_cast<uint32_t>(row.ColumnInt(6));
  doc.first_block = row.ColumnInt(7);
  doc.tokens = row.ColumnInt(8);
  doc.lexical_tokens = row.ColumnInt(9);
  doc.added = row.ColumnInt(10);
  doc.removed = row.ColumnOptionalInt(11);
  doc.other_key = row.ColumnInt(12) != IdSortKey(doc.id);
  return doc;
}

Status ReadDocs(CheckRun& run, DocumentFacts* facts) {
  RECALL_ASSIGN(const bool has_origins, RecordsOrigins(run.connection()));
  RECALL_ASSIGN(Statement select, run.connection().Prepare(CheckedDocSql(has_origins)));
  facts->all_read = true;
  for (;;) {
    RECALL_ASSIGN(const bool found, select.Step());
    if (!found) return Status::Ok();
    // Before any text is read, because that converts a value and loses its type.
    const std::string objection = DocObjection(select);
    const std::string name = DocName(select.ColumnInt(0), select.ColumnText(1));
    if (!objection.empty()) {
      run.findings().Add(FindingCode::kDocRow, name, objection);
      facts->all_read = false;
      continue;
    }
    if (const std::string value = ValueObjection(select); !value.empty()) {
      run.findings().Add(FindingCode::kDocRow, name, value);
    }
    CheckedDoc doc = DocOf(select, name);
    if (doc.other_key) {
      run.findings().Add(FindingCode::kDocKey, name,
                         "found " + std::to_string(select.ColumnInt(12)) + ", expected " +
                             std::to_string(IdSortKey(doc.id)));
    }
    (doc.live() ? facts->live_docs : facts->removed_docs) += 1;
    (doc.live() ? facts->live_chunks : facts->removed_chunks) += doc.chunk_count;
    facts->docs.push_back(std::move(doc));
  }
}

// Marks the documents that were cut by a grammar. Requires: facts->docs is sorted by row.
Status ReadGrammars(CheckRun& run, DocumentFacts* facts) {
  RECALL_ASSIGN(Statement select, run.connection().Prepare("SELECT doc FROM code_grammar"));
  for (;;) {
    RECALL_ASSIGN(const bool found, select.Step());
    if (!found) return Status::Ok();
    const auto doc =
        std::ranges::lower_bound(facts->docs, select.ColumnInt(0), {}, &CheckedDoc::row);
    if (doc != facts->docs.end() && doc->row == select.ColumnInt(0)) doc->has_grammar = true;
  }
}

// Sets the languages of documents. Requires: facts->docs is sorted by row.
Status ReadLanguages(CheckRun& run, DocumentFacts* facts) {
  RECALL_ASSIGN(Statement select,
                run.connection().Prepare("SELECT doc, lang, given FROM doc_language ORDER BY doc"));
  for (;;) {
    RECALL_ASSIGN(const bool found, select.Step());
    if (!found) return Status::Ok();
    const auto doc =
        std::ranges::lower_bound(facts->docs, select.ColumnInt(0), {}, &CheckedDoc::row);
    const std::string where = "document row " + std::to_string(select.ColumnInt(0));
    if (doc == facts->docs.end() || doc->row != select.ColumnInt(0)) {
      if (!facts->all_read) continue;
      run.findings().Add(FindingCode::kLanguages, where, "the document does not exist");
    } else if (!select.ColumnIsText(1) || !IsLanguageValue(select.ColumnText(1))) {
      run.findings().Add(FindingCode::kLanguages, where,
                         "its language is no code: " + std::string(select.ColumnText(1)));
    } else {
      doc->language = select.ColumnText(1);
    }
  }
}

// Marks the documents whose trigrams are recorded. Requires: facts->docs is sorted by row.
Status ReadGramRows(CheckRun& run, DocumentFacts* facts) {
  RECALL_ASSIGN(Statement select, run.connection().Prepare("SELECT doc FROM text_grams"));
  for (;;) {
    RECALL_ASSIGN(const bool found, select.Step());
    if (!found) return Status::Ok();
    const auto doc =
        std::ranges::lower_bound(facts->docs, select.ColumnInt(0), {}, &CheckedDoc::row);
    if (doc != facts->docs.end() && doc->row == select.ColumnInt(0)) {
      doc->has_grams = true;
    } else if (facts->all_read) {
      run.findings().Add(FindingCode::kTextGrams,
                         "document row " + std::to_string(select.ColumnInt(0)),
                         "the document does not exist");
    }
  }
}

Status CheckPaths(CheckRun& run) {
  RECALL_ASSIGN(Statement select,
                run.connection().Prepare("SELECT path, count(*), min(id), max(id) FROM doc "
                                         "NOT INDEXED WHERE removed_seq IS NULL "
                                         "GROUP BY path HAVING count(*) > 1"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    run.findings().Add(FindingCode::kDuplicatePath, std::string(select.ColumnText(0)),
                       "document rows " + std::to_string(select.ColumnInt(2)) + " and " +
                           std::to_string(select.ColumnInt(3)));
  }
}

// ---- chunk ------------------------------------------------------------------------------------

constexpr const char* kChunkSql =
    "SELECT id, doc, start_byte, end_byte, start_line, end_line, offset, byte_in_token, tokens, "
    "lexical_tokens, heading, key FROM chunk ORDER BY id";

std::string ChunkObjection(const Statement& row, const CheckedDoc& doc) {
  constexpr int64_t kMaxU32 = std::numeric_limits<uint32_t>::max();
  constexpr const char* kNames[] = {"start_byte", "end_byte",      "start_line", "end_line",
                                    "offset",     "byte_in_token", "tokens",     "lexical_tokens"};
  for (int column = 2; column <= 9; ++column) {
    const int64_t value = row.ColumnInt(column);
    const bool wide = column == 2 || column == 3 || column == 6;
    if (row.ColumnIsInteger(column) && value >= 0 && (wide || value <= kMaxU32)) continue;
    return std::string("its ") + kNames[column - 2] +
           " is invalid: " + std::string(row.ColumnText(column));
  }
  if (!row.ColumnIsText(10)) return "its heading is not text";
  if (row.ColumnInt(2) > row.ColumnInt(3) || row.ColumnInt(3) > doc.size) {
    return "its bytes " + std::to_string(row.ColumnInt(2)) + " to " +
           std::to_string(row.ColumnInt(3)) + " are not in the text of " +
           std::to_string(doc.size) + " bytes";
  }
  if (row.ColumnInt(4) < 1 || row.ColumnInt(4) > row.ColumnInt(5)) {
    return "its lines are invalid: " + std::to_string(row.ColumnInt(4)) + " to " +
           std::to_string(row.ColumnInt(5));
  }
  return "";
}

// Visits all chunks in parallel with the documents, which are sorted by first chunk rowid.
class ChunkWalk final {
 public:
  ChunkWalk(CheckRun& run, const DocumentFacts& facts)
      : run_(run), docs_(facts.docs), all_docs_(facts.all_read) {}

  Status Run() {
    RECALL_ASSIGN(Statement select, run_.connection().Prepare(kChunkSql));
    for (;;) {
      RECALL_ASSIGN(const bool row, select.Step());
      if (!row) break;
      Visit(select);
    }
    while (at_ < docs_.size()) Leave();
    return Status::Ok();
  }

 private:
  void Visit(const Statement& chunk) {
    const int64_t row = chunk.ColumnInt(0);
    while (at_ < docs_.size() && row >= int64_t{docs_[at_].first_chunk} + docs_[at_].chunk_count) {
      Leave();
    }
    const bool inside = at_ < docs_.size() && row >= docs_[at_].first_chunk;
    if (!inside && !all_docs_) return;  // it may belong to a document whose row is damaged
    if (!inside || chunk.ColumnInt(1) != docs_[at_].row) {
      run_.findings().Add(FindingCode::kChunkOrphan, ChunkName(row),
                          "it names document row " + std::to_string(chunk.ColumnInt(1)) +
                              (inside ? ", but its rowid is in the range of document row " +
                                            std::to_string(docs_[at_].row)
                                      : ", which does not list it"));
      return;
    }
    ++found_;
    const CheckedDoc& doc = docs_[at_];
    const std::string objection = ChunkObjection(chunk, doc);
    if (!objection.empty()) {
      run_.findings().Add(FindingCode::kChunkRow, ChunkName(row), objection);
      return;
    }
    const Digest id = MakeChunkId(doc.id, static_cast<uint64_t>(chunk.ColumnInt(6)),
                                  static_cast<uint64_t>(chunk.ColumnInt(7)));
    if (chunk.ColumnInt(11) == IdSortKey(id)) return;
    ++other_keys_;
    run_.findings().Add(FindingCode::kChunkKey, ChunkName(row),
                        "found " + std::to_string(chunk.ColumnInt(11)) + ", expected " +
                            std::to_string(IdSortKey(id)));
  }

  // The key of a document and those of its chunks were made of path and hash when it was added. If
  // none matches, they are what is left of the right value, unless SQLite's index has the path,
  // too: then the path is repaired (label_check.h).
  bool IndexHasOtherPath(const CheckedDoc& doc) {
    const auto has = [&]() -> Result<bool> {
      RECALL_ASSIGN(Statement select,
                    run_.connection().Prepare("SELECT path FROM doc NOT INDEXED WHERE id = ?1"));
      select.BindInt(1, doc.row);
      RECALL_TRY(select.Step());
      RECALL_ASSIGN(Statement find,
                    run_.connection().Prepare("SELECT 1 FROM doc INDEXED BY doc_live_path WHERE "
                                              "removed_seq IS NULL AND path = ?1 AND id = ?2"));
      find.BindText(1, select.ColumnText(0));
      find.BindInt(2, doc.row);
      return find.Step();
    };
    return doc.live() && !has().value_or(true);
  }

  void Leave() {
    const CheckedDoc& doc = docs_[at_];
    if (found_ != doc.chunk_count) {
      run_.findings().Add(
          FindingCode::kDocChunks, "document row " + std::to_string(doc.row),
          "found " + std::to_string(found_) + " of " + std::to_string(doc.chunk_count) + " chunks");
    }
    const bool none_matches =
        doc.other_key && doc.chunk_count > 0 && other_keys_ == doc.chunk_count;
    if (none_matches && !IndexHasOtherPath(doc)) {
      run_.findings().Add(FindingCode::kDocRow, doc.name,
                          "its path or its hash is not that of which its keys were made");
      run_.findings().Forbid(Repair::kKeys, "the path or the hash of " + doc.name +
                                                " contradicts all keys that were made of them");
    }
    other_keys_ = 0;
    found_ = 0;
    ++at_;
  }

  CheckRun& run_;
  const std::vector<CheckedDoc>& docs_;
  const bool all_docs_;
  size_t at_ = 0;
  uint32_t found_ = 0;       // chunks of the current document
  uint32_t other_keys_ = 0;  // chunks of it whose key is not that of its path and hash
};

template <typename Work>
Status FixRows(Connection& connection, const char* select_sql, const char* update_sql, Work work) {
  RECALL_ASSIGN(Statement select, connection.Prepare(select_sql));
  RECALL_ASSIGN(Statement update, connection.Prepare(update_sql));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    const int64_t key = work(select);
    if (key == select.ColumnInt(1)) continue;
    update.BindInt(1, select.ColumnInt(0));
    update.BindInt(2, key);
    RECALL_TRY(update.Run());
  }
}

}  // namespace

Result<DocumentFacts> CheckDocuments(CheckRun& run) {
  DocumentFacts facts;
  if (!run.HasTable("doc")) return facts;
  const Status read = ReadDocs(run, &facts);
  if (!read.ok()) facts.all_read = false;
  RECALL_TRY(run.Absorb(read, FindingCode::kSqliteDamage, "table doc"));
  if (run.HasTable("code_grammar")) {
    const Status grammars = ReadGrammars(run, &facts);
    RECALL_TRY(run.Absorb(grammars, FindingCode::kSymbols, "table code_grammar"));
  }
  if (run.HasTable("doc_language")) {
    const Status languages = ReadLanguages(run, &facts);
    RECALL_TRY(run.Absorb(languages, FindingCode::kLanguages, "table doc_language"));
  }
  if (run.HasTable("text_grams")) {
    const Status grams = ReadGramRows(run, &facts);
    RECALL_TRY(run.Absorb(grams, FindingCode::kTextGrams, "table text_grams"));
  }
  RECALL_TRY(run.Absorb(CheckPaths(run), FindingCode::kSqliteDamage, "table doc"));
  if (run.HasTable("text_block")) {
    const Status assigned = AssignTextBlocks(run, &facts);
    RECALL_TRY(run.Absorb(assigned, FindingCode::kSqliteDamage, "table text_block"));
  }
  std::ranges::sort(facts.docs, {}, [](const CheckedDoc& doc) {
    return std::tuple(doc.first_chunk, doc.chunk_count, doc.row);
  });
  if (!run.HasTable("chunk")) return facts;
  const Status walked = ChunkWalk(run, facts).Run();
  RECALL_TRY(run.Absorb(walked, FindingCode::kSqliteDamage, "table chunk"));
  return facts;
}

Result<std::optional<std::string>> ReadCheckedMeta(Connection& connection, const CheckedDoc& doc) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT meta FROM doc WHERE id = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, doc.row);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row || !select->ColumnIsText(0)) return std::nullopt;
  return std::string(select->ColumnText(0));
}

Result<std::vector<ChunkRow>> ReadCheckedChunks(Connection& connection, const CheckedDoc& doc) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT id, doc, start_byte, end_byte, start_line, end_line, "
                                  "offset, byte_in_token, tokens, lexical_tokens, heading "
                                  "FROM chunk WHERE id BETWEEN ?1 AND ?2 AND doc = ?3 "
                                  "ORDER BY id"));
  const StatementScope select(cached);
  select->BindInt(1, doc.first_chunk);
  select->BindInt(2, int64_t{doc.first_chunk} + doc.chunk_count - 1);
  select->BindInt(3, doc.row);
  std::vector<ChunkRow> chunks;
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return chunks;
    if (!ChunkObjection(*select, doc).empty()) continue;
    chunks.push_back({.row = static_cast<uint32_t>(select->ColumnInt(0)),
                      .doc_row = doc.row,
                      .start_byte = static_cast<uint64_t>(select->ColumnInt(2)),
                      .end_byte = static_cast<uint64_t>(select->ColumnInt(3)),
                      .start_line = static_cast<uint32_t>(select->ColumnInt(4)),
                      .end_line = static_cast<uint32_t>(select->ColumnInt(5)),
                      .offset = static_cast<uint64_t>(select->ColumnInt(6)),
                      .byte_in_token = static_cast<uint32_t>(select->ColumnInt(7)),
                      .tokens = static_cast<uint32_t>(select->ColumnInt(8)),
                      .lexical_tokens = static_cast<uint32_t>(select->ColumnInt(9)),
                      .heading = std::string(select->ColumnText(10))});
  }
}

Status RepairKeys(Connection& connection) {
  RECALL_TRY(FixRows(connection, "SELECT id, key, hash, path FROM doc NOT INDEXED ORDER BY id",
                     "UPDATE doc SET key = ?2 WHERE id = ?1", [](const Statement& doc) {
                       if (doc.ColumnBlob(2).size() != sizeof(Digest)) return doc.ColumnInt(1);
                       return IdSortKey(MakeDocId(doc.ColumnText(3), HashOf(doc)));
                     }));
  return FixRows(connection,
                 "SELECT chunk.id, chunk.key, doc.hash, doc.path, chunk.offset, "
                 "chunk.byte_in_token FROM chunk JOIN doc ON doc.id = chunk.doc ORDER BY chunk.id",
                 "UPDATE chunk SET key = ?2 WHERE id = ?1", [](const Statement& chunk) {
                   if (chunk.ColumnBlob(2).size() != sizeof(Digest)) return chunk.ColumnInt(1);
                   const Digest doc = MakeDocId(chunk.ColumnText(3), HashOf(chunk));
                   return IdSortKey(MakeChunkId(doc, static_cast<uint64_t>(chunk.ColumnInt(4)),
                                                static_cast<uint64_t>(chunk.ColumnInt(5))));
                 });
}

}  // namespace recall
