// Table-valued functions over answers of commands.
//
// The problem: SQL wants rows, in pieces, with the conditions that its planner has found. A command
// gives one answer.
//
// The idea: the arguments of a function are hidden columns, as SQLite wants it, so "f(a, b)" is
// "f WHERE a = .. AND b = ..". xBestIndex takes these equations, and, if nothing else filters or
// sorts, the LIMIT. xFilter runs the command. Its answer is kept, and the columns of a row are read
// from it when they are asked for.
//
//   idxNum   bits 0..: which arguments are given, in the order of argv
//            kLimitBit, kOffsetBit: then LIMIT and OFFSET
//   idxStr   the same for people (EXPLAIN QUERY PLAN): "query,k,limit,rank"
//
// Invariants:
// - Rows are in the order of their ranks, so ORDER BY rank is satisfied.
// - The LIMIT is used only if the function has all conditions of the statement: one that it does
//   not know would otherwise see too few rows.
// - No exception leaves a callback.
//
// Source: https://sqlite.org/vtab.html.

#include "cli/sqlite/answer_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cli/sqlite/answer_rows.h"
#include "cli/sqlite/host_value.h"

namespace recall {
namespace {

constexpr std::string_view kStoreArgument = "store";
constexpr std::string_view kOptionsArgument = "options";
constexpr std::string_view kCountArgument = "k";
constexpr int kLimitBit = 1 << 16;
constexpr int kOffsetBit = 1 << 17;
// What the planner is told: a search costs as much as reading many rows.
constexpr double kCostOfCall = 10'000;
constexpr int kRowsOfCall = 10;

// The column 0 is the rank; then there are the columns of the table, the arguments, and the hidden
// columns of the table: SQLite gives arguments to the first hidden columns.
class TableShape final {
 public:
  explicit TableShape(const AnswerTable& table) : table_(table) {
    for (const AnswerArgument& argument : table.arguments) names_.push_back(argument.name);
    names_.push_back(kStoreArgument);
    names_.push_back(kOptionsArgument);
  }

  size_t arguments() const { return names_.size(); }
  std::string_view argument(size_t number) const { return names_[number]; }
  // The number of the argument in a column, or -1.
  int ArgumentIn(int column) const {
    const int number = column - 1 - static_cast<int>(table_.columns.size());
    return number < static_cast<int>(names_.size()) ? std::max(number, -1) : -1;
  }
  // The place of a column that is neither the rank nor an argument.
  std::string_view PlaceOf(int column) const {
    const auto at = static_cast<size_t>(column) - 1;
    const size_t visible = table_.columns.size();
    return at < visible ? table_.columns[at].place
                        : table_.hidden_columns[at - visible - names_.size()].place;
  }
  std::string Declaration() const {
    std::string sql = "CREATE TABLE x(rank INTEGER";
    const auto add = [&](std::string_view name, std::string_view type, bool hidden) {
      sql.append(", ").append(name).append(" ").append(type).append(hidden ? " HIDDEN" : "");
    };
    for (const AnswerColumn& column : table_.columns) add(column.name, column.type, false);
    for (const std::string_view name : names_) add(name, "", true);
    for (const AnswerColumn& column : table_.hidden_columns) add(column.name, column.type, true);
    return sql + ")";
  }
  // Whether the count of rows can be asked for, which LIMIT then does.
  int CountArgument() const {
    const auto found = std::ranges::find(names_, kCountArgument);
    return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
  }
  const AnswerTable& table() const { return table_; }

 private:
  const AnswerTable& table_;
  std::vector<std::string_view> names_;
};

struct Registered {
  std::shared_ptr<HostStores> stores;
  TableShape shape;
};

struct ConnectedTable : sqlite3_vtab {
  explicit ConnectedTable(const Registered& from)
      : sqlite3_vtab{}, stores(from.stores), shape(from.shape) {
    stores->Connect();
  }
  ~ConnectedTable() { stores->Disconnect(); }
  ConnectedTable(const ConnectedTable&) = delete;
  ConnectedTable& operator=(const ConnectedTable&) = delete;

  const std::shared_ptr<HostStores> stores;
  const TableShape shape;
};

struct AnswerCursor : sqlite3_vtab_cursor {
  AnswerCursor() : sqlite3_vtab_cursor{} {}
  ~AnswerCursor() { ForgetArguments(); }
  AnswerCursor(const AnswerCursor&) = delete;
  AnswerCursor& operator=(const AnswerCursor&) = delete;

  void ForgetArguments() {
    for (sqlite3_value* value : arguments) sqlite3_value_free(value);
    arguments.clear();
  }

