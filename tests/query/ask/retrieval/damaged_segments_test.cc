// Searches in stores whose segments are damaged. Segments are read in place, past SQLite, so the
// checksums of SQLite's pages do not protect them.

#include <gtest/gtest.h>

#include <atomic>

#include "index/write/training/training.h"
#include "storage/segment/segment_reader.h"
#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr int kTexts = 2400;  // more than are scored in full

class DamagedSegmentsTest : public QueryFixture {
 protected:
  // Segments with IVF lists and with gaps in their chunk rowids.
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64});
    std::string lines;
    for (int i = 0; i < kTexts; ++i) {
      const std::string n = std::to_string(i);
      lines += R"({"path": ")" + n + R"(.txt", "text": "word)" + n + " common all\"}\n";
    }
    WriteFile("texts.jsonl", lines);
    AddRequest request;
    request.jsonl = dir_ / "texts.jsonl";
    ASSERT_OK(database_->Add(request));
    RemoveRequest removal;
    removal.targets = {"7.txt", "900.txt"};
    ASSERT_OK(database_->Remove(removal));
    ASSERT_OK(database_->Compact({.keep_nanos = 0}));
    database_.reset();
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {.flush_vectors = 500}));
    TrainingOptions options = {.threads = 2, .fill_vectors = 700, .divide = true};
    options.lists_from = 1;
    ASSERT_OK_AND_ASSIGN(const TrainingOutcome outcome, TrainIfDue(*store, kNotCancelled, options));
    ASSERT_EQ(outcome, TrainingOutcome::kTrained);
  }

  // Damages a copy of the store, and searches in it for the words of the first chunk.
  Status SearchDamaged(const std::function<void(const std::string&)>& damage, SearchMode mode,
                       PageVerification verify, bool exact = false) {
    database_.reset();
    const std::string copy = dir_ / "copy.db";
    std::filesystem::remove(copy);
    std::filesystem::copy_file(StorePath(), copy);
    damage(copy);
    const auto database = Database::Open(copy, {.read_only = true, .verify_pages = verify});
    if (!database) return database.error();
    SearchRequest request;
    request.text = "word0 common all";
    request.mode = mode;
    request.exact = exact;
    return internal::ToStatus((*database)->Search(request));
  }
};

constexpr PageVerification kAllWays[] = {PageVerification::kFirstUse, PageVerification::kAlways,
                                         PageVerification::kNever};

TEST_F(DamagedSegmentsTest, AnUndamagedStoreAnswers) {
  for (const PageVerification verify : kAllWays) {
    for (const SearchMode mode : {SearchMode::kSemantic, SearchMode::kLexical}) {
      EXPECT_OK(SearchDamaged([](const std::string&) {}, mode, verify));
    }
  }
}

struct DamageCase {
  SectionKind kind;
  bool sealed;  // the page's checksum fits the damage: only that of the vector does not
  SearchMode mode;
};

TEST_F(DamagedSegmentsTest, AreNoticed) {
  const DamageCase cases[] = {
      {SectionKind::kChunkIds, false, SearchMode::kSemantic},
      {SectionKind::kChunkIds, false, SearchMode::kLexical},
      {SectionKind::kTokenCounts, false, SearchMode::kLexical},
      {SectionKind::kCellEnds, false, SearchMode::kSemantic},
      {SectionKind::kSlots, false, SearchMode::kSemantic},
      {SectionKind::kVectors, true, SearchMode::kSemantic},
      {SectionKind::kScales, true, SearchMode::kSemantic},
      {SectionKind::kVectorChecksums, true, SearchMode::kSemantic},
  };
  for (const DamageCase& each : cases) {
    const auto damage = DamageSection(each.kind, 0, each.sealed);
    const int kind = static_cast<int>(each.kind);
    const Status noticed = SearchDamaged(damage, each.mode, PageVerification::kFirstUse);
    EXPECT_EQ(noticed.code(), StatusCode::kCorruption) << kind << ": " << noticed.ToString();
    EXPECT_NE(noticed.hint(), "") << kind;
    const Status unnoticed = SearchDamaged(damage, each.mode, PageVerification::kNever);
    EXPECT_TRUE(unnoticed.ok()) << kind << ": " << unnoticed.ToString();
  }
}

TEST_F(DamagedSegmentsTest, AreNoticedByAnExactSearch) {
  const auto damage = DamageSection(SectionKind::kVectors, 0, true);
  const Status noticed =
      SearchDamaged(damage, SearchMode::kSemantic, PageVerification::kFirstUse, true);
  EXPECT_EQ(noticed.code(), StatusCode::kCorruption) << noticed.ToString();
}

// A wrong bit of a sign code does not change a score, so only the strictest setting compares them.
TEST_F(DamagedSegmentsTest, SignCodesAreComparedIfAlways) {
  const auto damage = DamageSection(SectionKind::kSignatures, 0, false);
  EXPECT_OK(SearchDamaged(damage, SearchMode::kSemantic, PageVerification::kFirstUse));
  EXPECT_EQ(SearchDamaged(damage, SearchMode::kSemantic, PageVerification::kAlways).code(),
            StatusCode::kCorruption);
}

}  // namespace
}  // namespace recall
