#include "cli/options/flags/flags.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace recall {
namespace {

// A command line with one flag of each kind.
struct Parsed {
  bool loud = false;
  std::optional<std::string> tag;
  std::vector<std::string> globs;
  int64_t k = 8;
  int64_t page = 0;
  uint64_t size = 0;
  std::optional<int64_t> duration;
  std::string parser = "auto";
  std::vector<std::string> words;
  std::vector<FlagSetting> settings;
  Status status;
};

Parsed Parse(const std::vector<std::string>& args, size_t max_words = SIZE_MAX) {
  Parsed parsed;
  FlagSet flags;
  flags.Words("QUERY", &parsed.words, 0, max_words, "");
  flags.Switch("--loud", &parsed.loud, "");
  flags.Text("--tag", &parsed.tag, "TEXT", "");
  flags.TextList("--glob", &parsed.globs, "PATTERN", "");
  flags.Number("-k,--k", &parsed.k, 1, 100, "");
  flags.Number("--page", &parsed.page, 0, INT32_MAX, "");
  flags.Size("--size", &parsed.size, "");
  flags.Duration("--for", &parsed.duration, "");
  flags.Choice("--parser", &parsed.parser, {"auto", "plain"}, "");
  flags.Setting("--threads", "threads", "N", "");
  parsed.status = flags.Parse(args);
  parsed.settings = flags.settings();
  return parsed;
}

TEST(FlagSetTest, TakesFlagsAndWordsInAnyOrder) {
  const Parsed parsed = Parse({"how", "--k", "3", "are", "--loud", "--tag=x", "segments"});
  ASSERT_OK(Status(parsed.status));
  EXPECT_EQ(parsed.words, (std::vector<std::string>{"how", "are", "segments"}));
  EXPECT_EQ(parsed.k, 3);
  EXPECT_TRUE(parsed.loud);
  EXPECT_EQ(parsed.tag, "x");
}

TEST(FlagSetTest, TellsWhatWasGiven) {
  FlagSet flags;
  std::optional<std::string> tag;
  int64_t k = 8;
  flags.Text("--tag", &tag, "TEXT", "");
  flags.Number("-k,--k", &k, 1, 100, "");
  ASSERT_OK(flags.Parse({"--tag", "a", "--tag=b"}));
  EXPECT_EQ(flags.Given("--tag"), "b");
  EXPECT_EQ(flags.Given("--k"), std::nullopt) << "it has its default";
  EXPECT_EQ(flags.Given("--other"), std::nullopt);
}

// CLI11 takes the next word for the value of `--tag=`.
TEST(FlagSetTest, AnEmptyValueIsNeverTheNextWord) {
  for (const char* flag : {"--tag", "--glob", "--k", "--size", "--for", "--parser"}) {
    const std::string empty = std::string(flag) + "=";
    for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
             {empty, "word"}, {empty, "--page=3"}, {empty}, {flag, "", "word"}}) {
      const Parsed parsed = Parse(args);
      EXPECT_EQ(parsed.status.code(), StatusCode::kInvalidArgument) << empty;
      EXPECT_TRUE(parsed.status.message().starts_with(flag)) << parsed.status.ToString();
    }
  }
  const Parsed setting = Parse({"--threads=", "word"});
  ASSERT_OK(Status(setting.status));
  EXPECT_EQ(setting.settings.at(0).text, "");
  EXPECT_EQ(setting.words, std::vector<std::string>{"word"});
}

TEST(FlagSetTest, AnEmptyValueMayBeNone) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"--tag=", "--list=", "word"}, {"--list", "", "--tag", "", "--", "word"}}) {
    FlagSet flags;
    std::optional<std::string> tag;
    std::vector<std::string> list;
    std::vector<std::string> words;
    flags.Words("WORD", &words, 0, 9, "");
    flags.Text("--tag", &tag, "TEXT", "");
    flags.EmptyIsAbsent();
    flags.TextList("--list", &list, "TEXT", "");
    flags.EmptyIsAbsent();
    ASSERT_OK(flags.Parse(args));
    EXPECT_EQ(tag, std::nullopt);
    EXPECT_TRUE(list.empty());
    EXPECT_EQ(words, std::vector<std::string>{"word"});
  }
}

