// Conventions of all commands: help, exit codes, JSON errors, the use of stdout and stderr.

#include <algorithm>
#include <sstream>

#include "tests/cli/listed_commands.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

class ConventionsTest : public RecallTest {
 protected:
  // The commands that the program lists.
  std::vector<std::string> Verbs() {
    std::vector<std::string> verbs = ListedCommands(Run({"--help"}).out);
    EXPECT_GE(verbs.size(), 50u);
    return verbs;
  }
};

TEST_F(ConventionsTest, HelpOfEveryCommand) {
  for (const std::string& verb : Verbs()) {
    const RunResult brief = Run({verb, "-h"});
    EXPECT_EQ(brief.exit, 0) << brief;
    EXPECT_EQ(brief.err, "");
    // Examples precede the usage line.
    EXPECT_LT(brief.out.find("  recall " + verb), brief.out.find("Usage: recall " + verb)) << brief;
    EXPECT_NE(brief.out.find("--json"), std::string::npos);
    EXPECT_LT(std::count(brief.out.begin(), brief.out.end(), '\n'), 64) << brief.out;

    const RunResult full = Run({verb, "--help"});
    EXPECT_EQ(full.exit, 0);
    EXPECT_NE(full.out.find("Exit codes:"), std::string::npos) << full;
    EXPECT_EQ(Run({"help", verb}).out, full.out);
    EXPECT_EQ(Run({"--help", verb}).out, full.out);
  }
}

TEST_F(ConventionsTest, HelpOfTheProgram) {
  const RunResult brief = Run({"-h"});
  EXPECT_EQ(brief.exit, 0);
  EXPECT_LT(std::count(brief.out.begin(), brief.out.end(), '\n'), 64) << brief.out;
  const RunResult full = Run({"--help"});
  for (const char* word : {"RECALL_STORE", "NO_COLOR", "recall.toml", "130  interrupted"}) {
    EXPECT_NE(full.out.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(Run({"help"}).out, full.out);
}

TEST_F(ConventionsTest, WordsOfOtherToolsAreSuggestions) {
  for (const auto& [word, command] : {std::pair("remove", "rm"),
                                      {"delete", "rm"},
                                      {"find", "search"},
                                      {"index", "add"},
                                      {"update", "add"},
                                      {"show", "get"},
                                      {"list", "ls"},
                                      {"serch", "search"}}) {
    const RunResult result = Run({word, "x"});
    EXPECT_EQ(result.exit, 2);
    EXPECT_NE(result.err.find("did you mean `recall " + std::string(command) + "`?"),
              std::string::npos)
        << result;
  }
}

TEST_F(ConventionsTest, WordsOfOtherToolsAreSuggestionsOfHelp) {
  EXPECT_EQ(Run({"help", "find"}).err,
            "error: COMMAND cannot be 'find'\nhint: did you mean search?\n");
  EXPECT_EQ(Run({"help", "serch"}).err,
            "error: COMMAND cannot be 'serch'\nhint: did you mean search?\n");
}

TEST_F(ConventionsTest, WhatIsMissingIsNamedWithACommandToType) {
  const RunResult context = Run({"context"});
  EXPECT_EQ(context.exit, 2);
  EXPECT_NE(context.err.find("QUERY is missing\nhint: for example: recall context "),
            std::string::npos)
      << context;
  for (const char* option : {"--store", "--config", "--color"}) {
    const RunResult bare = Run({option});
    EXPECT_EQ(bare.exit, 2);
    EXPECT_TRUE(bare.err.starts_with("error: " + std::string(option) + " needs a value\n")) << bare;
  }
}

TEST_F(ConventionsTest, AMissingFileIsNotFoundWhereverItIsNamed) {
  MakeSmallStore();
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"query", "@nofile"},
                                             {"query", "--rql", "@nofile"},
                                             {"search", "x", "--filter", "@nofile"},
                                             {"search", "x", "--embedding", "@nofile"},
                                             {"stats", "--config", "nofile"},
                                             {"merge", "nofile"},
                                             {"migrate", "nofile"},
                                             {"import", "nofile"},
                                             {"add", "nofile"},
                                             {"add", "--files-from", "nofile"},
                                             {"add", "--jsonl", "nofile"},
                                             {"bench", "--queries", "nofile"},
                                             {"bench", "--rql", "nofile"},
                                             {"eval", "nofile"},
                                             {"context", "--token-counter", "nofile", "x"},
                                             {"ls", "nofile"},
                                             {"get", "nofile"}}) {
    std::vector<std::string> json = args;
    json.push_back("--json");
    const RunResult result = Run(json);
    EXPECT_EQ(result.exit, 1) << result;
    EXPECT_EQ(result.Json()["error"]["code"], "not_found") << result;
  }
  EXPECT_EQ(Run({"stats"}, {.env = {{"RECALL_CONFIG", "nofile"}}}).exit, 1);
  EXPECT_EQ(Run({"stats", "--store", "nofile"}).exit, 3);
}

