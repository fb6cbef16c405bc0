#include "storage/tables/symbol_table.h"

#include <limits>
#include <utility>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

constexpr int64_t kFirstFormatOfSymbols = 16;
constexpr int64_t kMostChunk = std::numeric_limits<uint32_t>::max();

Status DamagedSymbolRow(const Connection& connection, int64_t chunk) {
  return Status::Corruption(
      connection.path() + ": the symbols of chunk rowid " + std::to_string(chunk) + " are damaged",
      "run `recall doctor`, or restore the store from a backup");
}

bool IsLine(int64_t line) { return line >= 1 && line <= std::numeric_limits<uint32_t>::max(); }

// Visits rows of: chunk, name, kind, scope, start_line, end_line, begins.
Status VisitRows(Connection& connection, Statement& select, const SymbolVisitor& visit) {
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    const int64_t chunk = select.ColumnInt(0);
    const int64_t start = select.ColumnInt(4);
    const int64_t end = select.ColumnInt(5);
    if (chunk < 0 || chunk > kMostChunk || !IsLine(start) || !IsLine(end) || end < start) {
      return DamagedSymbolRow(connection, chunk);
    }
    visit(static_cast<uint32_t>(chunk), {.name = std::string(select.ColumnText(1)),
                                         .kind = std::string(select.ColumnText(2)),
                                         .scope = std::string(select.ColumnText(3)),
                                         .start_line = static_cast<uint32_t>(start),
                                         .end_line = static_cast<uint32_t>(end),
                                         .begins = select.ColumnInt(6) != 0});
  }
}

// Visits rows of: chunk, text. Rows of chunks that cannot exist are left to the doctor.
Status VisitTexts(Statement& select, const SymbolTextVisitor& visit) {
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    const int64_t chunk = select.ColumnInt(0);
    if (chunk < 0 || chunk > kMostChunk) continue;
    visit(static_cast<uint32_t>(chunk), select.ColumnText(1));
  }
}

Result<bool> HasSymbolTables(Connection& connection) {
  return FormatIsAtLeast(connection, kFirstFormatOfSymbols);
}

void BindRange(Statement& select, const SymbolNameRange& range) {
  select.BindText(1, range.low);
  if (range.high) select.BindText(2, *range.high);
}

}  // namespace

Result<bool> HasSymbols(Connection& connection) {
  RECALL_ASSIGN(const bool has_tables, HasSymbolTables(connection));
  if (!has_tables) return false;
  RECALL_ASSIGN(const int64_t has_rows, connection.QueryInt("SELECT EXISTS(SELECT 1 FROM symbol)"));
  return has_rows != 0;
}

Status SymbolsOf(Connection& connection, uint32_t first_chunk, uint32_t count,
                 const SymbolVisitor& visit) {
  RECALL_ASSIGN(const bool has_tables, HasSymbolTables(connection));
  if (!has_tables || count == 0) return Status::Ok();
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT chunk, name, kind, scope, start_line, end_line, begins "
                                  "FROM symbol WHERE chunk BETWEEN ?1 AND ?2 "
                                  "ORDER BY chunk, ordinal"));
  const StatementScope select(cached);
  select->BindInt(1, first_chunk);
  select->BindInt(2, int64_t{first_chunk} + count - 1);
  return VisitRows(connection, *cached, visit);
}

SymbolNameRange ExactSymbolName(std::string_view name) {
  SymbolNameRange range{std::string(name), std::string(name)};
  range.high->push_back('\0');
  return range;
}

Status FindSymbolsByName(Connection& connection, const SymbolNameRange& range,
                         const SymbolVisitor& visit) {
  RECALL_ASSIGN(const bool has_tables, HasSymbolTables(connection));
  if (!has_tables) return Status::Ok();
  RECALL_ASSIGN(Statement * cached,
                connection.Cached(
                    range.high ? "SELECT chunk, name, kind, scope, start_line, end_line, begins "
                                 "FROM symbol WHERE name >= ?1 AND name < ?2 "
                                 "ORDER BY name, chunk, ordinal"
                               : "SELECT chunk, name, kind, scope, start_line, end_line, begins "
                                 "FROM symbol WHERE name >= ?1 ORDER BY name, chunk, ordinal"));
  const StatementScope select(cached);
  BindRange(*cached, range);
  return VisitRows(connection, *cached, visit);
}

