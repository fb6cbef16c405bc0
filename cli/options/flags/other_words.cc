#include "cli/options/flags/other_words.h"

#include <algorithm>
#include <iterator>

namespace recall {
namespace {

struct OtherWord {
  std::string_view elsewhere;
  std::string_view here;
};

constexpr OtherWord kCommands[] = {
    {"cat", "get"},        {"check", "doctor"}, {"create", "init"},    {"delete", "rm"},
    {"dump", "export"},    {"files", "ls"},     {"find", "search"},    {"forget", "rm"},
    {"fsck", "doctor"},    {"gc", "compact"},   {"rg", "grep"},        {"index", "add"},
    {"info", "stats"},     {"ingest", "add"},   {"insert", "add"},     {"list", "ls"},
    {"load", "import"},    {"new", "init"},     {"open", "get"},       {"print", "get"},
    {"purge", "rm"},       {"read", "get"},     {"reindex", "add"},    {"remove", "rm"},
    {"restore", "import"}, {"select", "query"}, {"show", "get"},       {"status", "stats"},
    {"sql", "query"},      {"update", "add"},   {"vacuum", "compact"}, {"verify", "doctor"},
    {"view", "get"},
};

constexpr OtherWord kOptions[] = {
    {"--count", "--k"},
    {"--limit", "--k"},
    {"--max-results", "--k"},
    {"--num", "--k"},
    {"--skip", "--offset"},
    {"--top", "--k"},
    {"--top-k", "--k"},
    {"--where", "--filter"},
    {"-l", "--k"},
    {"-n", "--k"},
    {"--exclude", "--ignore"},
    {"--include", "--glob"},
    {"--db", "--store"},
    {"--database", "--store"},
    {"--max-tokens", "--budget-tokens"},
    {"--tokens", "--budget-tokens"},
};

std::string Find(const OtherWord* begin, const OtherWord* end, std::string_view word) {
  const OtherWord* found =
      std::find_if(begin, end, [&](const OtherWord& w) { return w.elsewhere == word; });
  return found == end ? "" : std::string(found->here);
}

}  // namespace

std::string OtherWordForCommand(std::string_view word) {
  return Find(std::begin(kCommands), std::end(kCommands), word);
}

std::string OtherWordForOption(std::string_view word) {
  return Find(std::begin(kOptions), std::end(kOptions), word);
}

}  // namespace recall
