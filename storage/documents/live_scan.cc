#include "storage/documents/live_scan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <type_traits>

#include "storage/base/ids.h"
#include "storage/btree/index_scan.h"
#include "storage/metadata/metadata_index.h"
#include "storage/metadata/metadata_values.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/doc_origin.h"
#include "storage/tables/language_table.h"

namespace recall {
namespace {

// Filters are evaluated as sets of chunk rowids. Each condition of a filter needs one pass over the
// values of one column, with the chunk rowids of the documents that have them. The scan must not
// touch the rows of the documents, which are wide and scattered.
//
// The idea: the columns that filters mostly test have indexes that also contain first_chunk and
// chunk_count, so SQLite answers from the index alone (a covering index):
//
//   doc_live_tag  | tag     | first_chunk | chunk_count | removed_seq | id |
//                 | "draft" |        1200 |          14 |        NULL | 87 |   -> rows 1200 .. 1213
//
// Columns without an index (hash, size, parser, all of meta) are read from the rows in their order:
// NOT INDEXED, because a look-up per index entry would read the table in another order.
//
// Each statement exists twice, for chunk rowids and for document rows (RowUnit).
//
// Invariants: the statements name the tables without a schema, so that in a snapshot they read its
// views (storage/history/snapshot_view.h). A span from the file is checked before it is passed on:
// a few wrong bytes must not produce a set of 2^32 rows.
//
// Patterns scan the indexes on texts from end to end. Those are read past SQLite where that is
// sound (storage/btree).
//
// Cost: about 0.1 to 0.2 microseconds a document in the range of the condition; by ScanTextIndex a
// tenth of that.

constexpr int64_t kRows = int64_t{1} << 32;

// One statement for each unit. Columns 0 and 1 are the span; the requested columns follow.
using UnitSql = std::array<const char*, 2>;
#define RECALL_DOC_SQL(columns, condition)                                                     \
  {                                                                                            \
    "SELECT first_chunk, chunk_count" columns " FROM doc WHERE removed_seq IS NULL" condition, \
        "SELECT id, 1" columns " FROM doc WHERE removed_seq IS NULL" condition                 \
  }
#define RECALL_META_SQL(columns, condition)                                               \
  {                                                                                       \
    "SELECT first_chunk, chunk_count" columns " FROM doc_meta WHERE key = ?1 " condition, \
        "SELECT doc, 1" columns " FROM doc_meta WHERE key = ?1 " condition                \
  }

// Columns that no index contains are read from the rows in their order; through an index each row
// would be a look-up.
#define RECALL_ROW_SQL(columns, condition)                                                 \
  {                                                                                        \
    "SELECT first_chunk, chunk_count" columns                                              \
    " FROM doc NOT INDEXED WHERE removed_seq IS NULL" condition,                           \
        "SELECT id, 1" columns " FROM doc NOT INDEXED WHERE removed_seq IS NULL" condition \
  }

constexpr UnitSql kLiveDocs = RECALL_DOC_SQL("", "");
// In the order of doc_live_mtime.
constexpr UnitSql kLiveDocsByMtime = {
    "SELECT first_chunk, chunk_count FROM doc INDEXED BY doc_live_mtime WHERE removed_seq IS NULL "
    "ORDER BY mtime, first_chunk, chunk_count",
    "SELECT id, 1 FROM doc INDEXED BY doc_live_mtime WHERE removed_seq IS NULL "
    "ORDER BY mtime, first_chunk, chunk_count"};
// Ascending, descending.
constexpr const char* kPaths[] = {
    "SELECT first_chunk, chunk_count, path, id FROM doc WHERE removed_seq IS NULL ORDER BY path",
    "SELECT first_chunk, chunk_count, path, id FROM doc WHERE removed_seq IS NULL "
    "ORDER BY path DESC"};
constexpr UnitSql kMtimes = RECALL_DOC_SQL(", mtime", " AND mtime >= ?1 AND mtime <= ?2");
// From the index doc_session, which stores of formats before 14 do not have.
constexpr UnitSql kSessions = RECALL_DOC_SQL("", " AND parser = 'session'");
constexpr UnitSql kWithoutMtime = RECALL_DOC_SQL("", " AND mtime IS NULL");
// Indexed by IndexedText, DocText, DocNumber.
constexpr UnitSql kIndexedTexts[] = {
    RECALL_DOC_SQL(", path", " AND path >= ?1 AND path < ?2"),
    RECALL_DOC_SQL(", tag", " AND tag >= ?1 AND tag < ?2"),
    RECALL_DOC_SQL(", source", " AND source >= ?1 AND source < ?2"),
};
constexpr UnitSql kDocTexts[] = {
    RECALL_ROW_SQL(", path, hash", ""),
    RECALL_ROW_SQL(", hash", ""),
    RECALL_ROW_SQL(", meta", " AND meta IS NOT NULL"),
    RECALL_ROW_SQL(", parser", ""),
    RECALL_ROW_SQL(", origin", ""),
    // Of a store without the table: kNoLanguages.
    {"SELECT first_chunk, chunk_count, lang FROM doc_language JOIN doc "
     "ON doc.id = doc_language.doc WHERE removed_seq IS NULL AND lang <> ''",
     "SELECT doc_language.doc, 1, lang FROM doc_language JOIN doc "
     "ON doc.id = doc_language.doc WHERE removed_seq IS NULL AND lang <> ''"},
};
constexpr UnitSql kNoLanguages = RECALL_ROW_SQL(", NULL", " AND 0");
constexpr UnitSql kInferredOrigins =
    RECALL_ROW_SQL(", " RECALL_INFERRED_ORIGIN("mtime", "path"), "");
constexpr UnitSql kDocNumbers[] = {
    RECALL_ROW_SQL(", size", ""),
    RECALL_ROW_SQL(", tokens", ""),
    RECALL_DOC_SQL(", chunk_count", ""),
};
constexpr UnitSql kMetaKey = RECALL_META_SQL("", "");
constexpr UnitSql kMetaValues = RECALL_META_SQL(", kind, value", "AND kind IN (1, 2, 3)");
constexpr UnitSql kMetaTexts =
    RECALL_META_SQL(", value", "AND kind = ?2 AND value >= ?3 AND value < ?4");
constexpr UnitSql kMetaNumbers =
    RECALL_META_SQL(", value", "AND kind = ?2 AND value >= ?3 AND value <= ?4");

// The indexes of kIndexedTexts, as the schema defines them. Their records are text, first_chunk,
// chunk_count, removed_seq and id.
constexpr IndexDefinition kTextIndexes[] = {
    {"doc_live_path",
     "CREATE INDEX doc_live_path ON doc(path, first_chunk, chunk_count, removed_seq)\n"
     "  WHERE removed_seq IS NULL",
     4},
    {"doc_live_tag",
     "CREATE INDEX doc_live_tag ON doc(tag, first_chunk, chunk_count, removed_seq)\n"
     "  WHERE removed_seq IS NULL AND tag IS NOT NULL",
     4},
    {"doc_live_source",
     "CREATE INDEX doc_live_source ON doc(source, first_chunk, chunk_count, removed_seq)\n"
     "  WHERE removed_seq IS NULL AND source IS NOT NULL",
     4},
};

// The narrowest index that contains all live documents. Its records are mtime, first_chunk,
// chunk_count, removed_seq and id.
constexpr IndexDefinition kMtimeIndex = {
    "doc_live_mtime",
    "CREATE INDEX doc_live_mtime ON doc(mtime, first_chunk, chunk_count, removed_seq)\n"
    "  WHERE removed_seq IS NULL",
    5, /*has_text=*/false};

Status ImpossibleRows(const ReadTransaction& transaction, RowUnit unit, int64_t first,
                      int64_t count) {
  const std::string& path = transaction.connection().path();
  if (unit == RowUnit::kDocs && first >= kRows) {
    return Status::LimitExceeded(path + ": document row " + std::to_string(first) +
                                     " exceeds the 32 bits that filters support",
                                 "export the store and import it into a new one");
  }
  return Status::Corruption(path + ": a document has the invalid rowids " + std::to_string(first) +
                                " + " + std::to_string(count),
                            "run `recall doctor`, or restore the store from a backup");
}

// The span of rows that a record states.
inline Result<RowSpan> CheckSpan(const ReadTransaction& transaction, RowUnit unit, int64_t first,
                                 int64_t count) {
  // A few wrong bytes must not make sets of all possible rows.
  const bool too_many = unit == RowUnit::kChunks && count > transaction.next_chunk();
  if (too_many || first < 0 || first >= kRows || count < 0 || count > kRows - first) {
    // A document without chunks may start after the last possible chunk rowid.
    if (first != kRows || count != 0) {
      return Fail(ImpossibleRows(transaction, unit, first, count));
    }
  }
  return RowSpan{static_cast<uint32_t>(first), static_cast<uint32_t>(count)};
}

// Runs a bound statement to its end, or until `visit` returns false if it returns a bool. `visit`
// receives the span; it reads the other columns from the statement.
template <typename Visit>
Status ForEachSpan(const ReadTransaction& transaction, RowUnit unit, Statement& select,
                   Visit visit) {
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    RECALL_ASSIGN(const RowSpan span,
                  CheckSpan(transaction, unit, select.ColumnInt(0), select.ColumnInt(1)));
    if constexpr (std::is_void_v<std::invoke_result_t<Visit, RowSpan>>) {
      visit(span);
    } else if (!visit(span)) {
      return Status::Ok();
    }
  }
}

Result<Statement*> Prepared(const ReadTransaction& transaction, const UnitSql& sql, RowUnit unit) {
  return transaction.connection().Cached(sql[static_cast<size_t>(unit)]);
}

// Every BLOB sorts after every text, so an empty one is an upper limit.
void BindTextRange(Statement& select, int parameter, const TextInterval& range) {
  select.BindText(parameter, range.low);
  if (range.high) {
    select.BindText(parameter + 1, *range.high);
  } else {
    select.BindBlob(parameter + 1, {});
  }
}

Number ColumnNumber(const Statement& select, int column) {
  return select.ColumnIsInteger(column) ? Number::Integer(select.ColumnInt(column))
                                        : Number::Real(select.ColumnDouble(column));
}

// The document id of a row whose columns 2 and 3 are path and hash. Damaged hashes are padded: code
// that reads such a row as a document reports it.
std::string IdOf(const Statement& select) {
  Digest hash{};
  const ByteSpan bytes = select.ColumnBlob(3);
  std::copy_n(bytes.begin(), std::min(bytes.size(), hash.size()), hash.begin());
  return ToHex(MakeDocId(select.ColumnText(2), hash));
}

std::string PrintedNumber(const Number& number) {
  if (number.is_integer) return std::to_string(number.integer);
  char buffer[32];
  return {buffer, std::to_chars(buffer, std::end(buffer), number.real).ptr};
}

}  // namespace