TEST_F(ConventionsTest, InitNeverAdvisesToRemoveAStore) {
  MakeSmallStore();
  const RunResult again = Run({"init"});
  EXPECT_EQ(again.exit, 3);
  EXPECT_NE(again.err.find("this is a store already"), std::string::npos) << again;
  EXPECT_NE(again.err.find("recall add"), std::string::npos) << again;
  EXPECT_EQ(again.err.find("remove"), std::string::npos) << again;
  Write("other.db", "not a store");
  const RunResult other = Run({"init", "other.db"});
  EXPECT_EQ(other.exit, 3);
  EXPECT_EQ(other.err.find("this is a store"), std::string::npos) << other;
}

TEST_F(ConventionsTest, SizesAreRoundedOnTerminalsAlone) {
  MakeSmallStore();
  const nlohmann::ordered_json sizes = Run({"stats", "--json"}).Json()["store"]["sizes"];
  EXPECT_GT(sizes["text"], 0);
  EXPECT_GT(sizes["lexical"], 0);
  EXPECT_GT(sizes["vectors"], 0);
  EXPECT_NE(Run({"stats"}).out.find("Parts:       text " + sizes["text"].dump() + " bytes"),
            std::string::npos);
  const RunResult shown = Run({"stats"}, {.terminal = true});
  EXPECT_NE(shown.out.find(" MB\n"), std::string::npos) << shown;
  EXPECT_EQ(shown.out.find(" bytes"), std::string::npos) << shown;
}

