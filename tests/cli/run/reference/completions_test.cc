#include "cli/run/reference/completions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cli/commands/commands.h"

namespace recall {
namespace {

TEST(Completions, EveryScriptHasEveryCommandAndEveryFlag) {
  const ProgramReference program = DescribeProgram();
  ASSERT_EQ(program.commands.size(), AllCommands().size());
  for (const std::string& shell : CompletionShells()) {
    const std::string script = CompletionScript(shell, program);
    // In fish's form: " -l lexical-mode".
    const auto has_flag = [&](const std::string& flag) {
      const std::string in_fish =
          flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      return script.find(shell == "fish" ? in_fish : flag) != std::string::npos;
    };
    std::vector<FlagSet::Entry> entries = program.globals;
    for (const CommandReference& command : program.commands) {
      EXPECT_NE(script.find(command.info->name), std::string::npos) << shell << command.info->name;
      entries.insert(entries.end(), command.entries.begin(), command.entries.end());
    }
    for (const FlagSet::Entry& entry : entries) {
      for (const std::string& spelling : Spellings(entry)) {
        if (!entry.is_argument()) {
          EXPECT_TRUE(has_flag(spelling)) << shell << " " << spelling;
        }
      }
      for (const std::string& choice : entry.choices) {
        EXPECT_NE(script.find(choice), std::string::npos) << shell << " " << choice;
      }
    }
  }
}

TEST(Completions, NamesOfArgumentsSayWhatStandsForThem) {
  const auto argument = [](std::string_view name) {
    for (const CommandReference& command : DescribeProgram().commands) {
      if (command.info->name == name) return ValueKindOf(*FindArgument(command));
    }
    return ValueKind::kNone;
  };
  for (const char* name : {"init", "add", "rm", "get", "import", "merge", "migrate"}) {
    EXPECT_EQ(argument(name), ValueKind::kFiles) << name;
  }
  EXPECT_EQ(argument("search"), ValueKind::kText);
  EXPECT_EQ(argument("help"), ValueKind::kOneOfFew);
}

// A command whose texts contain characters that shells interpret.
TEST(Completions, QuotesAreSafeInEveryShell) {
  static constexpr CommandInfo kInfo = {"odd", "", "a 'b' [c] : \\ $d `e` \"f\"", "", "", nullptr};
  FlagSet flags;
  bool on = false;
  flags.Switch("-o,--on", &on, "it's [so]: \\$x");
  const ProgramReference program = {{{&kInfo, flags.entries()}}, {}};
  const std::map<std::string, std::string> expected = {
      {"elvish", "['--on' 'it''s [so]: \\$x']"},
      {"fish", "-s o -l on -d 'it\\'s [so]: \\\\$x'"},
      {"powershell", "'--on' = 'it''s [so]: \\$x'"},
      {"zsh", "'(-o --on)'{-o,--on}'[it'\\''s \\[so\\]\\: \\\\$x]'"},
  };
  for (const auto& [shell, words] : expected) {
    const std::string script = CompletionScript(shell, program);
    EXPECT_NE(script.find(words), std::string::npos) << script;
  }
}

// The part of PowerShell's lexer that the script uses: strings, brackets, everything else.
class PowerShellReader final {
 public:
  explicit PowerShellReader(std::string_view text) : text_(text) {}

  // Reads the whole script. Every bracket must be closed and every string terminated.
  void Read() {
    std::string open;
    for (size_t i = 0; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '#') {
        i = text_.find('\n', i);
      } else if (c == '\'') {
        i = ReadString(i);
      } else if (c == '"') {
        i = text_.find('"', i + 1);
        ASSERT_NE(i, text_.npos) << "a string does not end";
      } else if (c == '(' || c == '{' || c == '[') {
        open += c;
      } else if (c == ')' || c == '}' || c == ']') {
        ASSERT_FALSE(open.empty()) << text_.substr(i);
        ASSERT_EQ(open.back(), c == ')' ? '(' : c == '}' ? '{' : '[') << text_.substr(i);
        open.pop_back();
      }
    }
    EXPECT_EQ(open, "");
  }

  // The values of 'key' = 'value' pairs.
  std::multimap<std::string, std::string> pairs;

 private:
  size_t ReadString(size_t i) {
    std::string value;
    for (++i; i < text_.size(); ++i) {
      if (text_[i] == '\'' && text_.substr(i + 1, 1) != "'") break;
      value += text_[i];
      if (text_[i] == '\'') ++i;
    }
    EXPECT_LT(i, text_.size()) << "a string does not end";
    const std::string_view rest = text_.substr(std::min(i + 1, text_.size()));
    if (assigned_) pairs.emplace(key_, value);
    assigned_ = rest.starts_with(" = '");
    key_ = value;
    return i;
  }

  std::string_view text_;
  std::string key_;
  bool assigned_ = false;
};

TEST(Completions, ThePowerShellScriptIsWellFormed) {
  const ProgramReference program = DescribeProgram();
  const std::string script = CompletionScript("powershell", program);
  PowerShellReader reader(script);
  reader.Read();
  const auto has = [&](const std::string& key, std::string_view value) {
    const auto [first, last] = reader.pairs.equal_range(key);
    return std::any_of(first, last, [&](const auto& pair) { return pair.second == value; });
  };
  for (const CommandReference& command : program.commands) {
    EXPECT_TRUE(has(std::string(command.info->name), command.info->summary)) << command.info->name;
    std::vector<std::string> folded;  // PowerShell's tables ignore case, so -K and -k are equal
    for (const FlagSet::Entry& entry : command.entries) {
      if (entry.is_argument()) continue;
      for (const std::string& spelling : Spellings(entry)) {
        EXPECT_TRUE(has(spelling, entry.help)) << command.info->name << spelling;
        std::string lower = spelling;
        for (char& c : lower) c = static_cast<char>(std::tolower(c));
        EXPECT_EQ(std::ranges::count(folded, lower), 0) << spelling;
        folded.push_back(lower);
      }
    }
  }
}

}  // namespace
}  // namespace recall
