// The commands export, import and migrate.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "tests/cli/recall_process.h"
#include "tests/query/compat/recall01/old_store.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class TransferTest : public RecallTest {
 protected:
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  // Makes a store of `count` small documents, and its export.
  std::string ExportOfMany(int count) {
    for (int i = 0; i < count; ++i) {
      Write("many/" + std::to_string(i) + ".txt", "document number " + std::to_string(i) + "\n");
    }
    EXPECT_EQ(Run({"init"}).exit, 0);
    EXPECT_EQ(Run({"add", "many"}).exit, 0);
    const RunResult exported = Run({"export"});
    EXPECT_EQ(exported.exit, 0) << exported;
    return exported.out;
  }

  int64_t Documents(const std::string& store) {
    return Run({"stats", "--json", "--store", store}).Json()["stats"]["doc_count"];
  }
};

TEST_F(TransferTest, StandardStreamsCarryTheLines) {
  MakeSmallStore();
  const RunResult exported = Run({"export"});
  EXPECT_EQ(exported.exit, 0) << exported;
  EXPECT_EQ(exported.err, "");
  EXPECT_TRUE(exported.out.starts_with("{\"type\":\"recall_export\",\"version\":1,"));
  EXPECT_EQ(Run({"export", "--out", "-"}).out, exported.out);
  ASSERT_EQ(Run({"init", "copy.db"}).exit, 0);
  const RunResult imported = Run({"import", "-", "--store", "copy.db"}, {.input = exported.out});
  EXPECT_EQ(imported.exit, 0) << imported;
  EXPECT_TRUE(imported.out.starts_with("Added 3, updated 0, unchanged 0 documents (")) << imported;
  EXPECT_EQ(imported.err, "");
  EXPECT_EQ(Run({"export", "--store", "copy.db"}).out, exported.out);
  Json expected = Run({"search", "segments", "--json"}).Json()["results"];
  for (Json& hit : expected) hit["doc"]["origin"] = "import";
  EXPECT_EQ(Run({"search", "segments", "--json", "--store", "copy.db"}).Json()["results"],
            expected);
}

TEST_F(TransferTest, FilesAreCompressedByName) {
  MakeSmallStore();
  const RunResult text = Run({"export", "--out", "plain.jsonl"});
  EXPECT_EQ(text.exit, 0) << text;
  EXPECT_TRUE(text.out.starts_with("Exported 3 documents, ")) << text;
  EXPECT_NE(text.out.find(" to plain.jsonl in "), std::string::npos) << text;
  EXPECT_EQ(Run({"export", "--out", "packed.jsonl.zst", "--quiet"}).out, "");
  EXPECT_EQ(Read("plain.jsonl"), Run({"export"}).out);
  EXPECT_LT(Read("packed.jsonl.zst").size(), Read("plain.jsonl").size());
  ASSERT_EQ(Run({"init", "copy.db"}).exit, 0);
  EXPECT_EQ(Run({"import", "packed.jsonl.zst", "--store", "copy.db"}).exit, 0);
  EXPECT_EQ(Run({"export", "--store", "copy.db"}).out, Read("plain.jsonl"));
  // Compressed standard input is recognised by its first bytes.
  const RunResult piped =
      Run({"import", "-", "--store", "copy.db", "--json"}, {.input = Read("packed.jsonl.zst")});
  EXPECT_EQ(piped.Json()["import"]["unchanged"], 3) << piped;
}

TEST_F(TransferTest, StoresAreMerged) {
  MakeSmallStore();
  const std::string exported = Run({"export"}).out;
  ASSERT_EQ(Run({"init", "other"}).exit, 0);
  const RunResult planned = Run({"merge", ".", "--dry-run", "--stable", "--store", "other"});
  EXPECT_EQ(planned.exit, 0) << planned;
  EXPECT_TRUE(planned.out.starts_with("Would add 3, update 0, leave 0 documents (")) << planned;
  EXPECT_EQ(Documents("other"), 0);
  const RunResult merged = Run({"merge", "recall.db", "--stable", "--store", "other"});
  EXPECT_EQ(merged.exit, 0) << merged;
  EXPECT_TRUE(merged.out.starts_with("Added 3, updated 0, unchanged 0 documents (")) << merged;
  EXPECT_TRUE(merged.out.ends_with(" chunks) of 1 store\n")) << merged;
  EXPECT_EQ(Run({"export", "--store", "other"}).out, exported);
  const auto json = Run({"merge", ".", "recall.db", "--json", "--store", "other"}).Json();
  EXPECT_EQ(json["merge"]["unchanged"], 3) << json;
  EXPECT_EQ(json["merge"]["stores"].size(), 2u);
  EXPECT_EQ(json["merge"]["stores"][0]["docs"], 3);
  EXPECT_FALSE(json["merge"].contains("lines"));
  EXPECT_EQ(json["warnings"].size(), 1u);

  EXPECT_EQ(Run({"merge"}).exit, 2);
  EXPECT_EQ(Run({"merge", "recall.db"}).exit, 2);
  const RunResult missing = Run({"merge", "nowhere.db", "--store", "other"});
  EXPECT_EQ(missing.exit, 1) << missing;
  EXPECT_NE(missing.err.find("nowhere.db"), std::string::npos) << missing;
}

