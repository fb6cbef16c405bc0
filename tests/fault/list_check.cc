#include "tests/fault/list_check.h"

#include <map>

#include "index/search/lexical/posting_blocks.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

using Lists = std::map<std::string, PostingList>;

Result<bool> HasLists(PlainSql& sql) {
  RECALL_ASSIGN(const std::string version, sql.Value("PRAGMA user_version"));
  return std::stoi(version) >= 9;
}

Result<bool> HasWords(PlainSql& sql) {
  RECALL_ASSIGN(const std::string version, sql.Value("PRAGMA user_version"));
  return std::stoi(version) >= 11;
}

Result<Lists> ListsOfFts(PlainSql& sql, const std::string& end) {
  RECALL_ASSIGN(const auto rows,
                sql.Rows("SELECT term, doc, count(*) FROM temp.postings WHERE doc < " + end +
                         " GROUP BY 1, 2 ORDER BY 1, 2"));
  Lists lists;
  for (const PlainSql::Row& row : rows) {
    lists[row[0]].push_back(
        {static_cast<uint32_t>(std::stoul(row[1])), static_cast<uint32_t>(std::stoul(row[2]))});
  }
  return lists;
}

}  // namespace

Result<std::string> DescribeLists(PlainSql& sql) {
  RECALL_ASSIGN(const bool known, HasLists(sql));
  if (!known) return std::string();
  return sql.Value(
      "SELECT coalesce(group_concat(complete || ' ' || end_chunk || ' ' || (SELECT "
      "coalesce(group_concat(hex(word)), '') FROM posting_list WHERE posting_set = "
      "posting_set.id)), '') FROM posting_set");
}

Result<std::vector<std::string>> FaultyLists(PlainSql& sql) {
  std::vector<std::string> faults;
  RECALL_ASSIGN(const bool known, HasLists(sql));
  if (!known) return faults;
  RECALL_ASSIGN(const std::string end,
                sql.Value("SELECT end_chunk FROM posting_set WHERE complete ORDER BY id DESC"));
  if (end.empty()) return faults;
  RECALL_ASSIGN(Lists expected, ListsOfFts(sql, end));
  RECALL_ASSIGN(const auto rows,
                sql.Rows("SELECT word, data FROM posting_list WHERE posting_set = (SELECT id FROM "
                         "posting_set WHERE complete ORDER BY id DESC)"));
  for (const PlainSql::Row& row : rows) {
    const auto blocks = PostingBlocks::Open(AsBytes(row[1]));
    const bool same = blocks && blocks->Decode() == expected[row[0]];
    if (!same) faults.push_back("the list of \"" + row[0] + "\" is not what the index says");
  }
  return faults;
}

Result<std::string> DescribeWords(PlainSql& sql) {
  RECALL_ASSIGN(const bool known, HasWords(sql));
  if (!known) return std::string();
  return sql.Value(
      "SELECT (SELECT coalesce(group_concat(hex(data)), '') FROM word_dictionary) || (SELECT "
      "coalesce(group_concat(chunk || hex(data)), '') FROM chunk_words)");
}

Result<std::vector<std::string>> FaultyWords(PlainSql& sql) {
  std::vector<std::string> faults;
  RECALL_ASSIGN(const bool known, HasWords(sql));
  if (!known) return faults;
  RECALL_ASSIGN(const std::string dictionaries, sql.Value("SELECT count(*) FROM word_dictionary"));
  RECALL_ASSIGN(const std::string strays,
                sql.Value("SELECT count(*) FROM chunk_words WHERE chunk NOT IN (SELECT id FROM "
                          "chunk) OR NOT EXISTS (SELECT 1 FROM word_dictionary)"));
  // Records are made in the order of chunk rowids, from texts that are sound here.
  RECALL_ASSIGN(const std::string gaps,
                sql.Value("SELECT count(*) FROM chunk WHERE id < (SELECT max(chunk) FROM "
                          "chunk_words) AND id NOT IN (SELECT chunk FROM chunk_words)"));
  if (gaps != "0") faults.push_back(gaps + " chunks have no record of words, but later ones have");
  if (dictionaries != "0" && dictionaries != "1") faults.push_back("several dictionaries");
  if (strays != "0") faults.push_back(strays + " records of words without chunk or dictionary");
  return faults;
}

}  // namespace recall