TEST_F(ConventionsTest, ADefinitionComesFirstAndSaysWhy) {
  Write("errno.h", "#define EPERM 1\n#define EAGAIN 11\n#define EINVAL 22 /* a bad argument */\n");
  Write("open.c", "int open_it(void) {\n  return -EINVAL; /* EINVAL, or EINVAL */\n}\n");
  Write("tests/open_test.c", "int check(void) {\n  return open_it() == EINVAL;\n}\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"add", "errno.h", "open.c", "tests"}).exit, 0);
  const RunResult found = Run({"search", "--explain", "what does EINVAL mean"});
  EXPECT_EQ(found.exit, 0);
  const size_t first = found.out.find("errno.h");
  ASSERT_NE(first, std::string::npos) << found;
  EXPECT_LT(first, found.out.find("open.c")) << found;
  EXPECT_NE(found.out.find("definition  + "), std::string::npos) << found;
  EXPECT_NE(found.out.find("  of EINVAL\n"), std::string::npos) << found;
  EXPECT_NE(found.out.find("tests  x 0.6000\n"), std::string::npos) << found;
  const RunResult plain = Run({"search", "--explain", "--cues", "none", "what does EINVAL mean"});
  EXPECT_LT(plain.out.find("open.c"), plain.out.find("errno.h")) << plain;
  EXPECT_EQ(plain.out.find("tests  x"), std::string::npos) << plain;
}

TEST_F(ConventionsTest, MisspeltValuesAreCorrected) {
  MakeSmallStore();
  const auto hint = [&](const std::vector<std::string>& args) {
    const std::string err = Run(args).err;
    return err.substr(std::min(err.find("hint: "), err.size()));
  };
  EXPECT_EQ(hint({"search", "--fusion", "rrff", "x"}), "hint: did you mean rrf?\n");
  EXPECT_EQ(hint({"search", "--stages", "near-dup", "x"}), "hint: did you mean near-duplicates?\n");
  EXPECT_EQ(hint({"search", "--field-weights", "titel=2", "x"}), "hint: did you mean title?\n");
  EXPECT_EQ(hint({"search", "--cues", "test=0.5", "x"}), "hint: did you mean tests?\n");
  EXPECT_EQ(hint({"search", "--color", "alwys", "x"}), "hint: did you mean always?\n");
  EXPECT_EQ(hint({"context", "--token-counter", "word", "x"}), "hint: did you mean words?\n");
  EXPECT_EQ(
      hint({"context", "--token-counter", "./word", "x"}),
      "hint: specify a tokenizer.json, or a file with a line \"BASE64 RANK\" for each token\n");
  EXPECT_EQ(hint({"get", "docs/guide.md@abc:2"}),
            "hint: the hash of a citation has at least 8 digits: path@1f0c39ab66e2:9-17\n");
  EXPECT_EQ(hint({"get", "docs/guide.md@abc"}),
            "hint: the hash of a citation has at least 8 digits: path@1f0c39ab66e2:9-17\n");
  EXPECT_EQ(hint({"get", "docs/guide.md@later"}),
            "hint: specify the path of a document, its lines (path:9-17), or an id\n");
  const std::string guide = hint({"guide", "short"});
  EXPECT_TRUE(guide.starts_with("hint: its sections are start, ")) << guide;
  EXPECT_TRUE(guide.ends_with(", pitfalls; `recall guide` alone prints the short guide\n"))
      << guide;
  EXPECT_EQ(hint({"embed", "--as", "has"}), "hint: did you mean hash?\n");
  EXPECT_EQ(hint({"query", "FROM doc SELEC doc.path"}), "hint: did you mean SELECT?\n");
}

TEST_F(ConventionsTest, HelpNeedsNeitherStoreNorArguments) {
  EXPECT_EQ(Run({"rm", "--help"}).exit, 0);
  EXPECT_EQ(Run({"search", "--k", "--help"}).exit, 0);
}

TEST_F(ConventionsTest, NoCommandIsShortHelpAndAnError) {
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult result = Run({});
  EXPECT_EQ(result.exit, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, Run({"-h"}).out);
}

TEST_F(ConventionsTest, UnknownCommandSuggestsTheNearest) {
  const RunResult result = Run({"serch", "x"});
  EXPECT_EQ(result.exit, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "error: unknown command 'serch'\nhint: did you mean `recall search`? To search for the "
            "word: recall -- serch\n");
  EXPECT_NE(Run({"-k", "3", "search", "x"}).err.find("unknown option '-k' before the command"),
            std::string::npos);
}

TEST_F(ConventionsTest, Version) {
  const RunResult result = Run({"version"});
  EXPECT_EQ(result.exit, 0);
  EXPECT_TRUE(result.out.starts_with("recall 0.")) << result;
  EXPECT_EQ(Run({"--version"}).out, result.out);
  EXPECT_NE(Run({"version", "--verbose"}).out.find("SIMD targets:"), std::string::npos);
  const auto json = Run({"version", "--json"}).Json();
  EXPECT_EQ("recall " + json["version"]["program"].get<std::string>() + "\n", result.out);
  EXPECT_FALSE(json["version"]["simd_targets"].empty());
}

struct BadCommandLine {
  std::vector<std::string> args;
  std::string words;  // in the error message
};

TEST_F(ConventionsTest, BadCommandLinesAreUsageErrorsInBothForms) {
  MakeSmallStore();
  const BadCommandLine lines[] = {
      {{"search", "--k", "-1", "x"}, "--k must be"},
      {{"search", "--k", "abc", "x"}, "--k must be"},
      {{"search", "--k", "0", "x"}, "--k must be"},
      {{"search", "--k", "1001", "x"}, "--k 1001 exceeds the limit of 1000"},
      {{"search", "--offset", "-3", "x"}, "--offset must be"},
      {{"search", "x", "--k"}, "--k needs a value"},
      {{"search"}, "QUERY is missing"},
      {{"search", ""}, "the query is empty"},
      {{"search", " \t\n"}, "the query is empty"},
      {{"search", "-foo"}, "unknown option '-foo'"},
      {{"search", "--lexical-mode", "sql", "x"}, "--lexical-mode must be one of"},
      {{"search", "--threads", "-2", "x"}, "--threads must be"},
      {{"context", "--budget-tokens", "0", "x"}, "--budget-tokens must be"},
      {{"context", "--diversity", "none", "x"}, "--diversity must be"},
      {{"context", ""}, "the query is empty"},
      {{"add", "--parser", "pdf"}, "--parser must be one of"},
      {{"add", "--max-file-size", "big"}, "--max-file-size must be"},
      {{"add", "--threads", "x"}, "--threads must be"},
      {{"add", "--gob", "*.md"}, "unknown option '--gob'"},
      {{"rm"}, "TARGET is missing"},
      {{"get"}, "TARGET is missing"},
      {{"get", "--fields", "pth", "a"}, "unknown field 'pth'"},
      {{"stats", "now"}, "unexpected argument 'now'"},
      {{"stats", "--color", "mauve"}, "--color must be one of"},
      {{"init", "a", "b"}, "unexpected argument 'b'"},
      {{"serach"}, "unknown command 'serach'"},
  };
  for (BadCommandLine line : lines) {
    const RunResult text = Run(line.args);
    EXPECT_EQ(text.exit, 2) << text;
    EXPECT_EQ(text.out, "");
    EXPECT_TRUE(text.err.starts_with("error: ")) << text;
    EXPECT_NE(text.err.find(line.words), std::string::npos) << text;
    EXPECT_NE(text.err.find("\nhint: "), std::string::npos) << text;

    line.args.insert(line.args.begin(), "--json");
    const RunResult json = Run(line.args);
    EXPECT_EQ(json.exit, 2) << json;
    EXPECT_EQ(json.err, "");
    const auto error = json.Json();
    EXPECT_EQ(error["ok"], false);
    EXPECT_EQ(error["schema_version"], "2");
    EXPECT_EQ(error["error"]["code"], "invalid_argument");
    EXPECT_NE(error["error"]["message"].get<std::string>().find(line.words), std::string::npos);
    EXPECT_TRUE(error["error"]["hint"].is_string()) << json;
  }
}

TEST_F(ConventionsTest, FlagsThatExcludeEachOther) {
  MakeSmallStore();
  EXPECT_EQ(Run({"search", "x", "--json", "--jsonl"}).exit, 2);
  EXPECT_EQ(Run({"context", "x", "--format", "text", "--json"}).exit, 2);
}

TEST_F(ConventionsTest, JsonLinesErrorsAreOneLine) {
  const RunResult result = Run({"search", "--jsonl", "x"});
  EXPECT_EQ(result.exit, 3);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result;
  EXPECT_EQ(result.Json()["type"], "error");
  EXPECT_EQ(result.Json()["error"]["code"], "store_not_found");
}

TEST_F(ConventionsTest, FormatJsonHasJsonErrors) {
  const RunResult result = Run({"context", "--format=json", "x"});
  EXPECT_EQ(result.exit, 3);
  EXPECT_EQ(result.Json()["error"]["code"], "store_not_found");
  EXPECT_EQ(Run({"context", "--format", "json", ""}).Json()["error"]["code"], "invalid_argument");
}

TEST_F(ConventionsTest, EveryCommandThatNeedsAStoreSaysThatThereIsNone) {
  const std::vector<std::string> commands[] = {{"add", "."},
                                               {"rm", "x"},
                                               {"search", "x"},
                                               {"context", "x"},
                                               {"query", "--rql", "x"},
                                               {"get", "x"},
                                               {"stats"},
                                               {"compact"},
                                               {"export", "--out", "y"},
                                               {"import", "x.jsonl"},
                                               {"doctor"},
                                               {"inspect"},
                                               {"migrate"},
                                               {"backup", "copy.db"},
                                               {"bench"},
                                               {"merge", "x"}};
  for (std::vector<std::string> arguments : commands) {
    arguments.push_back("--json");
    const RunResult result = Run(arguments);
    EXPECT_EQ(result.exit, 3) << result;
    EXPECT_EQ(result.Json()["error"]["code"], "store_not_found") << result;
  }
}

TEST_F(ConventionsTest, WordsAfterTwoDashesAreNotFlags) {
  MakeSmallStore();
  const RunResult result = Run({"search", "--", "--json"});
  EXPECT_EQ(result.exit, 0);
  EXPECT_FALSE(result.out.starts_with("{")) << result;
  const RunResult rm = Run({"rm", "--", "--json"});
  EXPECT_EQ(rm.exit, 1);
  EXPECT_EQ(rm.out, "");
}

TEST_F(ConventionsTest, CommandsWithoutAStoreSayHowToMakeOne) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"search", "x"}, {"context", "x"}, {"get", "x"}, {"stats"}, {"add"}, {"rm", "x"}}) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 3) << result;
    EXPECT_TRUE(result.err.starts_with("error: store not found; run `recall init` first\n"))
        << result;
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(ConventionsTest, DamagedAndForeignFilesAreCorruption) {
  Write("recall.db", "this is not a database, but it is long enough to look like a file of one\n");
  const RunResult damaged = Run({"stats", "--json"});
  EXPECT_EQ(damaged.exit, 4) << damaged;
  EXPECT_EQ(damaged.Json()["error"]["code"], "corruption");
  EXPECT_EQ(Run({"add", "--json"}).exit, 4);
}