TEST(FlagSetTest, KeepsDefaultsOfFlagsThatAreNotGiven) {
  const Parsed parsed = Parse({});
  ASSERT_OK(Status(parsed.status));
  EXPECT_EQ(parsed.k, 8);
  EXPECT_EQ(parsed.tag, std::nullopt);
  EXPECT_TRUE(parsed.words.empty());
}

// Brackets, braces and percent signs have a meaning in CLI11, but not in our values.
TEST(FlagSetTest, HandsOddValuesOnUnchanged) {
  for (const std::string value : {"[a,b]", "[abc]*.md", "{a,b}", "{}", "%%", "-", "a=b", "'q'",
                                  "\"q\"", "--loud", "-1", "a b", "\n", "\xff\xfe", "[]", "/opt"}) {
    const Parsed parsed = Parse({"--glob", value, "--tag", value});
    ASSERT_OK(Status(parsed.status));
    EXPECT_EQ(parsed.globs, std::vector<std::string>{value});
    EXPECT_EQ(parsed.tag, value);
  }
  for (const std::string word : {"[a,b]", "{a}", "%%", "-", "a=b", "/opt", "", "'x y'"}) {
    const Parsed parsed = Parse({word});
    ASSERT_OK(Status(parsed.status));
    EXPECT_EQ(parsed.words, std::vector<std::string>{word});
  }
}

TEST(FlagSetTest, RepeatedListsCollectAndRepeatedValuesTakeTheLast) {
  const Parsed parsed = Parse({"--glob", "a", "--k", "1", "--glob=b", "-k", "2", "--glob", "a"});
  ASSERT_OK(Status(parsed.status));
  EXPECT_EQ(parsed.globs, (std::vector<std::string>{"a", "b", "a"}));
  EXPECT_EQ(parsed.k, 2);
}

TEST(FlagSetTest, EverythingAfterTwoDashesIsAWord) {
  const Parsed parsed = Parse({"--k", "2", "--", "--loud", "-x", "--", "--nope"});
  ASSERT_OK(Status(parsed.status));
  EXPECT_EQ(parsed.words, (std::vector<std::string>{"--loud", "-x", "--", "--nope"}));
  EXPECT_FALSE(parsed.loud);
}

TEST(FlagSetTest, SettingsRememberTheirFlag) {
  const Parsed parsed = Parse({"--threads", "4"});
  ASSERT_OK(Status(parsed.status));
  ASSERT_EQ(parsed.settings.size(), 1u);
  EXPECT_EQ(parsed.settings[0].key, "threads");
  EXPECT_EQ(parsed.settings[0].flag, "--threads");
  EXPECT_EQ(parsed.settings[0].text, "4");
}

struct BadLine {
  std::vector<std::string> args;
  std::string message;
  std::string hint;
};

TEST(FlagSetTest, SaysWhatIsWrong) {
  const BadLine lines[] = {
      {{"--k", "abc"}, "--k must be a whole number from 1 to 100, not 'abc'", ""},
      {{"--k", "-1"}, "--k must be a whole number from 1 to 100, not '-1'", ""},
      {{"--k", "101"}, "--k must be a whole number from 1 to 100, not '101'", ""},
      {{"--k", "3.5"}, "--k must be a whole number from 1 to 100, not '3.5'", ""},
      {{"--k", ""}, "--k must be a whole number from 1 to 100, not ''", ""},
      {{"--k", "99999999999999999999"},
       "--k must be a whole number from 1 to 100, not '99999999999999999999'",
       ""},
      {{"x", "--k"}, "--k needs a value", ""},
      {{"--tag"}, "--tag needs a value", ""},
      {{"--loud=yes"}, "--loud takes no value", ""},
      {{"--size", "12 elephants"},
       "--size must be a number of bytes such as 1000, 64K or 512MiB, not '12 elephants'",
       ""},
      {{"--page", "zero"}, "--page must be a whole number from 0 up, not 'zero'", ""},
      {{"--page", "-1"}, "--page must be a whole number from 0 up, not '-1'", ""},
      {{"--page", "-99999999999999999999"},
       "--page must be a whole number from 0 up, not '-99999999999999999999'",
       ""},
      {{"--page", "2147483648"},
       "--page must be a whole number from 0 to 2147483647, not '2147483648'",
       ""},
      {{"--page", "99999999999999999999"},
       "--page must be a whole number from 0 to 2147483647, not '99999999999999999999'",
       ""},
      {{"--size", "9999999999T"}, "--size must be at most 8388607T, not '9999999999T'", ""},
      {{"--size", "-1K"},
       "--size must be a number of bytes such as 1000, 64K or 512MiB, not '-1K'",
       ""},
      {{"--for", "999999d"}, "--for must be at most 106751d, not '999999d'", ""},
      {{"--for", "99999999999999999999d"},
       "--for must be at most 106751d, not '99999999999999999999d'",
       ""},
      {{"--for", "7x"}, "--for must be a length of time such as 30m, 12h, 7d or 0, not '7x'", ""},
      {{"--parser", "pdf"}, "--parser must be one of auto|plain, not 'pdf'", ""},
      {{"--gob", "x"}, "unknown option '--gob'", "did you mean --glob?"},
      {{"-zzz"}, "unknown option '-zzz'", "put -- before an argument that starts with '-'"},
  };
  for (const BadLine& line : lines) {
    const Status status = Parse(line.args).status;
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << line.message;
    EXPECT_EQ(status.message(), line.message);
    EXPECT_EQ(status.hint(), line.hint) << line.message;
  }
}

