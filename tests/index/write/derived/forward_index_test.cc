// The forward index: the words of chunks. The tests force it.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

#include "index/search/ngram/word_dictionary.h"
#include "index/write/derived/forward_index_builder.h"
#include "storage/base/bytes.h"
#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

const ForwardIndexOptions kForced = {.chunks_from = 1, .threads = 2, .always = true};

// With the record of the sizes of contents, which no longer holds.
constexpr const char* kDeleteAll =
    "DELETE FROM chunk_words; DELETE FROM word_dictionary; "
    "DELETE FROM meta WHERE key = 'content_sizes'";

class ForwardIndexTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .chunk_tokens = 8, .overlap_tokens = 2});
    WriteTexts("a", 90);
    database_.reset();
    RunSql(StorePath(), kDeleteAll);
    Reopen();
  }

  // Documents with headings, in several scripts, with words that occur once.
  void WriteTexts(const std::string& folder, int count) {
    std::mt19937_64 random(TestSeed(1) + folder[0]);
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      std::string text = "# Größe 日本語 " + folder + "\n\n## fooBar_" + number + "\n\n";
      text += RandomText(random, 4 + random() % 50) + " unique" + folder + number;
      WriteFile(folder + "/" + number + ".md", text);
    }
    Add();
  }

  Status Build(const ForwardIndexOptions& options = kForced,
               const std::atomic<bool>& cancelled = kNotCancelled) {
    database_.reset();
    Status built;
    {
      const auto store = Store::Open(StorePath());
      EXPECT_TRUE(store.has_value());
      built = BuildForwardIndexIfDue(**store, cancelled, options);
    }
    Reopen();
    return built;
  }

  void Remove(const std::string& name, bool purge) {
    std::filesystem::remove(dir_ / name);
    RemoveRequest request;
    request.targets = {dir_ / name};
    request.purge = purge;
    ASSERT_OK(database_->Remove(request));
  }

  int64_t Records() { return Number("SELECT count(*) FROM chunk_words"); }
  int64_t Chunks() { return Number("SELECT count(*) FROM chunk"); }
  std::string Token() { return database_->Stats()->store.snapshot; }

  // The hybrid rankings, with all bits of the scores.
  std::string Answers(const std::string& snapshot = "") {
    std::string all;
    for (const char* text : {"alpha", "memroy thraed files", "+beta gamma -delta", "grosse 日本",
                             "uniquea17 omicron", "index vector search budget foobar 12"}) {
      SearchRequest request;
      request.text = text;
      request.k = 120;
      request.scope.snapshot = snapshot;
      for (const SearchHit& hit : Search(request).hits) {
        char score[40];
        std::snprintf(score, sizeof(score), " %a\n", hit.score);
        all += hit.chunk.id + score;
      }
    }
    return all;
  }

  // Changes the store by SQL and returns the answers then.
  std::string AnswersAfter(const std::string& sql, const std::string& snapshot = "") {
    database_.reset();
    RunSql(StorePath(), sql);
    Reopen();
    return Answers(snapshot);
  }
};

TEST_F(ForwardIndexTest, ChangesNoAnswer) {
  const std::string before = Answers();
  const std::string first = Token();
  ASSERT_OK(Build());
  ASSERT_GT(Chunks(), 300);
  EXPECT_EQ(Records(), Chunks());
  EXPECT_EQ(Answers(), before);
  // Documents are added, edited and removed afterwards.
  WriteTexts("b", 20);
  WriteFile("a/13.md", "# Memory\nalpha beta gamma mu nu memory memory memory");
  Add();
  Remove("a/12.md", false);
  EXPECT_LT(Records(), Chunks());
  const std::string partly = Answers();
  EXPECT_NE(partly, before);
  EXPECT_EQ(Answers(first), before);
  ASSERT_OK(Build());
  EXPECT_EQ(Records(), Chunks());
  EXPECT_EQ(Answers(), partly);
  EXPECT_EQ(Answers(first), before);
  ExpectHealthy();
  EXPECT_EQ(AnswersAfter(kDeleteAll), partly);
  EXPECT_EQ(Answers(first), before);
}

