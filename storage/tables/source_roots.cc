#include "storage/tables/source_roots.h"

#include <charconv>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// The key is this text, the prefix, "//", and the directory. A prefix is a normal path, so the
// first "//" ends it.
constexpr std::string_view kKeyBegin = "source_root:";
constexpr std::string_view kKeyAfterAll = "source_root;";
constexpr std::string_view kSeparator = "//";

std::string KeyOfRoot(const SourceRoot& root) {
  return std::string(kKeyBegin) + root.prefix + std::string(kSeparator) + root.directory;
}

}  // namespace

Result<std::vector<SourceRoot>> ReadSourceRoots(Connection& connection) {
  RECALL_ASSIGN(
      Statement * cached,
      connection.Cached("SELECT key FROM meta WHERE key >= ?1 AND key < ?2 ORDER BY key"));
  const StatementScope get(cached);
  get->BindText(1, kKeyBegin);
  get->BindText(2, kKeyAfterAll);
  std::vector<SourceRoot> roots;
  for (;;) {
    RECALL_ASSIGN(const bool row, get->Step());
    if (!row) return roots;
    const std::string_view key = get->ColumnText(0).substr(kKeyBegin.size());
    const size_t end = key.find(kSeparator);
    if (end == key.npos) continue;
    roots.push_back(
        {std::string(key.substr(0, end)), std::string(key.substr(end + kSeparator.size()))});
  }
}

Status WriteSourceRoot(Connection& connection, const SourceRoot& root) {
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, 1)"));
  const std::string key = KeyOfRoot(root);  // binding does not copy
  put->BindText(1, key);
  return put->Run();
}

Status DeleteSourceRoot(Connection& connection, const SourceRoot& root) {
  RECALL_ASSIGN(Statement * drop, connection.Cached("DELETE FROM meta WHERE key = ?1"));
  const std::string key = KeyOfRoot(root);
  drop->BindText(1, key);
  return drop->Run();
}

Result<StoreHome> ReadHome(Connection& connection) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT value FROM meta WHERE key = 'home'"));
  const StatementScope get(cached);
  RECALL_ASSIGN(const bool row, get->Step());
  StoreHome home;
  if (!row) return home;
  const std::string_view value = get->ColumnText(0);
  const size_t space = value.find(' ');
  if (space == value.npos) return home;
  const char* const end = value.data() + space;
  if (std::from_chars(value.data(), end, home.since).ptr == end) {
    home.identity = value.substr(space + 1);
  }
  return home;
}

Status WriteHome(Connection& connection, const StoreHome& home) {
  RECALL_ASSIGN(const StoreHome recorded, ReadHome(connection));
  if (recorded.identity == home.identity) return {};
  const std::string value = std::to_string(home.since) + " " + home.identity;
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT OR REPLACE INTO meta(key, value) VALUES('home', ?1)"));
  put->BindText(1, value);
  return put->Run();
}

}  // namespace recall
