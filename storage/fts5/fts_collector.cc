#include "storage/fts5/fts_collector.h"

#include <sqlite3.h>

#include <limits>
#include <new>

#include "storage/sqlite/sqlite_error.h"
#include "storage/sqlite/statement.h"

namespace recall {
namespace {

constexpr const char* kFunctionName = "recall_collect";

// FTS5 calls this for each row that contains the phrase, which has the number 0 in this context.
int AppendRow(const Fts5ExtensionApi* api, Fts5Context* context, void* list) {
  const sqlite3_int64 row = api->xRowid(context);
  // Chunk rowids are u32; any other number can only come from a damaged file.
  if (row < 0 || row > std::numeric_limits<uint32_t>::max()) return SQLITE_CORRUPT_VTAB;
  Fts5PhraseIter iterator;
  int column = 0;
  int token = 0;
  const int code = api->xPhraseFirst(context, 0, &iterator, &column, &token);
  if (code != SQLITE_OK) return code;
  uint32_t count = 0;
  for (; column >= 0; api->xPhraseNext(context, &iterator, &column, &token)) ++count;
  try {
    static_cast<PostingList*>(list)->push_back({static_cast<uint32_t>(row), count});
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

void Collect(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result,
             int arguments, sqlite3_value** values) {
  auto* sink = arguments == 1
                   ? static_cast<PostingSink*>(sqlite3_value_pointer(values[0], kPostingSinkType))
                   : nullptr;
  if (!sink || api->xPhraseCount(context) != static_cast<int>(sink->lists.size())) {
    sqlite3_result_error(result, "recall_collect(lexicon, sink) is internal to recall", -1);
    return;
  }
  for (size_t phrase = 0; phrase < sink->lists.size(); ++phrase) {
    const int code =
        api->xQueryPhrase(context, static_cast<int>(phrase), &sink->lists[phrase], &AppendRow);
    if (code != SQLITE_OK) {
      sqlite3_result_error_code(result, code);
      return;
    }
  }
  sqlite3_result_int(result, 1);
}

}  // namespace

Status RegisterFtsCollector(sqlite3* connection) {
  sqlite3_stmt* handle = nullptr;
  int code = sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &handle, nullptr);
  if (code == SQLITE_ERROR) {  // no other code means that the function does not exist
    return Status::Unsupported("the SQLite library was built without FTS5",
                               "use an SQLite library that was built with SQLITE_ENABLE_FTS5");
  }
  if (code != SQLITE_OK) return StatusFromSqlite(connection, code, "open the full-text index");
  fts5_api* fts5 = nullptr;
  Statement statement(handle);
  statement.BindPointer(1, &fts5, "fts5_api_ptr");
  RECALL_TRY(statement.Run());
  if (!fts5) return Status::Internal("SQLite did not return its FTS5 interface");
  code = fts5->xCreateFunction(fts5, kFunctionName, nullptr, &Collect, nullptr);
  if (code != SQLITE_OK) return StatusFromSqlite(connection, code, "register recall_collect");
  return Status::Ok();
}

}  // namespace recall