TEST_F(ConventionsTest, ATruncatedStoreIsAnErrorNotACrash) {
  MakeSmallStore();
  const std::string whole = Read("recall.db");
  for (const size_t size : {size_t{0}, size_t{1}, size_t{100}, size_t{65536}, whole.size() / 2}) {
    Write("recall.db", whole.substr(0, size));
    const RunResult result = Run({"search", "--json", "segments"});
    EXPECT_TRUE(result.exit == 0 || result.exit == 4 || result.exit == 3) << size << result;
    EXPECT_EQ(result.Json()["ok"], result.exit == 0);
  }
}

TEST_F(ConventionsTest, AReaderThatGoesAwayIsNoError) {
  MakeSmallStore();
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"search", "segments"}, {"context", "segments"}, {"stats", "--json"}, {"--help"}}) {
    const RunResult result = Run(args, {.stdout_unread = true});
    EXPECT_EQ(result.exit, 0) << result;
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(ConventionsTest, AClosedStdoutIsAnErrorAndDoesNotEndUpInTheStore) {
  MakeSmallStore();
  const RunResult before = Run({"search", "--json", "segments"});
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"search", "segments"},
                                             {"search", "segments", "--json"},
                                             {"get", "docs/guide.md"},
                                             {"export"},
                                             {"stats"},
                                             {"add"},
                                             {"config"},
                                             {"help"},
                                             {"--help"},
                                             {"--version"},
                                             {"init", "new"}}) {
    const RunResult result = Run(args, {.stdout_closed = true});
    EXPECT_EQ(result.exit, 3) << args[0] << result;
    EXPECT_EQ(result.err, "error: cannot write to standard output: it is closed\n") << args[0];
  }
  // An error keeps its status, and no answer needs no output.
  EXPECT_EQ(Run({"get", "nowhere.md", "--json"}, {.stdout_closed = true}).exit, 1);
  EXPECT_EQ(Run({"add", "--quiet"}, {.stdout_closed = true}).exit, 0);
  EXPECT_EQ(Run({"search", "--json", "segments"}).out, before.out);
}