  AnswerRows rows;
  size_t at = 0;
  std::vector<sqlite3_value*> arguments;  // null: not given
};

int ConnectTable(sqlite3* connection, void* data, int, const char* const*, sqlite3_vtab** table,
                 char**) {
  return RunCallback([&] {
    const auto& registered = *static_cast<Registered*>(data);
    const int code = sqlite3_declare_vtab(connection, registered.shape.Declaration().c_str());
    if (code != SQLITE_OK) return code;
    // Stored statements of views and triggers of a file must not read other files.
    sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY);
    *table = new ConnectedTable(registered);
    return SQLITE_OK;
  });
}

int DisconnectTable(sqlite3_vtab* table) {
  delete static_cast<ConnectedTable*>(table);
  return SQLITE_OK;
}

// What xBestIndex has found in the conditions of a statement.
struct Plan {
  std::vector<int> constraint_of;  // of each argument; -1: none
  int limit = -1;
  int offset = -1;
  bool unusable = false;  // an argument depends on a table that is read later
  bool has_others = false;
};

Plan ReadConditions(const TableShape& shape, const sqlite3_index_info& info) {
  Plan plan;
  plan.constraint_of.assign(shape.arguments(), -1);
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& condition = info.aConstraint[i];
    if (condition.op == SQLITE_INDEX_CONSTRAINT_LIMIT) {
      if (condition.usable) plan.limit = i;
      continue;
    }
    if (condition.op == SQLITE_INDEX_CONSTRAINT_OFFSET) {
      if (condition.usable) plan.offset = i;
      plan.has_others |= !condition.usable;
      continue;
    }
    const int argument = shape.ArgumentIn(condition.iColumn);
    const bool gives = argument >= 0 && condition.op == SQLITE_INDEX_CONSTRAINT_EQ;
    if (gives && !condition.usable) plan.unusable = true;
    int* const known = gives ? &plan.constraint_of[static_cast<size_t>(argument)] : nullptr;
    if (known != nullptr && condition.usable && *known < 0) {
      *known = i;
    } else {
      plan.has_others = true;
    }
  }
  return plan;
}

bool SortsByRank(const sqlite3_index_info& info) {
  return info.nOrderBy == 1 && info.aOrderBy[0].iColumn == 0 && info.aOrderBy[0].desc == 0;
}

int BestIndex(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  return RunCallback([&] {
    const TableShape& shape = static_cast<ConnectedTable*>(vtab)->shape;
    const Plan plan = ReadConditions(shape, *info);
    if (plan.unusable) return SQLITE_CONSTRAINT;
    const bool sorted = SortsByRank(*info);
    std::string names;
    int argv = 0;
    const auto take = [&](int condition, bool omit, int bit, std::string_view name) {
      info->aConstraintUsage[condition].argvIndex = ++argv;
      info->aConstraintUsage[condition].omit = omit ? 1 : 0;
      info->idxNum |= bit;
      names.append(names.empty() ? "" : ",").append(name);
    };
    for (size_t i = 0; i < shape.arguments(); ++i) {
      if (plan.constraint_of[i] >= 0) {
        take(plan.constraint_of[i], true, 1 << i, shape.argument(i));
      }
    }
    const int count = shape.CountArgument();
    const bool counted = count >= 0 && plan.constraint_of[static_cast<size_t>(count)] < 0;
    if (counted && plan.limit >= 0 && !plan.has_others && (info->nOrderBy == 0 || sorted)) {
      take(plan.limit, false, kLimitBit, "limit");
      if (plan.offset >= 0) take(plan.offset, false, kOffsetBit, "offset");
    }
    if (sorted) {
      info->orderByConsumed = 1;
      names.append(names.empty() ? "" : ",").append("rank");
    }
    info->idxStr = sqlite3_mprintf("%s", names.c_str());
    info->needToFreeIdxStr = 1;
    info->estimatedCost = kCostOfCall;
    info->estimatedRows = kRowsOfCall;
    return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
  });
}

int OpenCursor(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
  return RunCallback([&] {
    *cursor = new AnswerCursor;
    return SQLITE_OK;
  });
}

int CloseCursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<AnswerCursor*>(cursor);
  return SQLITE_OK;
}

// What a function is called with.
struct FunctionCall {
  LibraryRequest request;
  std::optional<std::string> store;
  std::string options;
  bool empty = false;  // there are no rows, whatever the store has
};

Status TakeArgument(const TableShape& shape, size_t number, sqlite3_value* value,
                    FunctionCall* call) {
  const std::string name(shape.argument(number));
  RECALL_ASSIGN(std::optional<std::string> text, TextOfValue(value, name.c_str()));
  if (!text) {
    call->empty |= number == 0;
  } else if (name == kStoreArgument) {
    call->store = std::move(*text);
  } else if (name == kOptionsArgument) {
    call->options = std::move(*text);
  } else {
    call->request.texts.emplace_back(shape.table().arguments[number].member, std::move(*text));
  }
  return Status::Ok();
}

