#include "storage/tables/rejected_suggestions.h"

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr std::string_view kRejectedKey = "rejected_suggestion:";
constexpr std::string_view kAfterRejectedKeys = "rejected_suggestion;";

}  // namespace

Result<std::set<std::string>> ReadRejectedSuggestions(Connection& connection) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT key FROM meta WHERE key >= ?1 AND key < ?2"));
  const StatementScope get(cached);
  get->BindText(1, kRejectedKey);
  get->BindText(2, kAfterRejectedKeys);
  std::set<std::string> ids;
  for (;;) {
    RECALL_ASSIGN(const bool row, get->Step());
    if (!row) return ids;
    ids.emplace(get->ColumnText(0).substr(kRejectedKey.size()));
  }
}

Status WriteRejectedSuggestion(Connection& connection, std::string_view id, UnixNanos at) {
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)"));
  const std::string key = std::string(kRejectedKey) + std::string(id);  // binding does not copy
  put->BindText(1, key);
  put->BindInt(2, at);
  return put->Run();
}

Status DeleteRejectedSuggestion(Connection& connection, std::string_view id) {
  RECALL_ASSIGN(Statement * drop, connection.Cached("DELETE FROM meta WHERE key = ?1"));
  const std::string key = std::string(kRejectedKey) + std::string(id);
  drop->BindText(1, key);
  return drop->Run();
}

}  // namespace recall
