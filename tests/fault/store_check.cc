#include "tests/fault/store_check.h"

#include <limits>
#include <map>
#include <set>
#include <utility>

#include "index/base/text/tokenizer.h"
#include "index/search/bitmap/tombstones.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/vector/stored_vectors.h"
#include "index/source/chunk/chunker.h"
#include "index/source/note/document_tokenizer.h"
#include "index/write/ingest/ingest.h"
#include "query/database/database.h"
#include "storage/base/bytes.h"
#include "storage/documents/document_store.h"
#include "storage/metadata/metadata_index.h"
#include "storage/metadata/metadata_values.h"
#include "storage/segment/segment_catalog.h"
#include "storage/sqlite/connection.h"
#include "tests/fault/list_check.h"
#include "tests/fault/note_tables_check.h"
#include "tests/fault/plain_sql.h"
#include "tests/fault/segment_compare.h"

namespace recall {
namespace {

// An invariant as an SQL query that must return no rows.
struct Rule {
  const char* broken;
  const char* sql;
};
constexpr Rule kRules[] = {
    {"a document has not the chunks it says",
     "SELECT doc.id FROM doc LEFT JOIN chunk ON chunk.doc = doc.id GROUP BY doc.id "
     "HAVING count(chunk.id) <> chunk_count OR min(chunk.id) <> first_chunk "
     "OR max(chunk.id) <> first_chunk + chunk_count - 1"},
    {"a chunk has no document", "SELECT id FROM chunk WHERE doc NOT IN (SELECT id FROM doc)"},
    {"a document lacks text blocks",
     "SELECT id FROM doc WHERE (SELECT count(*) FROM text_block WHERE text_block.id BETWEEN "
     "first_block AND first_block + (size + 32767) / 32768 - 1) <> (size + 32767) / 32768"},
    {"there are text blocks of no document",
     "SELECT 1 WHERE (SELECT count(*) FROM text_block) <> "
     "(SELECT total(size + 32767 - (size + 32767) % 32768) / 32768 FROM doc)"},
    {"a chunk row is not below next_chunk",
     "SELECT id FROM chunk WHERE id >= (SELECT value FROM meta WHERE key = 'next_chunk')"},
    {"a text block is not below next_block",
     "SELECT id FROM text_block WHERE id >= (SELECT value FROM meta WHERE key = 'next_block')"},
    {"vec_segment and vec_data differ",
     "SELECT id FROM (SELECT id FROM vec_segment UNION ALL SELECT id FROM vec_data) "
     "GROUP BY id HAVING count(*) <> 2"},
    {"two live versions have one path",
     "SELECT path FROM doc WHERE removed_seq IS NULL GROUP BY path HAVING count(*) > 1"},
    {"a version is newer than the last commit",
     "SELECT id FROM doc WHERE max(added_seq, coalesce(removed_seq, 0)) > "
     "(SELECT value FROM meta WHERE key = 'commit_sequence')"},
};

constexpr std::pair<const char*, const char*> kSums[] = {
    {"docs", "count(*)"},
    {"chunks", "coalesce(sum(chunk_count),0)"},
    {"tokens", "coalesce(sum(tokens),0)"},
    {"lexical_tokens", "coalesce(sum(lexical_tokens),0)"},
    {"text_bytes", "coalesce(sum(size),0)"}};

using Terms = std::map<std::pair<uint32_t, std::string>, std::string>;  // (chunk rowid, column)

class Checker {
 public:
  Checker(const std::string& path, const StoreCheckOptions& options)
      : path_(path), options_(options) {}

  StoreCheckReport Run() {
    Note(CheckTables());
    Note(CheckDocuments());
    Note(CheckSegments());
    return std::move(report_);
  }

 private:
  void Note(const Status& status) {
    if (!status.ok()) report_.faults.push_back(status.ToString());
  }
  void Fault(const std::string& what) { report_.faults.push_back(what); }