TEST_F(TransferTest, AnswersInJson) {
  MakeSmallStore();
  const auto exported = Run({"export", "--out", "x.jsonl", "--json"}).Json();
  EXPECT_EQ(exported["ok"], true);
  EXPECT_EQ(exported["export"]["docs"], 3);
  EXPECT_EQ(exported["export"]["bytes"], Read("x.jsonl").size());
  EXPECT_EQ(exported["stats"]["total_hits"],
            exported["export"]["docs"].get<int>() + exported["export"]["chunks"].get<int>());
  ASSERT_EQ(Run({"init", "copy.db"}).exit, 0);
  const auto planned =
      Run({"import", "x.jsonl", "--dry-run", "--json", "--store", "copy.db"}).Json();
  EXPECT_EQ(planned["import"]["dry_run"], true);
  EXPECT_EQ(planned["import"]["added"], 3);
  EXPECT_EQ(planned["stats"]["doc_count"], 0);
  const auto imported = Run({"import", "x.jsonl", "--json", "--store", "copy.db"}).Json();
  EXPECT_EQ(imported["import"]["added"], 3);
  EXPECT_EQ(imported["import"]["vectors_rebuilt"], imported["import"]["chunks"]);
  EXPECT_EQ(imported["stats"]["doc_count"], 3);
}

TEST_F(TransferTest, FiltersChooseDocuments) {
  MakeSmallStore();
  const RunResult some = Run({"export", "--filter", "doc.path GLOB 'docs/*'"});
  EXPECT_EQ(some.exit, 0) << some;
  EXPECT_NE(some.out.find("\"path\":\"docs/guide.md\""), std::string::npos);
  EXPECT_EQ(some.out.find("\"path\":\"src/main.c\""), std::string::npos);
  EXPECT_NE(some.out.find("\"docs\":2,"), std::string::npos);
  const auto none =
      Run({"export", "--filter", "doc.tag = 'none'", "--out", "none", "--json"}).Json();
  EXPECT_EQ(none["export"]["docs"], 0);
  EXPECT_EQ(none["export"]["filter"], "doc.tag = 'none'");
  // A filter on chunks selects whole documents.
  const RunResult chunk = Run({"export", "--filter", "chunk.heading LIKE '%Install'"});
  EXPECT_NE(chunk.out.find("\"docs\":1,"), std::string::npos) << chunk;
  EXPECT_NE(chunk.out.find("Recall keeps segments"), std::string::npos);
  const RunResult wrong = Run({"export", "--filter", "doc.nothing = 1", "--json", "--out", "x"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_EQ(wrong.Json()["error"]["details"]["line"], 1);
  EXPECT_FALSE(std::filesystem::exists(Path("x")));
}

TEST_F(TransferTest, WrongCommandLinesAreUsageErrors) {
  MakeSmallStore();
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"export", "--json"},
                                             {"export", "--json", "--out", "-"},
                                             {"export", "--format", "csv"},
                                             {"export", "--out", ""},
                                             {"export", "extra"},
                                             {"import"},
                                             {"import", "a", "b"},
                                             {"import", "a", "--batch", "0"},
                                             {"migrate", "a", "b", "c"},
                                             {"migrate", "a", "--store", "b"}}) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 2) << result;
  }
  EXPECT_EQ(Run({"import", "no-such-file"}).exit, 1);
  EXPECT_EQ(Run({"import", "docs"}).exit, 2);
  EXPECT_EQ(Run({"export", "--out", "docs"}).exit, 2);
  EXPECT_EQ(Run({"export", "--out", "recall.db"}).exit, 2);
  EXPECT_EQ(Run({"stats"}).exit, 0);
}