// The scores come from the records, not from the texts: without texts they are the same.
TEST_F(ForwardIndexTest, TextsAreNotReadForScores) {
  ASSERT_OK(Build());
  SearchRequest request;
  request.text = "memroy thraed";
  request.k = 1;
  // To name similar words, and to find chunks with the same text, texts are read.
  request.expand_words = false;
  request.identical = IdenticalChunks::kKeep;
  const SearchResponse before = Search(request);
  ASSERT_EQ(before.hits.size(), 1u);
  const std::string others = " WHERE id NOT IN (SELECT first_block FROM doc WHERE path = '" +
                             before.hits[0].doc.path + "')";
  database_.reset();
  RunSql(StorePath(), "DELETE FROM text_block" + others);
  Reopen();
  const SearchResponse after = Search(request);
  ASSERT_EQ(after.hits.size(), 1u);
  EXPECT_EQ(after.hits[0].chunk.id, before.hits[0].chunk.id);
  EXPECT_EQ(after.hits[0].score, before.hits[0].score);
}

TEST_F(ForwardIndexTest, IsTheSameForAnyNumberOfThreadsAndBatches) {
  const auto rows = [this] {
    database_.reset();
    std::string all;
    const auto connection = Connection::Open(StorePath(), {});
    auto select = (*connection)
                      ->Prepare(
                          "SELECT chunk, hex(data) FROM chunk_words UNION ALL "
                          "SELECT -chunks, hex(data) FROM word_dictionary");
    while (*select->Step()) {
      all += std::to_string(select->ColumnInt(0)) + std::string(select->ColumnText(1)) + "\n";
    }
    return all;
  };
  std::string first;
  for (const uint32_t threads : {1u, 2u, 5u}) {
    for (const size_t batch_bytes : {size_t{1}, size_t{2000}, size_t{1} << 20}) {
      database_.reset();
      RunSql(StorePath(), kDeleteAll);
      ASSERT_OK(Build({.chunks_from = 1, .batch_bytes = batch_bytes, .threads = threads}));
      const std::string made = rows();
      if (first.empty()) first = made;
      EXPECT_EQ(made, first) << threads << " threads, batches of " << batch_bytes;
    }
  }
}

TEST_F(ForwardIndexTest, IsBuiltWhenItIsDue) {
  const int64_t chunks = Chunks();
  ASSERT_OK(Build({.chunks_from = chunks + 1, .always = true}));
  EXPECT_EQ(Number("SELECT count(*) FROM word_dictionary"), 0);
  ASSERT_OK(Build({.chunks_from = chunks}));
  EXPECT_EQ(Records(), chunks);
  WriteTexts("b", 2);
  const ForwardIndexOptions small = {.chunks_from = 1};
  ASSERT_OK(Build(small));
  EXPECT_EQ(Records(), chunks) << "few chunks are new";
  ASSERT_OK(Build());
  EXPECT_EQ(Records(), Chunks());
  EXPECT_EQ(Number("SELECT chunks FROM word_dictionary"), chunks) << "the dictionary stays";
  WriteTexts("c", 300);
  ASSERT_GE(Chunks(), 4 * chunks);
  const std::string before = Answers();
  ASSERT_OK(Build(small));
  EXPECT_EQ(Records(), Chunks());
  EXPECT_EQ(Number("SELECT chunks FROM word_dictionary"), Chunks()) << "it was outgrown";
  EXPECT_EQ(Number("SELECT count(*) FROM word_dictionary"), 1);
  EXPECT_EQ(Answers(), before);
  ExpectHealthy();
}

TEST_F(ForwardIndexTest, AnInterruptedBuildIsContinued) {
  const std::string before = Answers();
  std::atomic<bool> cancelled = false;
  std::vector<DerivedDataProgress> told;
  ForwardIndexOptions options = kForced;
  options.batch_bytes = 2000;
  options.progress = [&](const DerivedDataProgress& progress) {
    told.push_back(progress);
    cancelled = told.size() == 3;
  };
  EXPECT_EQ(Build(options, cancelled).code(), StatusCode::kCancelled);
  const int64_t records = Records();
  EXPECT_GT(records, 0);
  EXPECT_LT(records, Chunks());
  EXPECT_EQ(Answers(), before);
  ExpectHealthy();
  ASSERT_OK(Build(options));
  EXPECT_EQ(Records(), Chunks());
  EXPECT_EQ(Answers(), before);
  for (size_t i = 1; i < told.size(); ++i) {
    EXPECT_EQ(told[i].stage, DerivedDataStage::kChunkWords);
    EXPECT_GE(told[i].done, told[i - 1].done);
    EXPECT_LE(told[i].done, told[i].total);
  }
}