  // The invariants that SQL can check.
  Status CheckTables() {
    RECALL_ASSIGN(PlainSql sql, PlainSql::Open(path_));
    RECALL_ASSIGN(const std::string sound,
                  sql.Value(options_.full ? "PRAGMA integrity_check" : "PRAGMA quick_check"));
    if (sound != "ok") Fault("integrity: " + sound);
    for (const Rule& rule : kRules) {
      RECALL_ASSIGN(const std::string found, sql.Value(rule.sql));
      if (!found.empty()) Fault(std::string(rule.broken) + ": " + found);
    }
    for (const auto& [key, sum] : kSums) {
      RECALL_ASSIGN(const std::string kept,
                    sql.Value(std::string("SELECT value FROM meta WHERE key = '") + key + "'"));
      RECALL_ASSIGN(const std::string counted, sql.Value(std::string("SELECT ") + sum +
                                                         " FROM doc WHERE removed_seq IS NULL"));
      if (kept != counted) Fault(std::string(key) + " is " + kept + ", not " + counted);
    }
    RECALL_TRY(CheckHistory(sql));
    RECALL_ASSIGN(report_.note_faults, FaultyNotes(sql));
    for (const std::string& fault : report_.note_faults) Fault(fault);
    RECALL_TRY(sql.Run("INSERT INTO lexicon(lexicon) VALUES('integrity-check')"));
    RECALL_TRY(ReadPostings(sql));
    return ReadMetadataIndex(sql);
  }

  // The counts of every commit since the horizon equal those of its document versions.
  Status CheckHistory(PlainSql& sql) {
    RECALL_ASSIGN(const std::string version, sql.Value("PRAGMA user_version"));
    if (std::stoi(version) < 3) return Status::Ok();
    RECALL_ASSIGN(const std::string horizon,
                  sql.Value("SELECT value FROM meta WHERE key = 'snapshot_horizon'"));
    if (horizon.empty()) return Status::Corruption("meta has no snapshot_horizon");
    horizon_ = std::stoll(horizon);
    RECALL_ASSIGN(const auto rows,
                  sql.Rows("SELECT seq, docs || ' ' || chunks || ' ' || tokens || ' ' || "
                           "lexical_tokens || ' ' || text_bytes FROM commit_log ORDER BY seq"));
    int64_t expected = horizon_;
    for (const PlainSql::Row& row : rows) {
      if (row[0] != std::to_string(expected++)) Fault("commit_log has commit " + row[0]);
      RECALL_ASSIGN(
          const std::string counted,
          sql.Value("SELECT count(*) || ' ' || coalesce(sum(chunk_count), 0) || ' ' || "
                    "coalesce(sum(tokens), 0) || ' ' || coalesce(sum(lexical_tokens), 0) || ' ' || "
                    "coalesce(sum(size), 0) FROM doc WHERE added_seq <= " +
                    row[0] + " AND coalesce(removed_seq, 1e18) > " + row[0]));
      if (row[1] != counted) Fault("commit " + row[0] + " is " + row[1] + ", not " + counted);
    }
    RECALL_ASSIGN(const std::string present,
                  sql.Value("SELECT value FROM meta WHERE key = 'commit_sequence'"));
    if (present != std::to_string(expected - 1)) Fault("commit_log ends before " + present);
    return Status::Ok();
  }

  // The terms of each chunk rowid in the full-text index, in order.
  Status ReadPostings(PlainSql& sql) {
    RECALL_TRY(
        sql.Run("CREATE VIRTUAL TABLE temp.postings USING fts5vocab(main, lexicon, instance)"));
    RECALL_ASSIGN(const auto rows,
                  sql.Rows("SELECT doc, col, term FROM temp.postings ORDER BY doc, col, offset"));
    for (const PlainSql::Row& row : rows) {
      std::string& text = postings_[{static_cast<uint32_t>(std::stoul(row[0])), row[1]}];
      text += (text.empty() ? "" : " ") + row[2];
    }
    RECALL_ASSIGN(const std::vector<std::string> lists, FaultyLists(sql));
    for (const std::string& fault : lists) Fault(fault);
    RECALL_ASSIGN(const std::vector<std::string> words, FaultyWords(sql));
    for (const std::string& fault : words) Fault(fault);
    return Status::Ok();
  }

  Status ReadMetadataIndex(PlainSql& sql) {
    RECALL_ASSIGN(const std::string version, sql.Value("PRAGMA user_version"));
    if (std::stoi(version) < 2) return Status::Ok();
    has_metadata_index_ = true;
    RECALL_ASSIGN(const auto rows,
                  sql.Rows("SELECT doc, key, count(*) FROM doc_meta GROUP BY 1, 2"));
    for (const PlainSql::Row& row : rows) metadata_.insert(row[0] + " " + row[1]);
    return Status::Ok();
  }

