// Changes one byte of a file, or truncates it, at any place: every question gets the right answer
// or a clean error, without a crash, an endless loop or unbounded memory.
//
// ctest changes a sample of the bytes of each file; RECALL_EVERY_BYTE=1 changes all that are not
// zero, and some zeros. RECALL_EVERY_BYTE=3/16 is the third of sixteen parts, for parallel runs.

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "index/write/derived/forward_index_builder.h"
#include "index/write/derived/posting_list_builder.h"
#include "storage/store/store.h"
#include "tests/damage/damaged_copy.h"
#include "tests/fault/child_process.h"
#include "tests/fault/note_scenarios.h"
#include "tests/fault/plain_sql.h"
#include "tests/fault/random_words.h"
#include "tests/fault/store_check.h"
#include "tests/query/compat/memories/foreign_fixtures.h"
#include "tests/query/compat/recall01/old_store.h"
#include "tests/test_util.h"

namespace recall {
namespace {

bool EveryByte() { return std::getenv("RECALL_EVERY_BYTE") != nullptr; }
size_t Most(size_t sampled) { return EveryByte() ? 0 : sampled; }

// The part that RECALL_EVERY_BYTE selects.
std::vector<Damage> PartOf(const std::vector<Damage>& all) {
  size_t part = 1, parts = 1;
  if (!EveryByte() || std::sscanf(std::getenv("RECALL_EVERY_BYTE"), "%zu/%zu", &part, &parts) < 2) {
    return all;
  }
  std::vector<Damage> some;
  for (size_t i = part - 1; i < all.size(); i += parts) some.push_back(all[i]);
  return some;
}

Answers Ask(const std::string& path) { return AskStore(path); }

class CorruptSweepTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { PutFilesInMemory(); }

  std::string Store() const { return dir_ / "recall.db"; }

  Status Add(const std::string& name, uint64_t seed, size_t words, const char* tag) {
    std::filesystem::create_directories(dir_ / "docs");
    std::ofstream(dir_ / ("docs/" + name))
        << "---\nauthor: " << name.substr(0, 2) << "\n---\n# Part\n\n"
        << RandomWords(seed, words);
    OpenOptions options;
    options.flush_vectors = 16;
    RECALL_ASSIGN(const auto database, Database::Open(Store(), options));
    AddRequest request;
    request.paths = {dir_ / ("docs/" + name)};
    request.extract_meta = true;
    if (tag) request.tag = tag;
    return internal::ToStatus(database->Add(request));
  }

  // Documents in a segment and in the delta, one removed, one edited; some precomputed posting
  // lists; a forward index.
  Status Fill() {
    CreateOptions options;
    options.dim = 8;
    options.chunk_tokens = 5;
    options.overlap_tokens = 2;
    RECALL_TRY(internal::ToStatus(Database::Create(Store(), options)));
    RECALL_TRY(Add("a0.md", 1, 120, "red"));
    RECALL_TRY(Add("a1.md", 2, 150, nullptr));
    RECALL_TRY(Add("a2.md", 3, 20, "blue"));
    RECALL_TRY(Add("a2.md", 4, 25, nullptr));
    RECALL_TRY(Add("a3.md", 5, 30, "red"));
    {
      RECALL_ASSIGN(const auto database, Database::Open(Store()));
      RemoveRequest request;
      request.targets = {dir_ / "docs/a3.md"};
      RECALL_TRY(internal::ToStatus(database->Remove(request)));
    }
    RECALL_ASSIGN(const auto store, recall::Store::Open(Store()));
    const std::atomic<bool> go_on = false;
    RECALL_TRY(BuildPostingListsIfDue(*store, go_on, {.chunks_from = 1, .chunks_per_posting = 8}));
    return BuildForwardIndexIfDue(*store, go_on, {.chunks_from = 1});
  }

  // Makes pages of 4 KiB, so that the file is small and dense. Its segments are then read by copy.
  Status Shrink() {
    {
      RECALL_ASSIGN(PlainSql sql, PlainSql::Open(Store()));
      RECALL_TRY(sql.Run("PRAGMA journal_mode=DELETE; PRAGMA page_size=4096; VACUUM"));
    }
    // SQLite writes several pages at once when it changes their size, so they have no checksums
    // yet.
    RECALL_ASSIGN(PlainSql sql, PlainSql::OpenSealing(Store()));
    return sql.Run("VACUUM; PRAGMA journal_mode=WAL");
  }

  // Runs `make` in a child process, because this process must not use SQLite.
  FileBytes Make(const std::function<Status()>& make) {
    const ChildOutcome outcome = RunInChild([&] { return make().ToString(); });
    EXPECT_EQ(outcome.exit_code, 0) << Describe(outcome);
    EXPECT_TRUE(outcome.output.empty() || outcome.output == Status().ToString()) << outcome.output;
    return ReadFiles(Store());
  }