TEST(FlagSetTest, LengthsOfTimeHaveManyForms) {
  constexpr int64_t kDay = int64_t{86'400} * 1'000'000'000;
  const std::pair<std::string, int64_t> kTexts[] = {{"0", 0},
                                                    {"36h", kDay * 3 / 2},
                                                    {"7d", 7 * kDay},
                                                    {"2w", 14 * kDay},
                                                    {"6mo", 180 * kDay},
                                                    {"6 months", 180 * kDay},
                                                    {"90 days", 90 * kDay},
                                                    {"1.5d", kDay * 3 / 2},
                                                    {"106751d", 106'751 * kDay}};
  for (const auto& [text, nanos] : kTexts) {
    const Parsed parsed = Parse({"--for", text});
    ASSERT_OK(Status(parsed.status));
    EXPECT_EQ(parsed.duration, nanos) << text;
  }
}

TEST(FlagSetTest, CountsWords) {
  EXPECT_EQ(Parse({"a", "b"}, 1).status.message(), "unexpected argument 'b'");
  EXPECT_EQ(Parse({"a"}, 0).status.message(), "unexpected argument 'a'");
  FlagSet flags;
  std::vector<std::string> words;
  flags.Words("TARGET", &words, 1, 1, "");
  EXPECT_EQ(flags.Parse({}).message(), "TARGET is missing");
}

TEST(ParseByteSizeTest, UnderstandsUnits) {
  EXPECT_EQ(ParseByteSize("0"), 0u);
  EXPECT_EQ(ParseByteSize("1000"), 1000u);
  EXPECT_EQ(ParseByteSize("7B"), 7u);
  EXPECT_EQ(ParseByteSize("64K"), 65536u);
  EXPECT_EQ(ParseByteSize("64kb"), 64000u);
  EXPECT_EQ(ParseByteSize("512MiB"), 512u << 20);
  EXPECT_EQ(ParseByteSize("1.5 G"), 3ull << 29);
  EXPECT_EQ(ParseByteSize("2TB"), 2'000'000'000'000u);
  for (const char* bad :
       {"", "x", "-1", "1X", "1KBs", "1e9999", "inf", "nan", "9999999999G", "K"}) {
    EXPECT_EQ(ParseByteSize(bad), std::nullopt) << bad;
  }
}

TEST(OtherWordsTest, OfOtherToolsAreSuggestedWhereTheFlagExists) {
  FlagSet flags;
  int64_t k = 0;
  flags.Number("-k,--k", &k, 1, 10, "results");
  for (const char* word : {"--limit", "-n", "--top"}) {
    const Status status = flags.Parse({word, "5"});
    EXPECT_EQ(status.hint(), "did you mean --k?") << word;
  }
  FlagSet context;
  context.Number("--budget-tokens", &k, 1, 10, "maximum number of tokens");
  for (const char* word : {"--budget", "--tokens", "--max-tokens"}) {
    EXPECT_EQ(context.Parse({word, "5"}).hint(), "did you mean --budget-tokens?") << word;
  }
  FlagSet none;
  EXPECT_NE(none.Parse({"--limit", "5"}).hint(), "did you mean --k?");
}

}  // namespace
}  // namespace recall