  // Texts, and everything that is derived from them.
  Status CheckDocuments() {
    RECALL_ASSIGN(const auto store, Store::Open(path_, {.read_only = true}));
    RECALL_ASSIGN(const auto transaction, store->BeginRead());
    report_.commit_sequence = transaction->counts().commit_sequence;
    report_.docs = transaction->counts().docs;
    report_.chunks = transaction->counts().chunks;
    RECALL_ASSIGN(const auto space, EmbeddingSpace::Open(*transaction));
    RECALL_TRY(space->Load(StoredModels(transaction->connection())));
    space_since_ = space->row().since.value_or(0);
    RECALL_ASSIGN(const auto columns, ChunkColumns::Open(*transaction, space->vectors()));
    StoredVectors vectors(*columns);
    TermBuilder terms(space, kTokenizerVersion);
    RECALL_ASSIGN(std::vector<DocRow> docs, FindLiveDocsUnder(*transaction, ""));
    RECALL_ASSIGN(
        const std::vector<DocRow> removed,
        ListRemovedDocs(*transaction, std::numeric_limits<int64_t>::max(), size_t{1} << 20));
    RECALL_TRY(CheckTombstones(*transaction, removed));
    docs.insert(docs.end(), removed.begin(), removed.end());
    for (const DocRow& doc : docs) {
      Note(CheckDocument(*transaction, doc, terms, vectors).WithContext(doc.path));
    }
    if (!postings_.empty()) {
      Fault("chunk row " + std::to_string(postings_.begin()->first.first) +
            " has postings that no text has");
    }
    if (!metadata_.empty()) Fault("doc_meta holds what no document says: " + *metadata_.begin());
    return CheckVectorPlaces(*transaction, docs);
  }

  Status CheckTombstones(const ReadTransaction& transaction, const std::vector<DocRow>& removed) {
    RECALL_ASSIGN(const Bitmap tombstones, ReadTombstones(transaction));
    Bitmap expected;
    for (const DocRow& doc : removed) {
      if (doc.chunk_count > 0) {
        expected.AddRange(doc.first_chunk, doc.first_chunk + doc.chunk_count - 1);
      }
    }
    if (!(tombstones == expected)) Fault("the tombstones are not the removed chunks");
    return Status::Ok();
  }

  Status CheckDocument(const ReadTransaction& transaction, const DocRow& doc, TermBuilder& builder,
                       StoredVectors& vectors) {
    RECALL_ASSIGN(const std::string text,
                  ReadText(transaction, doc, 0, static_cast<uint64_t>(doc.size)));
    if (text.size() != static_cast<size_t>(doc.size)) Fault(doc.path + ": the text is cut");
    if (doc.parser != kImportedParser && Sha256(text) != doc.hash) {
      Fault(doc.path + ": the text is not that of its hash");
    }
    RECALL_ASSIGN(const auto chunks, ReadChunksOf(transaction, doc));
    std::vector<ChunkSpan> spans;
    for (const ChunkRow& chunk : chunks) {
      if (chunk.end_byte > text.size()) return Status::Corruption("a chunk ends past the text");
      spans.push_back({.start_byte = chunk.start_byte,
                       .end_byte = chunk.end_byte,
                       .start_line = chunk.start_line,
                       .end_line = chunk.end_line,
                       .offset = chunk.offset,
                       .byte_in_token = chunk.byte_in_token,
                       .tokens = chunk.tokens,
                       .heading = chunk.heading});
    }
    RECALL_ASSIGN(const auto terms, builder.Build(doc, text, spans, 0, spans.size()));
    int64_t lexical_tokens = 0;
    LexicalText lexical;
    tokenizer_.Begin(doc.path, doc.parser, doc.meta, doc.language.code, text);
    for (size_t i = 0; i < chunks.size(); ++i) {
      tokenizer_.Analyze(chunks[i].heading, chunks[i].start_byte, TextOf(chunks[i], text),
                         &lexical);
      CheckTerms(chunks[i], lexical);
      lexical_tokens += chunks[i].lexical_tokens;
      const bool needed = NeedsVector(doc);
      if (needed) RECALL_TRY(CheckVector(chunks[i], terms.vectors[i], vectors));
    }
    if (lexical_tokens != doc.lexical_tokens)
      Fault(doc.path + ": its lexical tokens do not add up");
    if (doc.meta && !doc.removed_sequence) CheckMetadata(doc);
    return Status::Ok();
  }

