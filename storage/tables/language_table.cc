#include "storage/tables/language_table.h"

#include <algorithm>

#include "storage/base/ascii.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

struct CountedLanguage {
  std::string code;
  int64_t docs;
};

// Returns: the first language after `code` in the order of codes; "" if there is none.
Result<std::string> NextLanguage(Connection& connection, std::string_view code) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT lang FROM doc_language "
                                                      "WHERE lang > ?1 ORDER BY lang LIMIT 1"));
  const StatementScope select(cached);
  select->BindText(1, code);
  RECALL_ASSIGN(const bool found, select->Step());
  return found ? std::string(select->ColumnText(0)) : std::string();
}

Result<int64_t> CountUpToMost(Connection& connection, std::string_view code) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT count(*) FROM (SELECT 1 FROM doc_language "
                                  "WHERE lang = ?1 LIMIT 1000)"));
  const StatementScope select(cached);
  select->BindText(1, code);
  RECALL_TRY(select->Step());
  return select->ColumnInt(0);
}

}  // namespace

bool IsLanguageValue(std::string_view text) {
  return text.empty() || (text.size() == 2 && std::ranges::all_of(text, IsAsciiLower<char>));
}

Result<bool> RecordsLanguages(Connection& connection) {
  constexpr int64_t kFirstFormatOfLanguages = 17;
  return FormatIsAtLeast(connection, kFirstFormatOfLanguages);
}

DocLanguage ParseDocLanguage(std::string_view value) {
  const bool is_given = value.ends_with('!');
  return {std::string(value.substr(0, value.size() - (is_given ? 1 : 0))), is_given};
}

Result<std::vector<std::string>> ListLanguages(
    Connection& connection, size_t most, const std::function<bool(std::string_view)>& wanted) {
  std::vector<std::string> languages;
  RECALL_ASSIGN(const bool recorded, RecordsLanguages(connection));
  if (!recorded) return languages;
  for (std::string code;;) {
    RECALL_ASSIGN(code, NextLanguage(connection, code));
    if (code.empty()) break;
    if (wanted(code)) languages.push_back(code);
  }
  if (languages.size() <= most) return languages;
  std::vector<CountedLanguage> counted;
  for (std::string& code : languages) {
    RECALL_ASSIGN(const int64_t docs, CountUpToMost(connection, code));
    counted.push_back({std::move(code), docs});
  }
  std::ranges::stable_sort(counted, std::greater(), &CountedLanguage::docs);
  counted.resize(most);
  languages.clear();
  for (CountedLanguage& each : counted) languages.push_back(std::move(each.code));
  std::ranges::sort(languages);
  return languages;
}

Status InsertLanguage(Connection& connection, int64_t doc_row, const DocLanguage& language) {
  if (language == DocLanguage()) return Status::Ok();
  RECALL_ASSIGN(Statement * insert, connection.Cached("INSERT INTO doc_language(doc, lang, given) "
                                                      "VALUES(?1, ?2, ?3)"));
  insert->BindInt(1, doc_row);
  insert->BindText(2, language.code);
  insert->BindInt(3, language.is_given ? 1 : 0);
  return insert->Run();
}

Status DeleteLanguage(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM doc_language WHERE doc = ?1"));
  remove->BindInt(1, doc_row);
  return remove->Run();
}

}  // namespace recall
