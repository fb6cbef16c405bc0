#include "storage/check/symbol_check.h"

#include <optional>
#include <string>
#include <utility>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr const char* kSymbolSql =
    "SELECT symbol.chunk, ordinal, symbol.name, symbol.kind, symbol.start_line, symbol.end_line, "
    "chunk.id, chunk.doc FROM symbol NOT INDEXED LEFT JOIN chunk ON chunk.id = symbol.chunk "
    "ORDER BY symbol.chunk, ordinal";

// The last line of a document, which is that of its last chunk; nothing if there is no such chunk.
Result<std::optional<int64_t>> LastLineOf(Connection& connection, int64_t doc) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT last.end_line FROM doc JOIN chunk AS last ON last.id = "
                                  "doc.first_chunk + doc.chunk_count - 1 WHERE doc.id = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, doc);
  RECALL_ASSIGN(const bool row, select->Step());
  return row ? select->ColumnOptionalInt(0) : std::nullopt;
}

// What is wrong with a row; "" if nothing is. The lines of a definition are in the text of the
// document.
std::string SymbolFault(const Statement& row, std::optional<int64_t> last_line) {
  if (row.ColumnIsNull(6)) return "the chunk does not exist";
  for (const int line : {4, 5}) {
    if (!row.ColumnIsInteger(line) || row.ColumnInt(line) < 1) return "its lines are invalid";
  }
  if (row.ColumnInt(5) < row.ColumnInt(4)) return "its lines are invalid";
  if (last_line && row.ColumnInt(5) > *last_line) {
    return "it ends in line " + std::to_string(row.ColumnInt(5)) + ", behind the text";
  }
  if (!row.ColumnIsText(2) || row.ColumnText(2).empty()) return "it has no name";
  if (!row.ColumnIsText(3) || row.ColumnText(3).empty()) return "it has no kind";
  return {};
}

Status CheckSymbolRows(CheckRun& run) {
  RECALL_ASSIGN(Statement select, run.connection().Prepare(kSymbolSql));
  std::optional<int64_t> doc;  // that of the row before
  std::optional<int64_t> last_line;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    if (select.ColumnOptionalInt(7) != doc) {
      doc = select.ColumnOptionalInt(7);
      last_line.reset();
      if (doc) {
        RECALL_ASSIGN(last_line, LastLineOf(run.connection(), *doc));
      }
    }
    if (std::string fault = SymbolFault(select, last_line); !fault.empty()) {
      run.findings().Add(FindingCode::kSymbols,
                         "symbol " + std::to_string(select.ColumnInt(1)) + " of chunk rowid " +
                             std::to_string(select.ColumnInt(0)),
                         std::move(fault));
    }
  }
}

Status CheckGrammarRows(CheckRun& run) {
  RECALL_ASSIGN(Statement select,
                run.connection().Prepare("SELECT code_grammar.doc, doc.id, grammar "
                                         "FROM code_grammar LEFT JOIN doc "
                                         "ON doc.id = code_grammar.doc ORDER BY code_grammar.doc"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    const std::string where = "document row " + std::to_string(select.ColumnInt(0));
    if (select.ColumnIsNull(1)) {
      run.findings().Add(FindingCode::kSymbols, where, "the document does not exist");
    } else if (select.ColumnText(2).empty()) {
      run.findings().Add(FindingCode::kSymbols, where, "its grammar has no name");
    }
  }
}

}  // namespace

Status CheckSymbols(CheckRun& run) {
  if (!run.HasTable("doc") || !run.HasTable("chunk")) return Status::Ok();
  if (run.HasTable("symbol")) {
    RECALL_TRY(run.Absorb(CheckSymbolRows(run), FindingCode::kSymbols, "table symbol"));
  }
  if (!run.HasTable("code_grammar")) return Status::Ok();
  return run.Absorb(CheckGrammarRows(run), FindingCode::kSymbols, "table code_grammar");
}

}  // namespace recall