  static std::string_view TextOf(const ChunkRow& chunk, std::string_view text) {
    return text.substr(chunk.start_byte, chunk.end_byte - chunk.start_byte);
  }

  // True if a readable commit since the last change of the vector space contains the document.
  bool NeedsVector(const DocRow& doc) const {
    return !doc.removed_sequence || *doc.removed_sequence > std::max(horizon_, space_since_);
  }

  void CheckTerms(const ChunkRow& chunk, const LexicalText& lexical) {
    const std::string name = "chunk row " + std::to_string(chunk.row);
    if (chunk.lexical_tokens != lexical.tokens) Fault(name + " has another number of tokens");
    for (const auto& [column, words] :
         {std::pair{"body", &lexical.body}, std::pair{"compound", &lexical.compound}}) {
      const auto found = postings_.find({chunk.row, column});
      const std::string stored = found == postings_.end() ? "" : found->second;
      if (stored != *words) Fault(name + " has other postings in " + column);
      if (found != postings_.end()) postings_.erase(found);
    }
  }

  Status CheckVector(const ChunkRow& chunk, const QuantizedVector& expected,
                     StoredVectors& vectors) {
    RECALL_ASSIGN(const StoredVectors::View view, vectors.Find(chunk.row));
    if (view.scale != expected.scale ||
        !std::equal(view.values.begin(), view.values.end(), expected.values.begin(),
                    expected.values.end())) {
      Fault("chunk row " + std::to_string(chunk.row) + " has another vector");
    }
    return Status::Ok();
  }

  void CheckMetadata(const DocRow& doc) {
    if (!has_metadata_index_) return;
    for (const MetaEntry& entry : MetadataEntries(*doc.meta)) {
      if (metadata_.erase(std::to_string(doc.row) + " " + entry.key) == 0) {
        Fault(doc.path + ": doc_meta lacks " + entry.key);
      }
    }
  }

  // Each chunk of a version that needs vectors has exactly one; no other chunk has more than one.
  Status CheckVectorPlaces(const ReadTransaction& transaction, const std::vector<DocRow>& docs) {
    std::map<uint32_t, int> places;
    RECALL_ASSIGN(const auto tail, transaction.Delta());
    for (const auto& record : tail) ++places[record.chunk];
    RECALL_ASSIGN(const auto segments, transaction.Segments());
    for (const auto& segment : segments) {
      RECALL_ASSIGN(const SectionView* ids, segment->Section(SectionKind::kChunkIds));
      for (uint32_t i = 0; i < ids->items(); ++i) {
        ++places[segment->info().min_chunk + LoadLittle<uint32_t>(ids->item(i))];
      }
    }
    for (const DocRow& doc : docs) {
      for (uint32_t i = 0; i < doc.chunk_count; ++i) {
        const auto found = places.find(doc.first_chunk + i);
        const int times = found == places.end() ? 0 : found->second;
        // Compaction removes the vectors that no commit needs, and later their rows.
        const bool needed = NeedsVector(doc);
        if (times > 1 || (times == 0 && needed)) {
          Fault(doc.path + ": a chunk has " + std::to_string(times) + " vectors");
        }
        if (found != places.end()) places.erase(found);
      }
    }
    if (!places.empty()) {
      Fault("chunk row " + std::to_string(places.begin()->first) + " has a vector but no document");
    }
    return Status::Ok();
  }

  // Verifies all checksums of every segment, and compares mapped with copied bytes.
  Status CheckSegments() {
    RECALL_ASSIGN(const auto catalog, SegmentCatalog::Open(path_, true));
    RECALL_ASSIGN(const auto copying, SegmentCatalog::Open(path_, false));
    RECALL_ASSIGN(const auto connection, Connection::Open(path_, {}));
    RECALL_TRY(catalog->BeginRead(*connection));
    RECALL_TRY(catalog->Check(*connection));
    RECALL_ASSIGN(const auto mapped, catalog->OpenSegments(*connection));
    RECALL_ASSIGN(const auto copied, copying->OpenSegments(*connection));
    report_.segments = static_cast<int64_t>(mapped.size());
    for (size_t i = 0; i < mapped.size(); ++i) {
      report_.mapped_segments += mapped[i]->mapped() ? 1 : 0;
      Note(CompareSegment(*mapped[i], *copied.at(i)));
    }
    if (catalog->counters().page_mismatches > 0) Fault("a page is not what the page map says");
    return Status::Ok();
  }