  static std::string Recheck(const std::string& path) {
    return JoinFaults(CheckStore(path).faults);
  }

  static SweepCount Run(const char* name, const Sweep& sweep, const std::vector<Damage>& damages) {
    const SweepCount count = RunSweep(sweep, PartOf(damages));
    for (size_t i = 0; i < std::min<size_t>(count.wrong.size(), 20); ++i) {
      ADD_FAILURE() << name << ": " << count.wrong[i];
    }
    std::printf(
        "%s: %lld tried, %lld the same, %lld refused, %lld other answers (%lld not found "
        "by a check of all), %zu wrong\n",
        name, static_cast<long long>(count.tried), static_cast<long long>(count.same),
        static_cast<long long>(count.refused), static_cast<long long>(count.other),
        static_cast<long long>(count.unseen), count.wrong.size());
    if (std::getenv("RECALL_PRINT_UNSEEN")) {
      for (const std::string& line : count.unseen_at) std::printf("  %s\n", line.c_str());
    }
    return count;
  }

  // A sweep without any error would not have damaged anything.
  static void ExpectRefusals(const SweepCount& count) { EXPECT_GT(count.refused, 0); }

  TempDir dir_;
};

TEST_F(CorruptSweepTest, AStore) {
  const FileBytes files = Make([&]() -> Status {
    RECALL_TRY(Fill());
    return Shrink();
  });
  const Sweep sweep{Store(), files, Ask, {}, Recheck};
  ExpectRefusals(Run("store, bytes", sweep, FlippedBytes(files, 23, Most(1500))));
  ExpectRefusals(Run("store, ends", sweep, CutEnds(files, "", 23, Most(100))));
}

TEST_F(CorruptSweepTest, AStoreOfNotes) {
  const FileBytes files = Make([&]() -> Status {
    RECALL_TRY(PrepareNotes({dir_.path()}));
    return Shrink();
  });
  const auto ask = [](const std::string& path) { return AskStore(path, {.target = "notes/a.md"}); };
  const Sweep sweep{Store(), files, ask, {}, Recheck};
  ExpectRefusals(Run("notes, bytes", sweep, FlippedBytes(files, 23, Most(600))));
  ExpectRefusals(Run("notes, ends", sweep, CutEnds(files, "", 23, Most(50))));
}

TEST_F(CorruptSweepTest, AStoreWithMappedSegments) {
  const FileBytes files = Make([&] { return Fill(); });
  const Sweep sweep{Store(), files, Ask, {}, Recheck};
  ExpectRefusals(Run("mapped store, bytes", sweep, FlippedBytes(files, 5003, Most(700))));
  ExpectRefusals(Run("mapped store, ends", sweep, CutEnds(files, "", 5003, Most(60))));
}

// A store with its last commit in the WAL only.
TEST_F(CorruptSweepTest, AStoreWithAWal) {
  const FileBytes files = Make([&]() -> Status {
    RECALL_TRY(Fill());
    RECALL_TRY(Shrink());
    RECALL_ASSIGN(const auto store, recall::Store::Open(Store(), {.read_only = true}));
    RECALL_ASSIGN(const auto reader, store->BeginRead());
    RECALL_TRY(Add("a4.md", 6, 30, "red"));
    ::_exit(0);
  });
  ASSERT_TRUE(files.contains("-wal"));
  // Without that commit the store is also right: SQLite ends a WAL at its first bad frame.
  FileBytes main = files;
  main.erase("-wal");
  const Sweep sweep{Store(), files, Ask, main, Recheck};
  const FileBytes wal = {{"-wal", files.at("-wal")}};
  Run("WAL, bytes", sweep, FlippedBytes(wal, 41, Most(500)));
  Run("WAL, ends", sweep, CutEnds(files, "-wal", 41, Most(60)));
}

// The answers of an import into an empty store, as a dry run and for real.
Answers ImportInto(const std::string& store, const std::string& path,
                   const std::string& program = "recall") {
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(store + suffix);
  CreateOptions options;
  options.dim = 8;
  const auto database = Database::Create(store, options);
  if (!database) return {{"", database.error()}};
  ImportRequest request;
  request.path = path;
  request.program = program;
  request.dry_run = true;
  Answers answers;
  answers.push_back({"", internal::ToStatus((*database)->Import(request))});
  request.dry_run = false;
  answers.push_back({"", internal::ToStatus((*database)->Import(request))});
  std::string lines;
  const Status exported = internal::ToStatus((*database)->Export({}, [&](std::string_view piece) {
    lines += piece;
    return Status::Ok();
  }));
  // A rejected import must leave nothing.
  if (!answers[1].status.ok()) {
    const bool empty = (*database)->Stats()->store.docs == 0;
    answers.push_back({"", empty ? answers[1].status : Status::Internal("a part was imported")});
  } else {
    answers.push_back({lines, exported});
  }
  return answers;
}

TEST_F(CorruptSweepTest, AnExport) {
  for (const std::string name : {"out.jsonl", "out.jsonl.zst"}) {
    const std::string path = dir_ / name;
    Make([&]() -> Status {
      std::filesystem::remove(Store());
      RECALL_TRY(Fill());
      RECALL_ASSIGN(const auto database, Database::Open(Store(), {.read_only = true}));
      ExportRequest request;
      request.out_path = path;
      return internal::ToStatus(database->Export(request));
    });
    const FileBytes files = ReadFiles(path);
    const std::string store = dir_ / "import.db";
    const Sweep sweep{
        path, files, [&](const std::string& from) { return ImportInto(store, from); }, {}, {}};
    ExpectRefusals(Run((name + ", bytes").c_str(), sweep, FlippedBytes(files, 1, Most(250))));
    ExpectRefusals(Run((name + ", ends").c_str(), sweep, CutEnds(files, "", 1, Most(50))));
  }
}

TEST_F(CorruptSweepTest, AnExportOfNotes) {
  const std::string path = dir_ / "out.jsonl";
  Make([&]() -> Status {
    RECALL_TRY(PrepareNotes({dir_.path()}));
    RECALL_ASSIGN(const auto database, Database::Open(Store(), {.read_only = true}));
    ExportRequest request;
    request.out_path = path;
    return internal::ToStatus(database->Export(request));
  });
  const FileBytes files = ReadFiles(path);
  const std::string store = dir_ / "import.db";
  const Sweep sweep{
      path, files, [&](const std::string& from) { return ImportInto(store, from); }, {}, {}};
  ExpectRefusals(Run("notes.jsonl, bytes", sweep, FlippedBytes(files, 1, Most(400))));
  ExpectRefusals(Run("notes.jsonl, ends", sweep, CutEnds(files, "", 1, Most(50))));
}

TEST_F(CorruptSweepTest, AMemoryOfAnotherProgram) {
  struct Source {
    const char* name;
    const char* program;
    void (*write)(const std::string& path);
  };
  const Source sources[] = {
      {"rekall.db", "rekall", WriteRekallDatabase},
      {"export.json", "rekall",
       [](const std::string& path) { WriteTextFile(path, kRekallExport); }},
      {"memory.jsonl", "memory",
       [](const std::string& path) { WriteTextFile(path, kMemoryGraph); }},
  };
  for (const Source& source : sources) {
    const std::string path = dir_ / source.name;
    Make([&]() -> Status {
      source.write(path);
      return Status::Ok();
    });
    const FileBytes files = ReadFiles(path);
    const std::string store = dir_ / "import.db";
    const auto import = [&](const std::string& from) {
      return ImportInto(store, from, source.program);
    };
    const Sweep sweep{path, files, import, {}, {}};
    const std::string name = source.name;
    ExpectRefusals(Run((name + ", bytes").c_str(), sweep, FlippedBytes(files, 1, Most(300))));
    ExpectRefusals(Run((name + ", ends").c_str(), sweep, CutEnds(files, "", 1, Most(50))));
  }
}

TEST_F(CorruptSweepTest, AStoreOfRecall01) {
  const std::string path = dir_ / "old.db";
  Make([&]() -> Status {
    OldStore old(path, Generation::kB);
    old.Run("PRAGMA page_size=1024; VACUUM");
    for (const uint64_t seed : {41, 42, 43}) {
      old.Put(MakeOldDocument("old" + std::to_string(seed) + ".txt", RandomWords(seed, 40), 20, 5),
              seed == 43);
    }
    return Status::Ok();
  });
  const FileBytes files = ReadFiles(path);
  const std::string target = dir_ / "new.db";
  const auto ask = [&](const std::string& from) -> Answers {
    std::filesystem::remove(target);
    MigrateRequest request;
    request.from = from;
    request.to = target;
    const Status migrated = internal::ToStatus(Database::Migrate(request));
    if (!migrated.ok()) {
      const bool left = std::filesystem::exists(target);
      return {{"", left ? Status::Internal("it failed and left a store") : migrated}};
    }
    return AskStore(target, {.target = "old41.txt"});
  };
  const Sweep sweep{path, files, ask, {}, {}};
  ExpectRefusals(Run("old store, bytes", sweep, FlippedBytes(files, 5, Most(200))));
  ExpectRefusals(Run("old store, ends", sweep, CutEnds(files, "", 5, Most(30))));
}

}  // namespace
}  // namespace recall