Status ScanLiveDocs(const ReadTransaction& transaction, RowUnit unit, const SpanVisitor& visit) {
  uint64_t visited = 0;
  if (transaction.snapshot_rows() == nullptr) {
    Status invalid;
    const auto visit_record = [&](std::string_view, const IndexNumbers& numbers) {
      const auto [mtime, first_chunk, chunk_count, removed, id] = numbers;
      const auto span = unit == RowUnit::kDocs
                            ? CheckSpan(transaction, unit, id, 1)
                            : CheckSpan(transaction, unit, first_chunk, chunk_count);
      if (!span) {
        invalid = span.error();
        return false;
      }
      ++visited;
      visit(*span);
      return true;
    };
    RECALL_ASSIGN(const bool scanned,
                  ScanIndex(transaction.connection(), kMtimeIndex, {}, visit_record));
    RECALL_TRY(invalid);
    if (scanned) return Status::Ok();
  }
  RECALL_ASSIGN(Statement * cached,
                Prepared(transaction, visited > 0 ? kLiveDocsByMtime : kLiveDocs, unit));
  const StatementScope select(cached);
  return ForEachSpan(transaction, unit, *select, [&](RowSpan span) {
    if (visited > 0) {
      --visited;
    } else {
      visit(span);
    }
  });
}