  std::string path_;
  StoreCheckOptions options_;
  StoreCheckReport report_;
  Terms postings_;
  DocumentTokenizer tokenizer_{kTokenizerVersion};
  bool has_metadata_index_ = false;
  // The oldest commit that can be read; greater than every commit if the store keeps no history.
  int64_t horizon_ = std::numeric_limits<int64_t>::max();
  int64_t space_since_ = 0;         // the commit that activated the vector space
  std::set<std::string> metadata_;  // "doc key"
};

Result<std::string> DescribeSearch(Database& database, SearchMode mode, const std::string& text,
                                   const std::string& snapshot) {
  SearchRequest request;
  request.scope.snapshot = snapshot;
  request.text = text;
  request.mode = mode;
  request.k = 20;
  RECALL_ASSIGN(const SearchResponse response, database.Search(request));
  std::string lines = "search " + text + ": " + std::to_string(response.total_hits) + "\n";
  for (const SearchHit& hit : response.hits) {
    lines += std::to_string(hit.score) + " " + hit.doc.path + " " + hit.chunk.id + "\n";
  }
  return lines;
}

// What is derived of notes, as of the end of time, as queries read it.
Result<std::string> DescribeNotes(Database& database, const std::string& snapshot) {
  QueryRequest request;
  request.rql =
      "SELECT doc.path, doc.kind, doc.status, doc.lifecycle, doc.uses, doc.used_at, "
      "doc.consolidation, doc.due, doc.interval, doc.easiness, doc.reviews, doc.links, "
      "doc.backlinks, doc.link.any, doc.backlink.any FROM doc";
  request.snapshot = snapshot;
  request.as_of = std::numeric_limits<UnixNanos>::max();
  RECALL_ASSIGN(const QueryResponse response, database.Query(request));
  std::string lines;
  for (const QueryRow& row : response.rows) {
    lines += row.doc.path;
    for (const ComputedValue& value : row.doc.computed) lines += " " + value.json;
    lines += "\n";
  }
  return lines;
}

}  // namespace

StoreCheckReport CheckStore(const std::string& path, const StoreCheckOptions& options) {
  return Checker(path, options).Run();
}

Result<std::string> DescribeStore(const std::string& path, const std::string& snapshot) {
  RECALL_ASSIGN(const auto database, Database::Open(path, {.read_only = true}));
  std::string description;
  ExportRequest everything;
  everything.scope.snapshot = snapshot;
  RECALL_TRY(internal::ToStatus(database->Export(everything, [&](std::string_view piece) {
    description += piece;
    return Status::Ok();
  })));
  for (const char* text : {"alpha beta", "gamma", "memory vector"}) {
    for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical}) {
      RECALL_ASSIGN(const std::string found, DescribeSearch(*database, mode, text, snapshot));
      description += found;
    }
  }
  RECALL_ASSIGN(const std::string notes, DescribeNotes(*database, snapshot));
  return description + notes;
}

Result<std::string> DescribeRemains(const std::string& path) {
  RECALL_ASSIGN(PlainSql sql, PlainSql::Open(path));
  std::string remains;
  for (const char* query :
       {"SELECT path, size FROM doc WHERE removed_seq IS NOT NULL ORDER BY id",
        "SELECT count(*) FROM doc WHERE removed_seq > "
        "(SELECT value FROM meta WHERE key = 'snapshot_horizon')",
        "SELECT vectors, min_chunk, max_chunk FROM vec_segment ORDER BY min_chunk",
        "SELECT count(*) FROM vec_tail"}) {
    RECALL_ASSIGN(const auto rows, sql.Rows(query));
    for (const PlainSql::Row& row : rows) {
      for (const std::string& cell : row) remains += cell + " ";
    }
    remains += "\n";
  }
  RECALL_ASSIGN(const std::string lists, DescribeLists(sql));
  RECALL_ASSIGN(const std::string words, DescribeWords(sql));
  return remains + lists + words;
}

Result<std::string> PresentToken(const std::string& path) {
  RECALL_ASSIGN(const auto database, Database::Open(path, {.read_only = true}));
  RECALL_ASSIGN(const StatsReport stats, database->Stats());
  return stats.store.snapshot;
}

std::string JoinFaults(const std::vector<std::string>& faults) {
  std::string joined;
  for (const std::string& fault : faults) joined += (joined.empty() ? "" : "; ") + fault;
  return joined;
}

}  // namespace recall
