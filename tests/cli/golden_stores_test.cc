// Stores and answers of older programs (tests/golden_stores/README.md). The present program must
// read the stores without changing them, migrate them, and give the same answers.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>

#include "index/embed/vector_space/delta_record.h"
#include "query/database/database.h"
#include "storage/file_io/input_file.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/page_checksum.h"
#include "tests/cli/shell.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

const std::string kStores = SourceDir() + "/tests/golden_stores/";

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void Decompress(const std::string& from, const std::string& to) {
  ASSERT_OK_AND_ASSIGN(const auto input, InputFile::Open(from, nullptr));
  std::ofstream output(to, std::ios::binary);
  std::string buffer(1 << 16, '\0');
  while (true) {
    ASSERT_OK_AND_ASSIGN(const size_t bytes, input->Read(buffer));
    if (bytes == 0) break;
    output.write(buffer.data(), static_cast<std::streamsize>(bytes));
  }
  ASSERT_TRUE(output.flush());
}

// Splits a file of answers into entries: "$ ", a shell command and its output. Later programs also
// say why they found nothing.
std::vector<std::string> Entries(const std::string& text) {
  std::vector<std::string> entries;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("warning: no results: ")) continue;
    if (line.starts_with("$ ") || entries.empty()) entries.emplace_back();
    entries.back() += line + "\n";
  }
  return entries;
}

class GoldenStore : public ::testing::Test {
 protected:
  void Open(const std::string& name) {
    Decompress(kStores + name + ".db.zst", StorePath());
    recorded_ = Entries(ReadFile(kStores + name + ".answers"));
    ASSERT_FALSE(recorded_.empty()) << name;
  }

  std::string StorePath() const { return dir_ / "recall.db"; }

  // Runs the recorded commands and compares the output. Commands that contain `left_out` are
  // skipped. `fts` is the value of RECALL_FTS.
  void ExpectTheRecordedAnswers(const std::string& left_out = "",
                                const std::string& fts = "native") {
    std::string questions, expected;
    for (const std::string& entry : recorded_) {
      const std::string question = entry.substr(2, entry.find('\n') - 1);
      if (!left_out.empty() && question.find(left_out) != std::string::npos) continue;
      questions += question;
      expected += entry;
    }
    const std::string script = "RECALL_FTS=" + fts + " sh " + ShellQuoted(kStores + "record.sh") +
                               " < " + ShellQuoted(dir_ / "questions");
    std::ofstream(dir_ / "questions") << questions;
    const ShellResult result = RunShell(script, dir_.path());
    fs::remove(dir_ / "questions");
    EXPECT_EQ(result.exit, 0);
    const auto answers = Entries(result.out), wanted = Entries(expected);
    ASSERT_EQ(answers.size(), wanted.size()) << result.out;
    for (size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(answers[i], wanted[i]);
  }

  void ExpectSound() {
    const ShellResult doctor = Run("recall doctor");
    EXPECT_EQ(doctor.exit, 0) << doctor.out;
  }

  // As a newer program would have written it, with the checksum of page 1 from format 10 on.
  void SetVersion(uint16_t version) {
    constexpr size_t kUserVersion = 60;
    std::string file = ReadFile(StorePath());
    file[kUserVersion + 2] = static_cast<char>(version >> 8);
    file[kUserVersion + 3] = static_cast<char>(version);
    const std::span<uint8_t> page(reinterpret_cast<uint8_t*>(file.data()), 65536);
    constexpr size_t kReservedBytes = 20;
    if (page[kReservedBytes] > 0) {
      ASSERT_TRUE(WritePageTrailer(page, 1));
    }
    std::ofstream(StorePath(), std::ios::binary) << file;
  }

  ShellResult Run(const std::string& script) { return RunShell(script, dir_.path()); }

  int64_t Number(const std::string& sql) {
    auto connection = Connection::Open(StorePath(), {});
    EXPECT_TRUE(connection.has_value()) << connection.error().ToString();
    if (!connection) return -1;
    auto number = (*connection)->QueryInt(sql);
    EXPECT_TRUE(number.has_value()) << number.error().ToString();
    return number.value_or(-1);
  }

  TempDir dir_;
  std::vector<std::string> recorded_;
};

using UpgradeCopyTest = GoldenStore;

TEST_F(UpgradeCopyTest, AutoBackupKeepsAStoreFromBeforeItsFormatChanges) {
  const auto version_of = [](const std::string& path) {
    const auto connection = Connection::Open(path, {});
    EXPECT_TRUE(connection.has_value()) << path;
    return connection ? (*connection)->QueryInt("PRAGMA user_version").value_or(-1) : -1;
  };
  const std::string copy = StorePath() + ".backup-1";
  const auto remove_store = [&] {
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(StorePath() + suffix);
  };
  std::ofstream(dir_ / "recall.toml") << "auto_backup = 1\n";
  Open("v9");
  EXPECT_EQ(Run("recall ls").exit, 0);
  EXPECT_FALSE(fs::exists(copy)) << "reading changes nothing";
  const ShellResult saved = Run("recall save lesson One --text alpha");
  EXPECT_EQ(saved.exit, 0) << saved.out;
  EXPECT_NE(saved.out.find("copied the store to " + copy), std::string::npos) << saved.out;
  EXPECT_EQ(version_of(copy), 9);
  EXPECT_EQ(version_of(StorePath()), SchemaVersion());
  fs::remove(copy);
  EXPECT_EQ(Run("recall save lesson Two --text beta").exit, 0);
  EXPECT_FALSE(fs::exists(copy)) << "the format is the newest";

  // An import keeps that copy, and not one of the new format in its place.
  remove_store();
  Open("v5");
  EXPECT_EQ(Run("recall export --out all.jsonl && recall import all.jsonl").exit, 0);
  EXPECT_EQ(version_of(copy), 5);

  // Without the setting there is no copy.
  remove_store();
  fs::remove(copy);
  fs::remove(dir_ / "recall.toml");
  Open("v5");
  EXPECT_EQ(Run("recall save lesson One --text alpha").exit, 0);
  EXPECT_FALSE(fs::exists(copy));
}

// The parameter is the format version of the store.
class GoldenStoreTest : public GoldenStore, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    Open("v" + std::to_string(GetParam()));
    ASSERT_GT(recorded_.size(), 25u);
    if (GetParam() > 1) return;
    // The last program of format 1 had no filters and no export. The store of format 2 has the same
    // documents, so its additional answers must hold here, too.
    for (const std::string& entry : Entries(ReadFile(kStores + "v2.answers"))) {
      if (!std::ranges::count(recorded_, entry)) recorded_.push_back(entry);
    }
  }
};