// A relative path has no meaning then; "." must not become "/".
TEST_F(ConventionsTest, ADeletedWorkingDirectoryIsAnError) {
  MakeSmallStore();
  const std::string before = Run({"export"}).out;
  const auto inside = [&](const std::string& command) {
    return RunShell("mkdir gone && cd gone && rmdir ../gone && exec recall " + command,
                    directory());
  };
  for (const std::string command :
       {"add . --store ../recall.db", "add . --store STORE", "add x.md --store STORE",
        "rm . --store STORE", "get docs/guide.md --store STORE", "similar a/b.md --store STORE",
        "backup copy.db --store STORE", "migrate old.db", "init", "search segments", "config"}) {
    const size_t at = command.find("STORE");
    const std::string line =
        at == command.npos ? command : command.substr(0, at) + Path("recall.db");
    const ShellResult result = inside(line);
    EXPECT_EQ(result.exit, 3) << command << result.out;
    EXPECT_NE(result.out.find("working directory"), std::string::npos) << command << result.out;
  }
  // What needs no working directory goes on.
  EXPECT_EQ(inside("search segments --store " + Path("recall.db")).exit, 0);
  EXPECT_EQ(inside("add --store " + Path("recall.db") + " " + Path("docs")).exit, 0);
  EXPECT_EQ(Run({"export"}).out, before);
}

