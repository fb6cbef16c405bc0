// The guide mentions every command, flag, setting and other name.

#include <gtest/gtest.h>

#include "cli/commands/commands.h"
#include "cli/options/settings/config.h"
#include "cli/run/reference/guide_text.h"
#include "cli/run/reference/program_facts.h"
#include "cli/show/terminal/exit_code.h"
#include "index/search/filter/fields.h"

namespace recall {
namespace {

bool Says(const std::string& words) { return kGuideText.find(words) != kGuideText.npos; }

TEST(GuideCoverage, EveryCommandAndFlag) {
  for (const CommandInfo* info : AllCommands()) {
    EXPECT_TRUE(Says("recall " + std::string(info->name))) << info->name;
    for (const FlagSet::Entry& entry : EntriesOf(*info)) {
      if (entry.is_argument()) continue;
      EXPECT_TRUE(Says("`" + LongFlagName(entry.name))) << info->name << " " << entry.name;
      for (const std::string& choice : entry.choices) EXPECT_TRUE(Says(choice)) << choice;
    }
  }
}

TEST(GuideCoverage, EveryFieldOfTheQueryLanguage) {
  for (const FieldInfo& field : AllFields()) {
    const std::string table = field.table == FieldTable::kDoc ? "doc." : "chunk.";
    EXPECT_TRUE(Says("`" + table + std::string(field.name) + "`")) << field.name;
  }
}

TEST(GuideCoverage, EveryErrorCodeAndExitCode) {
  for (const ErrorCodeInfo& info : AllErrorCodes()) {
    EXPECT_TRUE(Says("`" + std::string(info.name) + "`")) << info.name;
  }
  for (const ExitCodeInfo& info : AllExitCodes()) {
    EXPECT_TRUE(Says("| " + std::to_string(static_cast<int>(info.code)) + " |")) << info.meaning;
  }
}

TEST(GuideCoverage, EverySettingAndVariable) {
  for (const ConfigKeyInfo& key : AllConfigKeys()) {
    EXPECT_TRUE(Says("`" + std::string(key.name) + "`")) << key.name;
  }
  for (const NamedFact& fact : EnvironmentFacts()) {
    EXPECT_TRUE(Says(std::string(fact.name.substr(0, fact.name.find_first_of(",= ")))))
        << fact.name;
  }
}

TEST(GuideCoverage, EveryWordOfTheQueryLanguage) {
  for (const char* word :
       {"FROM doc", "FROM chunk",  "USING",  "semantic(", "lexical(", "FILTER", "ORDER BY",
        "LIMIT",    "OFFSET",      "SELECT", "ASC",       "DESC",     "AND",    "OR",
        "NOT",      "NOT IN",      "LIKE",   "ILIKE",     "GLOB",     "REGEXP", "BETWEEN",
        "IS NULL",  "IS NOT NULL", "TRUE",   "FALSE",     "!=",       "<=",     "doc.meta."}) {
    EXPECT_TRUE(Says(word)) << word;
  }
}

}  // namespace
}  // namespace recall