// The stores must contain all structures that the tests below rely on.
TEST_P(GoldenStoreTest, HasAllThatItsVersionCanHave) {
  EXPECT_EQ(Number("PRAGMA user_version"), GetParam());
  EXPECT_EQ(Number("PRAGMA application_id"), 0x52434C4C);
  EXPECT_EQ(Number("PRAGMA page_size"), 65536);
  EXPECT_EQ(Number("PRAGMA auto_vacuum"), 0);
  EXPECT_EQ(Number("SELECT count(*) FROM vec_segment"), 1);
  EXPECT_GT(Number("SELECT count(*) FROM vec_tail"), 0);
  EXPECT_EQ(Number("SELECT count(*) FROM tombstone"), 1);
  EXPECT_EQ(Number("SELECT count(*) FROM doc WHERE removed_seq IS NOT NULL"), 3);
  EXPECT_GT(Number("SELECT max(chunk_count) FROM doc"), 4000);
  EXPECT_EQ(Number("SELECT count(*) FROM doc WHERE size = 0"), 1);
  if (GetParam() >= 2) {
    EXPECT_GT(Number("SELECT count(*) FROM doc_meta"), 0);
  }
  if (GetParam() >= 3) {
    EXPECT_EQ(Number("SELECT count(*) FROM doc_past"), 1);
  }
}

// A wrong count would show only in the scores of the answers.
TEST_P(GoldenStoreTest, VectorsOfTheDeltaComeWithTheCountsOfTheirChunks) {
  ASSERT_OK_AND_ASSIGN(const auto connection, Connection::Open(StorePath(), {}));
  ASSERT_OK_AND_ASSIGN(Statement rows,
                       connection->Prepare("SELECT data, id, lexical_tokens, tokens FROM vec_tail "
                                           "JOIN chunk ON id = vec_tail.chunk"));
  const VectorSpace space(16, 42);
  int64_t differ = 0;
  while (true) {
    ASSERT_OK_AND_ASSIGN(const bool found, rows.Step());
    if (!found) break;
    ASSERT_OK_AND_ASSIGN(
        const ChunkVector vector,
        DecodeDeltaRecord(static_cast<uint32_t>(rows.ColumnInt(1)), rows.ColumnBlob(0), space));
    EXPECT_EQ(vector.lexical_tokens, rows.ColumnInt(2));
    EXPECT_EQ(vector.tokens, rows.ColumnInt(3));
    EXPECT_NEAR(vector.vector.scale, UnitScale(vector.vector.values), 1e-6);
    differ += vector.lexical_tokens != vector.tokens;
  }
  EXPECT_GT(differ, 0);
}