TEST_F(ConventionsTest, ErrorsOfPermissionsNameThePathAndTheReason) {
  MakeSmallStore();
  ASSERT_EQ(Run({"init", "locked"}).exit, 0);
  ASSERT_EQ(Run({"init", "secret"}).exit, 0);
  std::filesystem::create_directories(Path("bare"));
  std::filesystem::permissions(Path("bare"), std::filesystem::perms(0755));
  std::filesystem::permissions(Path("locked"), std::filesystem::perms(0644));
  std::filesystem::permissions(Path("secret/recall.db"), std::filesystem::perms(0));
  const auto refused = [&](const std::vector<std::string>& args, const std::string& path) {
    const RunResult result = Run(args, {.unprivileged = true});
    EXPECT_EQ(result.exit, 3) << result;
    EXPECT_NE(result.err.find(Path(path)), std::string::npos) << result;
    EXPECT_NE(result.err.find("Permission denied"), std::string::npos) << result;
    EXPECT_NE(result.err.find("hint: "), std::string::npos) << result;
  };
  refused({"search", "x", "--store", "locked"}, "locked/recall.db");
  refused({"search", "x", "--store", "locked/recall.db"}, "locked/recall.db");
  refused({"search", "x", "--store", "secret"}, "secret/recall.db");
  refused({"add", "docs", "--store", "secret"}, "secret/recall.db");
  refused({"backup", "bare/copy.db", "--store", "secret"}, "secret/recall.db");
  refused({"backup", "bare/copy.db"}, "bare/copy.db");
  refused({"init", "bare"}, "bare/recall.db");
  refused({"init", "bare/below"}, "bare/below");
  std::filesystem::permissions(Path("locked"), std::filesystem::perms(0755));
}

TEST_F(ConventionsTest, ADirectoryInThePlaceOfAStoreIsCalledOne) {
  std::filesystem::create_directories(Path("recall.db"));
  const RunResult init = Run({"init"});
  EXPECT_EQ(init.exit, 3);
  EXPECT_NE(init.err.find(Path("recall.db") + ": there is a directory of this name"),
            std::string::npos)
      << init;
  const RunResult search = Run({"search", "x", "--store", "."});
  EXPECT_EQ(search.exit, 3);
  EXPECT_NE(search.err.find(Path("recall.db") + " is a directory"), std::string::npos) << search;
}

// Times are read alike by all options, and errors name the option.
TEST_F(ConventionsTest, TimesAreReadAlikeByAllOptions) {
  MakeSmallStore();
  for (const std::string time : {"-7d", "7d", "2026-11", "yesterday", "2026-11-01T00:00:00Z"}) {
    EXPECT_EQ(Run({"sessions", "--since=" + time}).exit, 0) << time;
    EXPECT_EQ(Run({"ls", "--as-of=" + time}).exit, 0) << time;
  }
  const RunResult bad = Run({"sessions", "--since", "soon"});
  EXPECT_EQ(bad.exit, 2);
  EXPECT_TRUE(bad.err.starts_with("error: --since must be a time such as ")) << bad;
}

TEST_F(ConventionsTest, ValuesThatAreTooLargeNameTheLargest) {
  MakeSmallStore();
  const auto says = [&](const std::vector<std::string>& args, const std::string& words) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 2) << result;
    EXPECT_NE(result.err.find(words), std::string::npos) << words << result;
  };
  const std::string most = " to 2147483647, not '";
  says({"search", "x", "-k", "4294967296"}, "--k must be a whole number from 1" + most);
  says({"search", "x", "--offset", "1000000000000000000"}, "from 0" + most);
  says({"context", "x", "--budget-tokens", "999999999999"}, "from 1" + most);
  says({"eval", ".", "--spans", "--budget-tokens", "200,999999999999"},
       "from 1 to 2147483647, separated");
  const std::string range = "must be a time from 1677-09-22 to 2262-04-11, not '9999-12-31";
  says({"search", "x", "--filter", "doc.mtime < '-1d'", "--as-of", "9999-12-31"},
       "--as-of " + range);
  says({"search", "x", "--as-of", "9999-12-31T00:00:00Z"}, "--as-of " + range);
  says({"search", "x", "--snapshot", "9999-12-31T00:00:00Z"}, range);
  const std::string token = Run({"stats", "--json"}).Json()["stats"]["snapshot"];
  const std::string store = token.substr(0, token.find('-') + 1);
  for (const std::string bad : {"-1", "99999999999999999999999", "01", "x", ""}) {
    says({"search", "x", "--snapshot", store + bad}, "'" + store + bad + "' is not a snapshot");
  }
}

