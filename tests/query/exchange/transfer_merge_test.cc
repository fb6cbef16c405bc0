// Shards imported one by one give the store that one ingest of everything would have given.

#include "storage/base/bytes.h"
#include "tests/query/exchange/transfer_fixture.h"

namespace recall {
namespace {

class MergeTest : public TransferFixture {
 protected:
  // Small chunks, so that there are enough of them to train a model.
  static CreateOptions Small(const std::string& embedder) {
    return {.embedder = embedder, .chunk_tokens = 24, .overlap_tokens = 4};
  }

  std::string FileName(int i) const {
    return dir_ / ("d" + std::to_string(i % 7) + "/" + std::to_string(i) + ".md");
  }

  void WriteFiles(int count) {
    std::mt19937_64 random(TestSeed(1));
    for (int i = 0; i < count; ++i) {
      WriteFile("d" + std::to_string(i % 7) + "/" + std::to_string(i) + ".md",
                "# Part " + std::to_string(i) + "\n\n" + RandomText(random, random() % 700));
    }
  }

  // Adds every `step`th file, starting with number `first`.
  void AddSome(Database& database, int first, int step, int count) {
    AddRequest request;
    for (int i = first; i < count; i += step) request.paths.push_back(FileName(i));
    const auto report = database.Add(request);
    ASSERT_TRUE(report.has_value()) << report.error().ToString();
  }

  void AddDirectory(Database& database) {
    AddRequest request;
    request.paths = {dir_ / "docs"};
    ASSERT_OK(database.Add(request));
  }

  void Change(const std::string& name, const std::string& sql) {
    const auto connection = Connection::Open(OtherPath(name), {.mode = ConnectionMode::kReadWrite});
    ASSERT_TRUE(connection.has_value());
    ASSERT_OK((*connection)->Execute(sql));
  }

  // Hashes of the contents of a store, except its name and times.
  std::vector<std::string> Contents(const std::string& name) const {
    const auto connection = Connection::Open(OtherPath(name), {});
    EXPECT_TRUE(connection.has_value());
    std::vector<std::string> contents;
    for (const char* sql :
         {"SELECT group_concat(quote(path) || hex(hash) || first_chunk || chunk_count || "
          "lexical_tokens) FROM (SELECT * FROM doc WHERE removed_seq IS NULL ORDER BY path)",
          "SELECT group_concat(id || key || start_byte || heading) FROM (SELECT * FROM chunk ORDER "
          "BY id)",
          "SELECT group_concat(kind || hex(data)) FROM (SELECT * FROM model_part ORDER BY kind)",
          "SELECT group_concat(hex(data)) FROM (SELECT data FROM vec_data ORDER BY id)",
          "SELECT group_concat(chunk || hex(data)) FROM (SELECT * FROM vec_tail ORDER BY chunk)"}) {
      contents.push_back(ToHex(Sha256((*connection)->QueryText(sql).value_or("none"))));
    }
    return contents;
  }