TEST_F(ForwardIndexTest, APurgeDeletesTheWordsOfItsChunks) {
  ASSERT_OK(Build());
  Remove("a/12.md", false);
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(Records(), Chunks());
  EXPECT_EQ(Number("SELECT count(*) FROM chunk_words WHERE chunk NOT IN (SELECT id FROM chunk)"),
            0);
  // Words of a document that is purged leave the dictionary, too.
  WriteFile("secret1.txt", "xyzzysecret alpha");
  WriteFile("secret2.txt", "xyzzysecret beta");
  Add();
  database_.reset();
  RunSql(StorePath(), kDeleteAll);
  ASSERT_OK(Build());
  const auto leaves_no_trace = [this] {
    return Number(
               "SELECT count(*) FROM (SELECT data FROM word_dictionary UNION ALL SELECT data "
               "FROM chunk_words) WHERE instr(data, CAST('xyzzysecret' AS BLOB)) > 0") == 0;
  };
  ASSERT_FALSE(leaves_no_trace()) << "or this tests nothing";
  Remove("secret1.txt", false);
  Remove("secret2.txt", true);
  EXPECT_TRUE(leaves_no_trace());
  const std::string before = Answers();
  ASSERT_OK(Build());
  EXPECT_EQ(Records(), Chunks());
  EXPECT_EQ(Answers(), before);
  ExpectHealthy();
}

// A store has the words of its first chunks, and ranks by them as by its texts.
class YoungForwardIndexTest : public QueryFixture {
 protected:
  std::string Scores() {
    std::string all;
    for (const char* text : {"путь через лес", "дорга", "δρόμος", "सड़क", "道"}) {
      SearchRequest request;
      request.text = text;
      for (const SearchHit& hit : Search(request).hits) {
        char score[40];
        std::snprintf(score, sizeof(score), " %a\n", hit.score);
        all += hit.chunk.id + score;
      }
    }
    return all;
  }
};

TEST_F(YoungForwardIndexTest, TheFirstAddMakesIt) {
  Create({.embedder = "hash"});
  WriteFile("1.md", "Дорога идёт через Тёмный лес к реке.");
  Add();
  EXPECT_EQ(Number("SELECT count(*) FROM chunk_words"), 1);
  WriteFile("2.md", "Путь к реке короче дороги, а дорога шире. Ο δρόμος προς το ποτάμι.");
  WriteFile("3.md", "नदी की सड़क लंबी है। 川への道は長い。");
  WriteFile("4.md", "Лес за рекой, और सड़क, ΔΡΌΜΟΣ.");
  Add();
  EXPECT_EQ(Number("SELECT count(*) FROM chunk_words"), Number("SELECT count(*) FROM chunk"));
  ExpectHealthy();
  const std::string by_words = Scores();
  EXPECT_FALSE(by_words.empty());
  database_.reset();
  RunSql(StorePath(), kDeleteAll);
  Reopen();
  EXPECT_EQ(Scores(), by_words);
}

// Another process holds the write lock: the build is left to a later call.
TEST_F(ForwardIndexTest, GivesUpWhileAnotherProcessWrites) {
  database_.reset();
  ASSERT_OK_AND_ASSIGN(const auto other, Store::Open(StorePath()));
  ASSERT_OK_AND_ASSIGN(auto writing, other->BeginWrite());
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {.busy_timeout_ms = 0}));
  EXPECT_OK(BuildForwardIndexIfDue(*store, kNotCancelled, kForced));
  writing.reset();
  EXPECT_EQ(Records(), 0);
  EXPECT_OK(BuildForwardIndexIfDue(*store, kNotCancelled, kForced));
  EXPECT_EQ(Records(), Chunks());
}

struct ForwardFault {
  const char* name;
  std::string sql;
};