Status ScanPaths(const ReadTransaction& transaction, bool descending,
                 const std::function<bool(const PathEntry&)>& visit) {
  uint64_t visited = 0;
  if (!descending && transaction.snapshot_rows() == nullptr) {
    Status invalid;
    const auto visit_record = [&](std::string_view path, const IndexNumbers& numbers) {
      const auto [first_chunk, chunk_count, removed, id, unused] = numbers;
      const auto span = CheckSpan(transaction, RowUnit::kChunks, first_chunk, chunk_count);
      if (!span) {
        invalid = span.error();
        return false;
      }
      ++visited;
      return visit({path, id, span->first, span->count});
    };
    const IndexDefinition& index = kTextIndexes[static_cast<size_t>(IndexedText::kPath)];
    RECALL_ASSIGN(const bool scanned, ScanIndex(transaction.connection(), index, {}, visit_record));
    RECALL_TRY(invalid);
    if (scanned) return Status::Ok();
  }
  RECALL_ASSIGN(Statement * cached, transaction.connection().Cached(kPaths[descending ? 1 : 0]));
  const StatementScope select(cached);
  return ForEachSpan(transaction, RowUnit::kChunks, *select, [&](RowSpan span) {
    if (visited > 0) {
      --visited;
      return true;
    }
    return visit({select->ColumnText(2), select->ColumnInt(3), span.first, span.count});
  });
}