  MergeReport Merge(Database& database, const std::vector<std::string>& names,
                    bool dry_run = false) {
    MergeRequest request{.paths = {}, .dry_run = dry_run};
    for (const std::string& name : names) request.paths.push_back(OtherPath(name));
    const auto report = database.Merge(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report.value_or(MergeReport());
  }
};

class MergeEmbedderTest : public MergeTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(MergeEmbedderTest, ShardsBecomeWhatOneIngestMakes) {
  constexpr int kFiles = 100;
  WriteFiles(kFiles);
  auto whole = NewDatabase("whole.db", Small(GetParam()));
  AddSome(*whole, 0, 1, kFiles);
  for (int shard = 0; shard < 3; ++shard) {
    auto database = NewDatabase("shard" + std::to_string(shard) + ".db", Small(GetParam()));
    AddSome(*database, shard, 3, kFiles);
  }
  auto merged = NewDatabase("merged.db", Small(GetParam()));
  const MergeReport report = Merge(*merged, {"shard0.db", "shard1.db", "shard2.db"});
  EXPECT_EQ(report.import.added, kFiles);
  EXPECT_GT(report.import.chunks, 1024);
  EXPECT_EQ(report.import.vectors_taken, GetParam() == "hash" ? report.import.chunks : 0);
  EXPECT_EQ(report.import.warnings, std::vector<std::string>());
  EXPECT_EQ(Export(*merged), Export(*whole));
  merged.reset();
  whole.reset();
  EXPECT_EQ(Contents("merged.db"), Contents("whole.db"));
  CheckStore(OtherPath("merged.db"));
}

// Documents of another store have no file here, unless the text is that of a file that this store
// has.
TEST_F(MergeTest, MergedAndImportedDocumentsAreImports) {
  WriteFile("a.md", "heron");
  WriteFile("b.md", "egret");
  auto shard = NewDatabase("shard.db");
  AddRequest request;
  request.paths = {dir_ / "a.md", dir_ / "b.md"};
  ASSERT_OK(shard->Add(request));
  const std::string lines = Export(*shard);
  const std::string a = dir_ / "a.md", b = dir_ / "b.md";
  shard.reset();
  const auto origins = [&](Database& database) {
    return database.Get({.target = a, .verify = false})->doc.origin + " " +
           database.Get({.target = b, .verify = false})->doc.origin;
  };

  auto merged = NewDatabase("merged.db");
  EXPECT_EQ(Merge(*merged, {"shard.db"}).import.added, 2);
  EXPECT_EQ(origins(*merged), "import import");
  EXPECT_EQ(merged->Get({.target = a, .verify = true})->verify, VerifyOutcome::kSame);
  std::filesystem::remove(dir_ / "a.md");
  EXPECT_EQ(merged->Get({.target = a, .verify = true})->verify, VerifyOutcome::kNoFile);
  request.paths = {dir_.path()};
  request.sync = true;
  ASSERT_OK_AND_ASSIGN(const AddReport synced, merged->Add(request));
  EXPECT_EQ(synced.refreshed, 1);
  EXPECT_EQ(synced.removed, 0);
  EXPECT_EQ(origins(*merged), "import file");

  EXPECT_EQ(Merge(*merged, {"shard.db"}).import.unchanged, 2);
  ASSERT_OK_AND_ASSIGN(const ImportReport again, Import(*merged, lines));
  EXPECT_EQ(again.unchanged, 2);
  EXPECT_EQ(origins(*merged), "import file");

  auto imported = NewDatabase("imported.db");
  ASSERT_OK_AND_ASSIGN(const ImportReport first, Import(*imported, lines));
  EXPECT_EQ(first.added, 2);
  EXPECT_EQ(origins(*imported), "import import");
  EXPECT_EQ(Export(*imported), lines);
}

INSTANTIATE_TEST_SUITE_P(Embedders, MergeEmbedderTest, ::testing::Values("hash", "lsa"),
                         [](const auto& embedder) { return embedder.param; });

TEST_F(MergeTest, TheLastStoreCountsAndTheSameAgainChangesNothing) {
  WriteFile("docs/same.txt", "the same text in both");
  WriteFile("docs/other.txt", "the first version");
  auto first = NewDatabase("first.db");
  AddDirectory(*first);
  WriteFile("docs/other.txt", "the second version");
  auto second = NewDatabase("second.db");
  AddDirectory(*second);

  auto merged = NewDatabase("merged.db");
  const MergeReport planned = Merge(*merged, {"first.db", "second.db"}, true);
  EXPECT_EQ(planned.import.added, 2);
  EXPECT_EQ(merged->Stats()->store.docs, 0);

  const MergeReport report = Merge(*merged, {"first.db", "second.db"});
  EXPECT_EQ(report.import.added, 2);
  ASSERT_EQ(report.stores.size(), 2u);
  EXPECT_EQ(report.stores[1].path, OtherPath("second.db"));
  EXPECT_EQ(report.stores[1].docs, 2);
  ASSERT_EQ(report.import.warnings.size(), 1u);
  EXPECT_NE(report.import.warnings[0].find("documents that occur more than once: 2"),
            std::string::npos)
      << report.import.warnings[0];
  EXPECT_EQ(Export(*merged), Export(*second));

  EXPECT_EQ(Merge(*merged, {"second.db"}).import.unchanged, 2);
  const MergeReport back = Merge(*merged, {"first.db"});
  EXPECT_EQ(back.import.updated, 1);
  EXPECT_EQ(back.import.unchanged, 1);
  EXPECT_EQ(Export(*merged), Export(*first));
}

TEST_F(MergeTest, SuppliedVectorsComeWithTheirDocuments) {
  const CreateOptions given{.embedder = "given", .dim = 8};
  const std::string lines = R"({"path":"a","text":"alpha","embedding":[1,0,0,0,0,0,0,0]})"
                            "\n"
                            R"({"path":"b","text":"beta","embedding":[0,1,0,0,0,0,0,0]})"
                            "\n";
  std::ofstream(OtherPath("lines.jsonl"), std::ios::binary) << lines;
  auto shard = NewDatabase("shard.db", given);
  AddRequest request;
  request.jsonl = OtherPath("lines.jsonl");
  ASSERT_OK(shard->Add(request));
  auto merged = NewDatabase("merged.db", given);
  EXPECT_EQ(Merge(*merged, {"shard.db"}).import.added, 2);
  EXPECT_EQ(Export(*merged), Export(*shard));
}

TEST_F(MergeTest, GoesOnFromTheLastBatch) {
  WriteFiles(20);
  auto shard = NewDatabase("shard.db");
  AddSome(*shard, 0, 1, 20);
  const std::string whole = Export(*shard);
  shard.reset();
  const std::string last = "WHERE path = (SELECT max(path) FROM doc)";
  Change("shard.db", "UPDATE doc SET size = size + 2000000000 " + last);
  auto merged = NewDatabase("merged.db");
  MergeRequest request;
  request.paths = {OtherPath("shard.db")};
  request.batch_docs = 6;
  const auto refused = merged->Merge(request);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), StatusCode::kLimitExceeded) << refused.error().ToString();
  EXPECT_EQ(merged->Stats()->store.docs, 18);
  Change("shard.db", "UPDATE doc SET size = size - 2000000000 " + last);
  const auto report = merged->Merge(request);
  ASSERT_TRUE(report.has_value()) << report.error().ToString();
  EXPECT_EQ(report->import.added, 2);
  EXPECT_EQ(report->import.unchanged, 18);
  EXPECT_EQ(Export(*merged), whole);