// A limit on the size of files is an error like a full disk, and no signal ends the program.
TEST_F(ConventionsTest, AFileSizeLimitIsAnErrorAndLeavesNothing) {
  MakeSmallStore();
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "word" + std::to_string(i * 7919) + " ";
  Write("large/a.md", text);
  const std::string before = Run({"export"}).out;
  const auto limited = [&](const std::string& command) {
    const ShellResult result = RunShell("ulimit -f 64; exec recall " + command, directory());
    EXPECT_EQ(result.exit, 3) << command << result.out;
    EXPECT_NE(result.out.find("limit on the size of files"), std::string::npos) << result.out;
  };
  limited("init new");
  EXPECT_TRUE(std::filesystem::is_empty(Path("new")));
  limited("backup new/copy.db");
  limited("add large");
  EXPECT_EQ(Run({"export"}).out, before);
  ASSERT_EQ(Run({"add", "large"}).exit, 0);
  limited("export --out new/all.jsonl");
  EXPECT_TRUE(std::filesystem::is_empty(Path("new")));
  EXPECT_EQ(Run({"doctor"}).exit, 0);
}

// A reader of a store creates files beside it, for which a full disk has no room.
TEST_F(ConventionsTest, AStoreIsReadWhereNoFileCanGrow) {
  MakeSmallStore();
  for (const std::string command :
       {"search segments --no-serve", "context segments", "get docs/guide.md", "ls", "export",
        "query \"FROM doc SELECT doc.path\"", "doctor --quiet"}) {
    const ShellResult usual = RunShell("exec recall " + command, directory());
    const ShellResult limited = RunShell("ulimit -f 0; exec recall " + command, directory());
    EXPECT_EQ(limited.exit, 0) << command << limited.out;
    EXPECT_EQ(limited.out, usual.out) << command;
  }
  // An empty file may stay, which the next reader removes.
  EXPECT_EQ(Run({"ls"}).exit, 0);
  EXPECT_FALSE(std::filesystem::exists(Path("recall.db-shm")));
}

TEST_F(ConventionsTest, AFullDiskBehindStdoutIsAnError) {
  MakeSmallStore();
  const RunResult result = Run({"search", "segments"}, {.stdout_file = "/dev/full"});
  EXPECT_EQ(result.exit, 3);
  EXPECT_NE(result.err.find("cannot write to standard output"), std::string::npos) << result;
}

TEST_F(ConventionsTest, ColourOnlyOnATerminal) {
  MakeSmallStore();
  const std::vector<std::string> args = {"search", "segments"};
  EXPECT_EQ(Run(args).out.find('\x1b'), std::string::npos);
  EXPECT_NE(Run(args, {.terminal = true}).out.find("\x1b["), std::string::npos);
  EXPECT_NE(Run({"search", "segments", "--color", "always"}).out.find("\x1b["), std::string::npos);
  const RunResult no_color = Run(args, {.env = {{"NO_COLOR", "1"}}, .terminal = true});
  EXPECT_EQ(no_color.out.find('\x1b'), std::string::npos) << no_color;
  const RunResult dumb = Run(args, {.env = {{"TERM", "dumb"}}, .terminal = true});
  EXPECT_EQ(dumb.out.find('\x1b'), std::string::npos);
  const RunResult never = Run({"search", "segments", "--color=never"}, {.terminal = true});
  EXPECT_EQ(never.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(Run({"search", "segments", "--json"}, {.terminal = true}).out.find('\x1b'),
            std::string::npos);
}

TEST_F(ConventionsTest, ATerminalShowsTheAnswerAboveTheRemark) {
  MakeSmallStore();
  const RunOptions terminal = {.env = {{"NO_COLOR", "1"}}, .terminal = true};
  const RunResult page = Run({"search", "-k", "1", "segments"}, terminal);
  EXPECT_LT(page.out.find(".md:1-"), page.out.find("--offset 1 shows more")) << page;
  EXPECT_NE(page.out.find("--offset 1 shows more"), std::string::npos) << page;
  const RunResult partly = Run({"rm", "docs/guide.md", "nowhere"}, terminal);
  EXPECT_LT(partly.out.find("removed docs/guide.md"), partly.out.find("error: ")) << partly;
}

TEST_F(ConventionsTest, StoredControlCharactersDoNotReachATerminal) {
  Write("evil.md", "evil \x1b]0;title\x07 text \xE2\x80\xAE reversed\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"add"}).exit, 0);
  const RunOptions terminal = {.env = {{"NO_COLOR", "1"}}, .terminal = true};
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"search", "evil"}, {"context", "evil"}, {"get", "evil.md"}}) {
    const RunResult result = Run(args, terminal);
    EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << result;
    EXPECT_NE(result.out.find("\\x1b]0;title\\x07"), std::string::npos) << result;
    EXPECT_NE(result.out.find("\\u202e"), std::string::npos) << result;
  }
  // A pipe gets the unchanged bytes.
  EXPECT_EQ(Run({"get", "evil.md"}).out, Read("evil.md"));
}