Status ScanRemovedDocs(const ReadTransaction& transaction, int64_t sequence,
                       const SpanVisitor& visit) {
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached("SELECT first_chunk, chunk_count FROM doc "
                                                "WHERE removed_seq <= ?1"));
  const StatementScope select(cached);
  select->BindInt(1, sequence);
  return ForEachSpan(transaction, RowUnit::kChunks, *select, visit);
}

Status ScanIndexedText(const ReadTransaction& transaction, IndexedText column, RowUnit unit,
                       const TextInterval& range, const TextVisitor& visit) {
  const UnitSql& sql = kIndexedTexts[static_cast<size_t>(column)];
  RECALL_ASSIGN(Statement * cached, Prepared(transaction, sql, unit));
  const StatementScope select(cached);
  BindTextRange(*select, 1, range);
  return ForEachSpan(transaction, unit, *select,
                     [&](RowSpan span) { visit(select->ColumnText(2), span); });
}

Result<bool> ScanTextIndex(const ReadTransaction& transaction, IndexedText column, RowUnit unit,
                           const TextInterval& range, const TextTest& test,
                           const SpanVisitor& visit) {
  if (transaction.snapshot_rows() != nullptr) return false;  // its documents are those of a view
  Status invalid;
  const auto visit_record = [&](std::string_view, const IndexNumbers& numbers) {
    const auto [first_chunk, chunk_count, removed, id, unused] = numbers;
    const auto span = unit == RowUnit::kDocs
                          ? CheckSpan(transaction, unit, id, 1)
                          : CheckSpan(transaction, unit, first_chunk, chunk_count);
    if (span) {
      visit(*span);
    } else {
      invalid = span.error();
    }
    return span.has_value();
  };
  RECALL_ASSIGN(const bool scanned,
                ScanIndex(transaction.connection(), kTextIndexes[static_cast<size_t>(column)],
                          {range.low, range.high, test.passes, test.find}, visit_record));
  RECALL_TRY(invalid);
  return scanned;
}

Status ScanMtimes(const ReadTransaction& transaction, RowUnit unit, int64_t low, int64_t high,
                  const IntegerVisitor& visit) {
  RECALL_ASSIGN(Statement * cached, Prepared(transaction, kMtimes, unit));
  const StatementScope select(cached);
  select->BindInt(1, low);
  select->BindInt(2, high);
  return ForEachSpan(transaction, unit, *select,
                     [&](RowSpan span) { visit(select->ColumnInt(2), span); });
}

Status ScanWithoutMtime(const ReadTransaction& transaction, RowUnit unit,
                        const SpanVisitor& visit) {
  RECALL_ASSIGN(Statement * cached, Prepared(transaction, kWithoutMtime, unit));
  const StatementScope select(cached);
  return ForEachSpan(transaction, unit, *select, visit);
}

Status ScanSessions(const ReadTransaction& transaction, RowUnit unit, const SpanVisitor& visit) {
  RECALL_ASSIGN(Statement * cached, Prepared(transaction, kSessions, unit));
  const StatementScope select(cached);
  return ForEachSpan(transaction, unit, *select, visit);
}

Status ScanDocTexts(const ReadTransaction& transaction, DocText column, RowUnit unit,
                    const TextVisitor& visit) {
  const auto statement = [&]() -> Result<Statement*> {
    Connection& connection = transaction.connection();
    RECALL_ASSIGN(const bool recorded, RecordsOrigins(connection));
    if (column == DocText::kOrigin && !recorded) {
      return Prepared(transaction, kInferredOrigins, unit);
    }
    RECALL_ASSIGN(const bool has_languages, RecordsLanguages(connection));
    if (column == DocText::kLanguage && !has_languages) {
      return Prepared(transaction, kNoLanguages, unit);
    }
    return Prepared(transaction, kDocTexts[static_cast<size_t>(column)], unit);
  };
  RECALL_ASSIGN(Statement * cached, statement());
  const StatementScope select(cached);
  return ForEachSpan(transaction, unit, *select, [&](RowSpan span) {
    switch (column) {
      case DocText::kId:
        return visit(IdOf(*select), span);
      case DocText::kHash:
        return visit(ToHex(select->ColumnBlob(2)), span);
      case DocText::kMeta:
      case DocText::kParser:
      case DocText::kOrigin:
      case DocText::kLanguage:
        return visit(select->ColumnText(2), span);
    }
  });
}