Status ScanSymbolTexts(Connection& connection, SymbolText text, uint32_t first_chunk,
                       uint32_t last_chunk, const SymbolTextVisitor& visit) {
  RECALL_ASSIGN(const bool has_tables, HasSymbolTables(connection));
  if (!has_tables) return Status::Ok();
  RECALL_ASSIGN(Statement * cached,
                connection.Cached(text == SymbolText::kName
                                      ? "SELECT chunk, name FROM symbol NOT INDEXED "
                                        "WHERE chunk BETWEEN ?1 AND ?2 ORDER BY chunk"
                                      : "SELECT chunk, kind FROM symbol NOT INDEXED "
                                        "WHERE chunk BETWEEN ?1 AND ?2 ORDER BY chunk"));
  const StatementScope select(cached);
  select->BindInt(1, first_chunk);
  select->BindInt(2, last_chunk);
  return VisitTexts(*cached, visit);
}

Status ScanSymbolNames(Connection& connection, const SymbolNameRange& range,
                       const SymbolTextVisitor& visit) {
  RECALL_ASSIGN(const bool has_tables, HasSymbolTables(connection));
  if (!has_tables) return Status::Ok();
  RECALL_ASSIGN(Statement * cached,
                connection.Cached(range.high ? "SELECT chunk, name FROM symbol "
                                               "WHERE name >= ?1 AND name < ?2 ORDER BY name"
                                             : "SELECT chunk, name FROM symbol "
                                               "WHERE name >= ?1 ORDER BY name"));
  const StatementScope select(cached);
  BindRange(*cached, range);
  return VisitTexts(*cached, visit);
}

Result<std::string> FindGrammar(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(const bool has_tables, HasSymbolTables(connection));
  if (!has_tables) return std::string();
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT grammar FROM code_grammar WHERE doc = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, doc_row);
  RECALL_ASSIGN(const bool found, select->Step());
  return found ? std::string(select->ColumnText(0)) : std::string();
}

Status InsertSymbols(Connection& connection, uint32_t chunk, std::span<const Symbol> symbols) {
  if (symbols.empty()) return Status::Ok();
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO symbol(chunk, ordinal, name, kind, scope, "
                                  "start_line, end_line, begins) "
                                  "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"));
  for (size_t i = 0; i < symbols.size(); ++i) {
    const Symbol symbol = WithSimpleName(symbols[i]);
    insert->BindInt(1, chunk);
    insert->BindInt(2, static_cast<int64_t>(i));
    insert->BindText(3, symbol.name);
    insert->BindText(4, symbol.kind);
    insert->BindText(5, symbol.scope);
    insert->BindInt(6, symbol.start_line);
    insert->BindInt(7, symbol.end_line);
    insert->BindInt(8, symbol.begins ? 1 : 0);
    RECALL_TRY(insert->Run());
  }
  return Status::Ok();
}

Status DeleteSymbols(Connection& connection, uint32_t first_chunk, uint32_t count) {
  RECALL_ASSIGN(Statement * remove,
                connection.Cached("DELETE FROM symbol WHERE chunk BETWEEN ?1 AND ?2"));
  remove->BindInt(1, first_chunk);
  remove->BindInt(2, int64_t{first_chunk} + count - 1);
  return remove->Run();
}

Status InsertGrammar(Connection& connection, int64_t doc_row, std::string_view grammar) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO code_grammar(doc, grammar) VALUES(?1, ?2)"));
  insert->BindInt(1, doc_row);
  insert->BindText(2, grammar);
  return insert->Run();
}

Status DeleteGrammar(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM code_grammar WHERE doc = ?1"));
  remove->BindInt(1, doc_row);
  return remove->Run();
}

}  // namespace recall