TEST_F(ConventionsTest, SettingsOfAStrangerDoNotReachATerminal) {
  ASSERT_EQ(Run({"init"}).exit, 0);
  Write("recall.toml", "token_counter = \"x\\u009b31m\\u202e\"\n");
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"config"}, {"config", "token_counter"}, {"config", "--json"}}) {
    const RunResult shown = Run(args, {.env = {{"NO_COLOR", "1"}}, .terminal = true});
    EXPECT_EQ(shown.out.find("\xC2\x9B"), std::string::npos) << shown;
    EXPECT_EQ(shown.out.find("\xE2\x80\xAE"), std::string::npos) << shown;
    EXPECT_NE(shown.out.find("31m\\u202e"), std::string::npos) << shown;
  }
  // What a file gets can be read again.
  Write("again.toml", Run({"config"}).out);
  EXPECT_EQ(Run({"config", "--config", "again.toml", "token_counter"}).out,
            Run({"config", "token_counter"}).out);
}

TEST_F(ConventionsTest, JsonOnATerminalIsEqualAndControlsNothing) {
  const std::string evil =
      "evil \x7F \xC2\x9B"
      "31m \xE2\x80\xAE reversed";
  Write("evil.md", evil + "\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"add"}).exit, 0);
  const auto controls = [](const RunResult& result) {
    return result.out.find('\x7F') != std::string::npos ||
           result.out.find("\xC2\x9B") != std::string::npos ||
           result.out.find("\xE2\x80\xAE") != std::string::npos;
  };
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"search", "--json", "--stable", "evil"},
                                             {"context", "--json", "--stable", "evil"},
                                             {"get", "--json", "evil.md"},
                                             {"get", "--json", evil},  // an error
                                             {"search", "--jsonl", "--stable", "evil"},
                                             {"export"}}) {
    const RunResult shown = Run(args, {.terminal = true});
    EXPECT_FALSE(controls(shown)) << args[0] << shown;
    EXPECT_NE(shown.out.find("\\u007f \\u009b31m \\u202e"), std::string::npos) << args[0] << shown;
    const RunResult piped = Run(args);
    EXPECT_TRUE(controls(piped)) << args[0] << piped;
    std::istringstream shown_lines(shown.out);
    std::istringstream piped_lines(piped.out);
    const bool lines = args[0] == "export" || args[1] == "--jsonl";
    const char end = lines ? '\n' : '\0';
    for (std::string a, b; std::getline(piped_lines, a, end);) {
      ASSERT_TRUE(std::getline(shown_lines, b, end)) << args[0];
      EXPECT_EQ(nlohmann::json::parse(a), nlohmann::json::parse(b)) << args[0];
    }
  }
}

TEST_F(ConventionsTest, QuietSaysOnlyWhatWasAsked) {
  Write("a.md", "some text\n");
  Write("b.bin", std::string("\0\xff\xfe", 3));
  const RunResult init = Run({"init", "--quiet"});
  EXPECT_EQ(init.exit, 0);
  EXPECT_EQ(init.out + init.err, "");
  const RunResult add = Run({"add", "--quiet"});
  EXPECT_EQ(add.exit, 0);
  EXPECT_EQ(add.out + add.err, "");
  EXPECT_NE(Run({"search", "text", "--quiet"}).out, "");
}

TEST_F(ConventionsTest, SimdTargetsAreChosenByNameAndAnswerAlike) {
  MakeSmallStore();
  const RunResult unknown = Run({"stats"}, {.env = {{"RECALL_SIMD", "ABACUS"}}});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("ABACUS"), std::string::npos);
  const auto build = Run({"version", "--json"}).Json()["version"];
  const std::string usual = Run({"search", "--json", "segments"}).out;
  for (const auto& target : build["simd_targets"]) {
    EXPECT_NE(unknown.err.find(target.get<std::string>()), std::string::npos) << unknown;
    const RunOptions forced = {.env = {{"RECALL_SIMD", target.get<std::string>()}}};
    EXPECT_EQ(Run({"search", "--json", "segments"}, forced).out, usual) << target;
  }
}

}  // namespace
}  // namespace recall