TEST_P(GoldenStoreTest, IsReadAsItIs) {
  const std::string before = ReadFile(StorePath());
  ExpectTheRecordedAnswers();
  ExpectTheRecordedAnswers("", "sqlite");
  ExpectSound();
  const ShellResult format = Run("recall stats --json | grep '\"schema_version\": [0-9]'");
  EXPECT_NE(format.out.find(": " + std::to_string(GetParam()) + ","), std::string::npos)
      << format.out;
  EXPECT_TRUE(ReadFile(StorePath()) == before) << "a reader changed the file";
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_.path()), {}), 1) << "files beside the store";
}

TEST_P(GoldenStoreTest, BecomesAStoreOfThePresentFormat) {
  ASSERT_OK(Database::Open(StorePath(), {}));
  EXPECT_EQ(Number("PRAGMA user_version"), SchemaVersion());
  EXPECT_EQ(Number("PRAGMA application_id"), 0x52434C4C);
  ExpectTheRecordedAnswers();
  ExpectSound();

  std::ofstream(dir_ / "new.txt")
      << "A document for the present program: a nuthatch in the old oak.\n";
  const ShellResult added = Run("recall add new.txt");
  EXPECT_EQ(added.exit, 0) << added.out;
  const std::string ask = "recall query \"FROM doc USING lexical('+nuthatch') SELECT doc.path\"";
  EXPECT_EQ(Run(ask).out, "new.txt\n");
  ExpectSound();
  // With its removal the store has been written to, and answers about the old documents stay.
  EXPECT_EQ(Run("recall rm new.txt && recall compact --keep-snapshots 5000w").exit, 0);
  ExpectTheRecordedAnswers();
}

TEST_P(GoldenStoreTest, StaysTheSameWhenCompacted) {
  const ShellResult compacted = Run("recall compact --keep-snapshots 0");
  EXPECT_EQ(compacted.exit, 0) << compacted.out;
  EXPECT_EQ(Number("SELECT count(*) FROM doc WHERE removed_seq IS NOT NULL"), 0);
  ExpectTheRecordedAnswers("--snapshot");
  ExpectSound();
}

TEST_P(GoldenStoreTest, IsRefusedAndLeftAloneWithANewerVersion) {
  SetVersion(256);
  const std::string before = ReadFile(StorePath());
  for (const std::string command :
       {"recall search otter", "recall add .", "recall doctor --fix", "recall compact",
        "recall export --out lines", "recall backup copy"}) {
    const ShellResult result = Run(command + " --json");
    EXPECT_EQ(result.exit, 4) << command;
    EXPECT_NE(result.out.find("\"unsupported\""), std::string::npos) << command << result.out;
  }
  EXPECT_TRUE(ReadFile(StorePath()) == before);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_.path()), {}), 1) << "files beside the store";
}

// Notes, links, uses and reviews, which stores have since format 13.
class NotesGoldenStoreTest : public GoldenStore, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override { Open("v" + std::to_string(GetParam()) + "-notes"); }
};

TEST_P(NotesGoldenStoreTest, AnswersAsItDid) {
  EXPECT_EQ(Number("PRAGMA user_version"), GetParam());
  EXPECT_EQ(Number("SELECT count(*) FROM review_log WHERE quality IS NOT NULL"), 2);
  const std::string before = ReadFile(StorePath());
  ExpectTheRecordedAnswers();
  ExpectSound();
  EXPECT_TRUE(ReadFile(StorePath()) == before) << "a reader changed the file";
  ASSERT_OK(Database::Open(StorePath(), {}));
  EXPECT_EQ(Number("PRAGMA user_version"), SchemaVersion());
  ExpectTheRecordedAnswers();
  ExpectSound();
}

// Sessions and their transcripts, which stores have since format 14.
class SessionsGoldenStoreTest : public GoldenStore, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override { Open("v" + std::to_string(GetParam()) + "-sessions"); }
};