Status ScanDocNumbers(const ReadTransaction& transaction, DocNumber column, RowUnit unit,
                      const IntegerVisitor& visit) {
  const UnitSql& sql = kDocNumbers[static_cast<size_t>(column)];
  RECALL_ASSIGN(Statement * cached, Prepared(transaction, sql, unit));
  const StatementScope select(cached);
  return ForEachSpan(transaction, unit, *select,
                     [&](RowSpan span) { visit(select->ColumnInt(2), span); });
}

Status ScanDocSizes(const ReadTransaction& transaction,
                    const std::function<void(int64_t, RowSpan, const DocSizes&)>& visit) {
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached(
                    "SELECT first_chunk, chunk_count, id, tokens, lexical_tokens, size "
                    "FROM doc NOT INDEXED WHERE removed_seq IS NULL"));
  const StatementScope select(cached);
  return ForEachSpan(transaction, RowUnit::kChunks, *select, [&](RowSpan span) {
    visit(select->ColumnInt(2), span,
          {select->ColumnInt(3), select->ColumnInt(4), select->ColumnInt(5)});
  });
}

Result<bool> HasMetadataIndex(const ReadTransaction& transaction) {
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached("SELECT 1 FROM sqlite_schema "
                                                "WHERE type = 'table' AND name = 'doc_meta'"));
  const StatementScope select(cached);
  return select->Step();
}

Result<bool> HasMetadataKey(const ReadTransaction& transaction, std::string_view key) {
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached("SELECT 1 FROM doc_meta WHERE key = ?1 LIMIT 1"));
  const StatementScope select(cached);
  select->BindText(1, key);
  return select->Step();
}

Status ScanMetadataKey(const ReadTransaction& transaction, std::string_view key, RowUnit unit,
                       const SpanVisitor& visit) {
  RECALL_ASSIGN(Statement * cached, Prepared(transaction, kMetaKey, unit));
  const StatementScope select(cached);
  select->BindText(1, key);
  return ForEachSpan(transaction, unit, *select, visit);
}

Status ScanMetadataValues(const ReadTransaction& transaction, std::string_view key, RowUnit unit,
                          const TextVisitor& visit) {
  RECALL_ASSIGN(const bool indexed, HasMetadataIndex(transaction));
  if (!indexed) {
    const std::string path[] = {std::string(key)};
    return ScanDocTexts(
        transaction, DocText::kMeta, unit, [&](std::string_view json, RowSpan span) {
          for (const MetaScalar& scalar : MetadataAt(json, path).value_or(MetaScalars())) {
            const bool number = scalar.kind == MetaScalar::Kind::kNumber;
            visit(number ? PrintedNumber(scalar.number) : scalar.text, span);
          }
        });
  }
  RECALL_ASSIGN(Statement * cached, Prepared(transaction, kMetaValues, unit));
  const StatementScope select(cached);
  select->BindText(1, key);
  return ForEachSpan(transaction, unit, *select, [&](RowSpan span) {
    if (select->ColumnInt(2) == kMetaNumber) {
      visit(PrintedNumber(ColumnNumber(*select, 3)), span);
    } else {
      visit(select->ColumnText(3), span);
    }
  });
}

Status ScanMetadataTexts(const ReadTransaction& transaction, std::string_view key, int64_t kind,
                         RowUnit unit, const TextInterval& range, const TextVisitor& visit) {
  RECALL_ASSIGN(Statement * cached, Prepared(transaction, kMetaTexts, unit));
  const StatementScope select(cached);
  select->BindText(1, key);
  select->BindInt(2, kind);
  BindTextRange(*select, 3, range);
  return ForEachSpan(transaction, unit, *select,
                     [&](RowSpan span) { visit(select->ColumnText(2), span); });
}

Status ScanMetadataNumbers(const ReadTransaction& transaction, std::string_view key, int64_t kind,
                           RowUnit unit, const Number& low, const Number& high,
                           const NumberVisitor& visit) {
  RECALL_ASSIGN(Statement * cached, Prepared(transaction, kMetaNumbers, unit));
  const StatementScope select(cached);
  select->BindText(1, key);
  select->BindInt(2, kind);
  select->BindNumber(3, low);
  select->BindNumber(4, high);
  return ForEachSpan(transaction, unit, *select,
                     [&](RowSpan span) { visit(ColumnNumber(*select, 2), span); });
}

}  // namespace recall