TEST_F(TransferTest, FaultsAreShownWhereTheyAre) {
  MakeSmallStore();
  std::string lines = Run({"export"}).out;
  const size_t at = lines.find("Recall keeps");
  ASSERT_NE(at, std::string::npos);
  lines[at] = 'r';
  const auto line = 1 + std::count(lines.begin(), lines.begin() + static_cast<ptrdiff_t>(at), '\n');
  Write("bad.jsonl", lines);
  const RunResult text = Run({"import", "bad.jsonl"});
  EXPECT_EQ(text.exit, 2) << text;
  EXPECT_EQ(text.out, "");
  EXPECT_TRUE(text.err.starts_with("error: line " + std::to_string(line) +
                                   ": bad.jsonl: \"hash\" is not the SHA-256 of the text\n"))
      << text;
  EXPECT_LT(text.err.size(), 400u) << "the line is cut";
  const auto json = Run({"import", "bad.jsonl", "--json"}).Json();
  EXPECT_EQ(json["error"]["code"], "invalid_argument");
  EXPECT_EQ(json["error"]["details"]["line"], line);
}

TEST_F(TransferTest, AFullDiskIsAnErrorAndLeavesNothing) {
  MakeSmallStore();
  const RunResult file = Run({"export", "--out", "/dev/full"});
  EXPECT_EQ(file.exit, 3) << file;
  EXPECT_NE(file.err.find("the disk is full"), std::string::npos) << file;
  const RunResult stream = Run({"export"}, {.stdout_file = "/dev/full"});
  EXPECT_EQ(stream.exit, 3) << stream;
  const auto names = Names();
  EXPECT_EQ(Run({"export", "--out", "no/such/directory/x"}).exit, 3);
  EXPECT_EQ(Names(), names);
}

TEST_F(TransferTest, AReaderThatGoesAwayIsNoError) {
  ExportOfMany(2000);
  const RunResult result = Run({"export"}, {.stdout_unread = true});
  EXPECT_EQ(result.exit, 0) << result;
  EXPECT_EQ(result.err, "");
}

// A complete file can have its temporary name when the process is killed; the next export removes
// it.
TEST_F(TransferTest, WhatAKilledExportLeavesIsRemovedByTheNext) {
  ExportOfMany(2000);
  Write("x.jsonl", "old");
  const auto names = Names();
  for (int run = 0; run < 5; ++run) {
    const pid_t child = Start({"export", "--out", "x.jsonl"});
    // The first run is killed at once, the later ones after some time.
    for (int i = 0; i < run; ++i) Run({"version"});
    ::kill(child, SIGKILL);
    Wait(child);
    const std::string whole = Run({"export"}).out;
    std::set<std::string> now = Names();
    std::erase_if(now, [&](const std::string& name) {
      return name.starts_with("recall.db-") ||
             (name.starts_with("x.jsonl.new-") && Read(name) == whole);
    });
    EXPECT_EQ(now, names);
    const std::string content = Read("x.jsonl");
    EXPECT_TRUE(content == "old" || content == whole);
  }
  Write("x.jsonl.new-0123abcd", "what another killed export left");
  EXPECT_EQ(Run({"export", "--out", "x.jsonl"}).exit, 0);
  EXPECT_EQ(Names(), names);
}

// An import that waits for the rest of a pipe, so it is certainly incomplete.
class HalfwayTest : public TransferTest {
 protected:
  // More documents than an import reads ahead.
  static constexpr int kDocuments = 800;

  void SetUp() override {
    lines_ = ExportOfMany(kDocuments);
    ASSERT_EQ(Run({"init", "copy.db"}).exit, 0);
    Write("own/own.txt", "the store's own");
    ASSERT_EQ(Run({"add", "own", "--store", "copy.db"}).exit, 0);
    ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  }
  void TearDown() override {
    if (pipe_ >= 0) ::close(pipe_);
  }