  merged = NewDatabase("cancelled.db");
  merged->Cancel();
  const auto cancelled = merged->Merge(request);
  ASSERT_TRUE(cancelled.has_value()) << cancelled.error().ToString();
  EXPECT_TRUE(cancelled->import.cancelled);
  merged = OpenOther("cancelled.db");
  EXPECT_EQ(merged->Stats()->store.docs, 0);
}

TEST_F(MergeTest, WhatCannotBeMergedChangesNothing) {
  WriteFiles(5);
  auto shard = NewDatabase("shard.db");
  AddSome(*shard, 0, 1, 5);
  shard.reset();
  auto merged = NewDatabase("merged.db");
  const auto refused = [&](const std::string& name, StatusCode code) {
    MergeRequest request;
    request.paths = {OtherPath("shard.db"), OtherPath(name)};
    const auto report = merged->Merge(request);
    ASSERT_FALSE(report.has_value()) << name;
    EXPECT_EQ(report.error().code(), code) << report.error().ToString();
    EXPECT_NE(report.error().message().find(name), std::string::npos) << report.error().ToString();
    EXPECT_EQ(merged->Stats()->store.docs, 0);
  };
  refused("missing.db", StatusCode::kStoreNotFound);
  refused("merged.db", StatusCode::kInvalidArgument);
  std::ofstream(OtherPath("text.db")) << "this is no store";
  refused("text.db", StatusCode::kCorruption);
  for (const char* damage :
       {"UPDATE doc SET hash = zeroblob(32) WHERE id = 3",
        "UPDATE doc SET meta = '[]' WHERE id = 2", "UPDATE doc SET parser = 'x'",
        "UPDATE chunk SET start_line = 77 WHERE id = 1", "DELETE FROM chunk WHERE id = 1",
        "UPDATE text_block SET data = x'00' WHERE id = 2"}) {
    std::filesystem::copy_file(OtherPath("shard.db"), OtherPath("damaged.db"),
                               std::filesystem::copy_options::overwrite_existing);
    Change("damaged.db", damage);
    SCOPED_TRACE(damage);
    refused("damaged.db", StatusCode::kCorruption);
  }
}

}  // namespace
}  // namespace recall