Result<FunctionCall> ReadCall(const TableShape& shape, const AnswerCursor& cursor, int plan,
                              std::span<sqlite3_value*> more) {
  FunctionCall call;
  call.request.command = shape.table().command;
  if (cursor.arguments[0] == nullptr) {
    return Fail(
        Status::InvalidArgument("the argument '" + std::string(shape.argument(0)) + "' is missing",
                                "SELECT ... FROM " + std::string(shape.table().name) + "('...')"));
  }
  for (size_t i = 0; i < shape.arguments(); ++i) {
    if (cursor.arguments[i] == nullptr) continue;
    RECALL_TRY(TakeArgument(shape, i, cursor.arguments[i], &call));
  }
  if ((plan & kLimitBit) == 0) return call;
  const int64_t offset = (plan & kOffsetBit) != 0 ? sqlite3_value_int64(more[1]) : 0;
  const int64_t rows = RowsWanted(sqlite3_value_int64(more[0]), offset);
  call.empty |= rows == 0;
  call.request.texts.emplace_back(kCountArgument, std::to_string(rows));
  return call;
}

Status FilterRows(const ConnectedTable& table, AnswerCursor* cursor, int plan,
                  std::span<sqlite3_value*> values) {
  const TableShape& shape = table.shape;
  cursor->at = 0;
  cursor->rows.Clear();
  cursor->ForgetArguments();
  cursor->arguments.assign(shape.arguments(), nullptr);
  size_t next = 0;
  for (size_t i = 0; i < shape.arguments(); ++i) {
    if ((plan & (1 << i)) == 0) continue;
    cursor->arguments[i] = sqlite3_value_dup(values[next++]);
    if (cursor->arguments[i] == nullptr) return Status::NotEnoughMemory();
  }
  RECALL_ASSIGN(FunctionCall call, ReadCall(shape, *cursor, plan, values.subspan(next)));
  if (call.empty) return Status::Ok();
  call.request.body = call.options;
  if (shape.table().command != "query") call.request.flags.emplace_back("--cite");
  RECALL_ASSIGN(CallAnswer answer, table.stores->Call(call.store, call.request));
  cursor->rows.Read(std::move(answer.output), shape.table().rows);
  return Status::Ok();
}

int Filter(sqlite3_vtab_cursor* cursor, int plan, const char*, int count, sqlite3_value** values) {
  return RunCallback([&] {
    auto* const table = static_cast<ConnectedTable*>(cursor->pVtab);
    const Status status = FilterRows(*table, static_cast<AnswerCursor*>(cursor), plan,
                                     {values, static_cast<size_t>(count)});
    return status.ok() ? SQLITE_OK : ReportError(table, table->shape.table().name, status);
  });
}

int Next(sqlite3_vtab_cursor* cursor) {
  ++static_cast<AnswerCursor*>(cursor)->at;
  return SQLITE_OK;
}

int IsAtEnd(sqlite3_vtab_cursor* cursor) {
  const auto* const answer = static_cast<AnswerCursor*>(cursor);
  return answer->at >= answer->rows.size() ? 1 : 0;
}

int Column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
  return RunCallback([&] {
    const auto& answer = *static_cast<AnswerCursor*>(cursor);
    const TableShape& shape = static_cast<ConnectedTable*>(cursor->pVtab)->shape;
    const int argument = shape.ArgumentIn(column);
    if (column == 0) {
      sqlite3_result_int64(context, static_cast<sqlite3_int64>(answer.at) + 1);
    } else if (argument < 0) {
      answer.rows.SetColumn(context, answer.at, shape.PlaceOf(column));
    } else if (sqlite3_value* const value = answer.arguments[static_cast<size_t>(argument)]) {
      sqlite3_result_value(context, value);
    }
    return SQLITE_OK;
  });
}

int RowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* row) {
  *row = static_cast<sqlite3_int64>(static_cast<AnswerCursor*>(cursor)->at) + 1;
  return SQLITE_OK;
}

// Without xCreate the module is a table that exists everywhere under its own name.
constexpr sqlite3_module MakeAnswerModule() {
  sqlite3_module module = {};
  module.iVersion = 3;
  module.xConnect = &ConnectTable;
  module.xBestIndex = &BestIndex;
  module.xDisconnect = &DisconnectTable;
  module.xOpen = &OpenCursor;
  module.xClose = &CloseCursor;
  module.xFilter = &Filter;
  module.xNext = &Next;
  module.xEof = &IsAtEnd;
  module.xColumn = &Column;
  module.xRowid = &RowId;
  return module;
}

constexpr sqlite3_module kAnswerModule = MakeAnswerModule();

}  // namespace

Status RegisterAnswerTable(const std::shared_ptr<HostStores>& stores, const AnswerTable& table) {
  auto registered = std::make_unique<Registered>(Registered{stores, TableShape(table)});
  const auto free = [](void* data) { delete static_cast<Registered*>(data); };
  // SQLite frees the data, also if it fails.
  const int code = sqlite3_create_module_v2(stores->connection(), table.name, &kAnswerModule,
                                            registered.release(), free);
  if (code == SQLITE_OK) return Status::Ok();
  return Status::Internal("cannot register " + std::string(table.name) + ": " +
                          sqlite3_errmsg(stores->connection()));
}

}  // namespace recall