TEST_P(SessionsGoldenStoreTest, AnswersAsItDid) {
  EXPECT_EQ(Number("PRAGMA user_version"), GetParam());
  EXPECT_EQ(Number("SELECT count(*) FROM forgotten"), 1);
  EXPECT_EQ(Number("SELECT count(*) FROM captured"), 1);
  const std::string before = ReadFile(StorePath());
  ExpectTheRecordedAnswers();
  ExpectSound();
  EXPECT_TRUE(ReadFile(StorePath()) == before) << "a reader changed the file";
  ASSERT_OK(Database::Open(StorePath(), {}));
  EXPECT_EQ(Number("PRAGMA user_version"), SchemaVersion());
  ExpectTheRecordedAnswers();
  ExpectSound();
}

// Texts that were extracted from files of other formats, which stores have since format 15.
class DocumentsGoldenStoreTest : public GoldenStore, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override { Open("v" + std::to_string(GetParam()) + "-documents"); }
};

TEST_P(DocumentsGoldenStoreTest, AnswersAsItDid) {
  EXPECT_EQ(Number("PRAGMA user_version"), GetParam());
  EXPECT_EQ(Number("SELECT count(*) FROM extraction"), 5);
  const std::string before = ReadFile(StorePath());
  ExpectTheRecordedAnswers();
  ExpectSound();
  EXPECT_TRUE(ReadFile(StorePath()) == before) << "a reader changed the file";
  ASSERT_OK(Database::Open(StorePath(), {}));
  EXPECT_EQ(Number("PRAGMA user_version"), SchemaVersion());
  ExpectTheRecordedAnswers();
  ExpectSound();
}

// Stores with a trained LSA model and a user-supplied embedding. In format 6, pieces of the model
// held rows only, not terms.
class TrainedGoldenStoreTest : public GoldenStore, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override { Open("v" + std::to_string(GetParam()) + "-learnt"); }
};

TEST_P(TrainedGoldenStoreTest, AnswersAsItDid) {
  EXPECT_EQ(Number("PRAGMA user_version"), GetParam());
  EXPECT_EQ(Number("SELECT count(*) FROM given_vector"), 1);
  const std::string parts = GetParam() == 6 ? "'latent_rows/%'" : "'latent_terms/%'";
  EXPECT_GT(Number("SELECT count(*) FROM model_part WHERE kind LIKE " + parts), 0);
  const std::string before = ReadFile(StorePath());
  ExpectTheRecordedAnswers();
  ExpectSound();
  EXPECT_TRUE(ReadFile(StorePath()) == before) << "a reader changed the file";
  ASSERT_OK(Database::Open(StorePath(), {}));
  EXPECT_EQ(Number("PRAGMA user_version"), SchemaVersion());
  ExpectTheRecordedAnswers();
  ExpectSound();
}

// Damage makes the doctor train a new model, which has the present format.
TEST_P(TrainedGoldenStoreTest, TrainsAgainInTheFormatOfToday) {
  {
    ASSERT_OK_AND_ASSIGN(const auto writer,
                         Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(writer->Execute("DELETE FROM model_part WHERE kind = 'latent'"));
  }
  EXPECT_EQ(Run("recall doctor --fix").exit, 0);
  EXPECT_GT(Number("SELECT count(*) FROM model_part WHERE kind LIKE 'latent_terms/%'"), 0);
  EXPECT_EQ(Number("SELECT count(*) FROM model_part WHERE kind LIKE 'latent_rows/%'"), 0);
  // The store was created for user-supplied embeddings; the doctor recreates the active model.
  EXPECT_NE(Run("recall stats").out.find("lsa"), std::string::npos);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(Versions, DocumentsGoldenStoreTest, ::testing::Values(15, 16),
                         [](const auto& param) { return "V" + std::to_string(param.param); });

INSTANTIATE_TEST_SUITE_P(Versions, NotesGoldenStoreTest, ::testing::Values(13, 14, 15, 16),
                         [](const auto& param) { return "V" + std::to_string(param.param); });

INSTANTIATE_TEST_SUITE_P(Versions, SessionsGoldenStoreTest, ::testing::Values(14, 15, 16),
                         [](const auto& param) { return "V" + std::to_string(param.param); });

INSTANTIATE_TEST_SUITE_P(Versions, TrainedGoldenStoreTest,
                         ::testing::Values(6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
                         [](const auto& param) { return "V" + std::to_string(param.param); });

INSTANTIATE_TEST_SUITE_P(Versions, GoldenStoreTest,
                         ::testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
                         [](const auto& param) { return "V" + std::to_string(param.param); });

}  // namespace
}  // namespace recall