// A dictionary that has the words of the present one, but its first and its last in the other
// order.
std::string SwappedDictionary(const std::string& path) {
  const auto connection = Connection::Open(path, {});
  auto select = (*connection)->Prepare("SELECT data FROM word_dictionary");
  EXPECT_TRUE(*select->Step());
  const auto dictionary = WordDictionary::Decode(std::string(AsText(select->ColumnBlob(0))));
  std::vector<std::string> words;
  for (uint32_t i = 0; i < dictionary->size(); ++i) words.emplace_back(dictionary->word(i));
  std::swap(words.front(), words.back());
  std::string hex;
  for (const char byte : WordDictionary::Encode(words)) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x",
                  static_cast<unsigned>(static_cast<uint8_t>(byte)));
    hex += digits;
  }
  return hex;
}

TEST_F(ForwardIndexTest, TheDoctorFindsAndRepairsWhatIsWrongWithIt) {
  ASSERT_OK(Build());
  const std::string expected = Answers();
  database_.reset();
  const std::string sound = dir_ / "sound.db";
  std::filesystem::copy_file(StorePath(), sound);
  const ForwardFault faults[] = {
      {"a changed record", "UPDATE chunk_words SET data = x'0500' WHERE chunk = 7"},
      {"a record that ends early",
       "UPDATE chunk_words SET data = CAST(substr(data, 1, 3) AS BLOB) WHERE chunk = 7"},
      {"an empty record", "UPDATE chunk_words SET data = x'' WHERE chunk = 7"},
      {"the record of another chunk",
       "UPDATE chunk_words SET data = (SELECT data FROM chunk_words WHERE chunk = 9) WHERE "
       "chunk = 7"},
      {"a record without a chunk", "INSERT INTO chunk_words VALUES(4000000000, x'0000')"},
      {"a negative rowid", "INSERT INTO chunk_words VALUES(-3, x'0000')"},
      {"no dictionary", "DELETE FROM word_dictionary"},
      {"two dictionaries",
       "INSERT INTO word_dictionary(chunks, data) SELECT chunks, data FROM "
       "word_dictionary"},
      {"a damaged dictionary", "UPDATE word_dictionary SET data = zeroblob(length(data))"},
      {"a short dictionary", "UPDATE word_dictionary SET data = x'52'"},
      {"another dictionary",
       "UPDATE word_dictionary SET data = x'" + SwappedDictionary(StorePath()) + "'"},
  };
  for (const ForwardFault& fault : faults) {
    SCOPED_TRACE(fault.name);
    database_.reset();
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(StorePath() + suffix);
    std::filesystem::copy_file(sound, StorePath(),
                               std::filesystem::copy_options::overwrite_existing);
    RunSql(StorePath(), fault.sql);
    ASSERT_OK_AND_ASSIGN(const DoctorReport found, Database::Doctor({.path = StorePath()}));
    ASSERT_EQ(found.findings.size(), 1u);
    EXPECT_EQ(found.findings[0].code, "forward_index");
    EXPECT_TRUE(found.findings[0].fixable);
    ASSERT_OK_AND_ASSIGN(const DoctorReport fixed,
                         Database::Doctor({.path = StorePath(), .fix = true, .keep_copy = false}));
    EXPECT_EQ(fixed.fixed, 1);
    EXPECT_EQ(fixed.errors, 0);
    ExpectHealthy();
    Reopen();
    EXPECT_EQ(Answers(), expected);
  }
}

// Records that cannot be read are ignored, because the texts have the same words.
TEST_F(ForwardIndexTest, DamagedRecordsChangeNoAnswer) {
  const std::string expected = Answers();
  for (const char* fault :
       {"UPDATE chunk_words SET data = x'' WHERE chunk % 3 = 0",
        "UPDATE chunk_words SET data = x'0501ffff' WHERE chunk % 5 = 0",
        "UPDATE word_dictionary SET data = x'52'", "DELETE FROM word_dictionary",
        "UPDATE word_dictionary SET data = 'text', chunks = 'none'"}) {
    SCOPED_TRACE(fault);
    database_.reset();
    RunSql(StorePath(), kDeleteAll);
    ASSERT_OK(Build());
    EXPECT_EQ(AnswersAfter(fault), expected);
  }
}

}  // namespace
}  // namespace recall