  // Starts an import, writes three quarters of the lines to its pipe, and keeps the pipe open.
  pid_t StartHalfway(std::vector<std::string> args) {
    args.insert(args.begin(), {"import", "pipe", "--store", "copy.db"});
    const pid_t child = Start(args);
    pipe_ = ::open(Path("pipe").c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_GE(pipe_, 0);
    std::string_view rest = std::string_view(lines_).substr(0, lines_.size() / 4 * 3);
    while (!rest.empty()) {
      const ssize_t count = ::write(pipe_, rest.data(), rest.size());
      if (count <= 0) break;
      rest.remove_prefix(static_cast<size_t>(count));
    }
    EXPECT_TRUE(rest.empty());
    return child;
  }

  void ExpectTheRestComesWithTheNextRun() {
    Write("whole.jsonl", lines_);
    const RunResult again = Run({"import", "whole.jsonl", "--store", "copy.db"});
    EXPECT_EQ(again.exit, 0) << again;
    EXPECT_EQ(Documents("copy.db"), kDocuments + 1);
  }

  std::string lines_;
  int pipe_ = -1;
};

TEST_F(HalfwayTest, KilledItLeavesTheStoreAsItWas) {
  const pid_t child = StartHalfway({});
  ::kill(child, SIGKILL);
  EXPECT_EQ(Wait(child).signal, SIGKILL);
  EXPECT_EQ(Documents("copy.db"), 1);
  ExpectTheRestComesWithTheNextRun();
}

TEST_F(HalfwayTest, KilledBetweenBatchesItLeavesWholeBatches) {
  const pid_t child = StartHalfway({"--batch", "7"});
  while (Documents("copy.db") < 8) {
  }
  ::kill(child, SIGKILL);
  EXPECT_EQ(Wait(child).signal, SIGKILL);
  EXPECT_EQ((Documents("copy.db") - 1) % 7, 0);
  ExpectTheRestComesWithTheNextRun();
}

TEST_F(HalfwayTest, CtrlCLeavesTheStoreAsItWas) {
  const pid_t child = StartHalfway({});
  ::kill(child, SIGINT);
  EXPECT_EQ(Wait(child).exit, 130);
  EXPECT_EQ(Documents("copy.db"), 1);
  ExpectTheRestComesWithTheNextRun();
}

TEST_F(HalfwayTest, APipeThatEndsEarlyIsNotAWholeExport) {
  const pid_t child = StartHalfway({});
  ::close(pipe_);
  pipe_ = -1;
  EXPECT_EQ(Wait(child).exit, 2);
  EXPECT_EQ(Documents("copy.db"), 1);
}

class MigrateProcessTest : public TransferTest {
 protected:
  void SetUp() override {
    docs_ = {MakeOldDocument("./a.txt", "alpha beta gamma", 10, 0),
             MakeOldDocument("b.txt", "delta epsilon", 10, 0)};
    OldStore old(Path("recall.db"), Generation::kC);
    for (const OldDocument& doc : docs_) old.Put(doc);
  }

  // The number of files of unfinished stores.
  size_t Unfinished() const {
    const std::set<std::string> names = Names();
    return static_cast<size_t>(std::ranges::count_if(
        names, [](const std::string& name) { return name.find(".new-") != std::string::npos; }));
  }

  std::vector<OldDocument> docs_;
};

TEST_F(MigrateProcessTest, TheStoreHereIsReplacedAndKept) {
  const std::string before = Read("recall.db");
  const RunResult search = Run({"search", "alpha"});
  EXPECT_EQ(search.exit, 4) << search;
  EXPECT_NE(search.err.find("is a store of recall 0.1"), std::string::npos) << search;
  EXPECT_NE(search.err.find("run `recall migrate`"), std::string::npos) << search;
  const RunResult migrated = Run({"migrate"});
  EXPECT_EQ(migrated.exit, 0) << migrated;
  EXPECT_TRUE(
      migrated.out.starts_with("Migrated 2 documents, 2 chunks of recall 0.1, generation "
                               "C (schema version 2) to "))
      << migrated;
  EXPECT_NE(migrated.out.find("The old store is kept as " + Path("recall.db.old") + "\n"),
            std::string::npos)
      << migrated;
  EXPECT_NE(migrated.err.find("paths that are not normalised: 1 (first: './a.txt')"),
            std::string::npos)
      << migrated;
  EXPECT_EQ(Read("recall.db.old"), before);
  EXPECT_EQ(Names(), (std::set<std::string>{"recall.db", "recall.db.old"}));
  const auto found = Run({"search", "alpha", "--json"}).Json();
  EXPECT_EQ(found["results"][0]["doc"]["id"], docs_[0].id);
  EXPECT_EQ(found["results"][0]["chunk"]["id"], docs_[0].chunks[0].id);
  // A second migration has nothing to do and is rejected.
  EXPECT_EQ(Run({"migrate"}).exit, 3);
  EXPECT_EQ(Run({"migrate", "recall.db.old", "recall.db"}).exit, 3);
  EXPECT_EQ(Read("recall.db.old"), before);
}

// A killed process leaves its unfinished store; the next one removes it.
TEST_F(MigrateProcessTest, WhatAKilledProcessLeftIsRemoved) {
  const auto abandon = [&](const std::string& target) {
    for (const char* suffix : {"", "-wal", "-shm"}) {
      Write(target + ".new-0123abcd" + suffix, std::string("SQLite format 3\0", 16));
    }
  };
  abandon("recall.db");
  abandon("new.db");
  ASSERT_EQ(Run({"migrate", "recall.db", "new.db"}).exit, 0);
  EXPECT_EQ(Unfinished(), 3u) << "those of recall.db";
  ASSERT_EQ(Run({"migrate"}).exit, 0);
  EXPECT_EQ(Unfinished(), 0u);
  abandon("copy.db");
  ASSERT_EQ(Run({"backup", "copy.db"}).exit, 0);
  EXPECT_EQ(Unfinished(), 0u);
  abandon("sub/recall.db");
  ASSERT_EQ(Run({"init", "sub"}).exit, 0);
  EXPECT_FALSE(std::filesystem::exists(Path("sub/recall.db.new-0123abcd")));
}

// Killed at any moment, by a signal that no program can catch.
TEST_F(MigrateProcessTest, KilledAtAnyMomentItLeavesNothingForLong) {
  for (int millis = 0; millis < 60; millis += 3) {
    const pid_t migrating = Start({"migrate", "recall.db", "new.db"});
    const pid_t making = Start({"init", "made.db"});
    ::usleep(static_cast<useconds_t>(millis * 1000));
    ::kill(migrating, SIGKILL);
    ::kill(making, SIGKILL);
    Wait(migrating);
    Wait(making);
    Erase("new.db");
    Erase("made.db");
  }
  ASSERT_EQ(Run({"migrate", "recall.db", "new.db"}).exit, 0);
  ASSERT_EQ(Run({"init", "made.db"}).exit, 0);
  EXPECT_EQ(Unfinished(), 0u);
  EXPECT_EQ(Run({"doctor", "--store", "new.db"}).exit, 0);
}

TEST_F(MigrateProcessTest, ANewNameLeavesTheOldStoreAlone) {
  const std::string before = Read("recall.db");
  const auto json = Run({"migrate", "recall.db", "new.db", "--json"}).Json();
  EXPECT_EQ(json["ok"], true) << json;
  EXPECT_EQ(json["migrate"]["added"], 2);
  EXPECT_EQ(json["migrate"]["kept"], nullptr);
  EXPECT_EQ(json["migrate"]["to"], Path("new.db"));
  EXPECT_EQ(json["stats"]["doc_count"], 2);
  EXPECT_EQ(Read("recall.db"), before);
  EXPECT_EQ(Documents("new.db"), 2);
}

TEST_F(MigrateProcessTest, SettingsBesideTheOldStoreAreKept) {
  Write("recall.toml", "embedding = \"hash\"\nembedding_dim = 256\nchunk_tokens = 99\n");
  EXPECT_EQ(Run({"migrate"}).exit, 0);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["store"]["chunk_tokens"], 99);
}

TEST_F(MigrateProcessTest, WhatCannotBeMigratedStaysAsItIs) {
  EXPECT_EQ(Run({"migrate", "nowhere.db"}).exit, 1);
  Write("text.db", "no database");
  EXPECT_EQ(Run({"migrate", "text.db"}).exit, 4);
  EXPECT_EQ(Read("text.db"), "no database");
  Write("recall.db.old", "precious");
  const RunResult taken = Run({"migrate"});
  EXPECT_EQ(taken.exit, 3) << taken;
  EXPECT_NE(taken.err.find("recall.db.old: the file already exists"), std::string::npos) << taken;
  EXPECT_EQ(Read("recall.db.old"), "precious");
  EXPECT_EQ(Names(), (std::set<std::string>{"recall.db", "recall.db.old", "text.db"}));
}

}  // namespace
}  // namespace recall
