// Stores whose vector space has IVF lists, with vectors of the LSA model and with fixed vectors.
// Real stores have lists from 500,000 chunks on; the tests force them.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "index/write/training/training.h"
#include "storage/segment/segment_reader.h"
#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr int kIvfTexts = 2400;  // more than are scored in full anyway

class IvfSpacesTest : public QueryFixture, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    Create({.embedder = GetParam(), .dim = 64});
    WriteTexts("a", kIvfTexts);
  }

  bool needs_training() const { return std::string(GetParam()) == "lsa"; }

  // Texts on forty subjects with six words each; without `by_subject` each word is from any.
  void WriteTexts(const std::string& folder, int count, bool by_subject = true) {
    std::mt19937_64 random(TestSeed(1) + folder[0]);
    std::string lines;
    for (int i = 0; i < count; ++i) {
      std::string subject = std::to_string(random() % 40);
      std::string text;
      for (int word = 0; word < 8; ++word) {
        if (!by_subject) subject = std::to_string(random() % 40);
        text += "w" + subject + "x" + std::to_string(random() % 6) + " ";
      }
      lines += R"({"path": ")" + folder + "/" + std::to_string(i) + R"(.txt", "text": ")" + text +
               "\"}\n";
    }
    WriteFile("texts.jsonl", lines);
    AddRequest request;
    request.jsonl = dir_ / "texts.jsonl";
    ASSERT_OK(database_->Add(request));
  }

  void TrainIvfLists(TrainingOptions options = {
                         .threads = 2, .fill_vectors = 700, .divide = true}) {
    database_.reset();
    {
      ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {.flush_vectors = 500}));
      options.lists_from = 1;
      ASSERT_OK_AND_ASSIGN(const TrainingOutcome outcome,
                           TrainIfDue(*store, kNotCancelled, options));
      EXPECT_EQ(outcome, TrainingOutcome::kTrained);
    }
    Reopen();
  }

  // The number of segments of the active space that have lists, and of all its segments.
  std::pair<int, int> Segments() {
    const auto store = Store::Open(StorePath(), {.read_only = true});
    const auto read = (*store)->BeginRead();
    const auto readers = (*read)->Segments();
    std::pair<int, int> counts;
    for (const auto& reader : *readers) {
      counts.first += reader->info().lists > 0;
      ++counts.second;
    }
    return counts;
  }

  std::string Answers(bool exact, const std::string& snapshot = "") {
    std::string all;
    for (int subject = 0; subject < 40; subject += 3) {
      SearchRequest request;
      const std::string n = std::to_string(subject);
      request.text = "w" + n + "x1 w" + n + "x4";
      request.mode = SearchMode::kSemantic;
      request.k = 10;
      request.exact = exact;
      request.scope.snapshot = snapshot;
      for (const SearchHit& hit : Search(request).hits) {
        all += hit.chunk.id + " " + std::to_string(hit.score) + "\n";
      }
    }
    return all;
  }

  std::string Token() { return database_->Stats()->store.snapshot; }

  int64_t IvfModels() {
    return Number("SELECT count(*) FROM space JOIN model_part USING (model) WHERE kind = 'cells'");
  }
};

TEST_P(IvfSpacesTest, FindWhatTheyFoundBefore) {
  const std::string then = Token();
  const std::string exact = Answers(true);
  const std::string before = Answers(false);
  TrainIvfLists();
  EXPECT_EQ(IvfModels(), 1);
  const auto [with_lists, all] = Segments();
  EXPECT_GT(all, 0);
  EXPECT_EQ(with_lists, all);
  EXPECT_EQ(Answers(true), exact);
  EXPECT_EQ(Answers(false), exact) << "texts on one subject lie in neighbouring cells";
  EXPECT_EQ(Answers(false, then), before);
  ExpectHealthy();
}

TEST_P(IvfSpacesTest, StaySoWhenDocumentsComeAndGo) {
  TrainIvfLists();
  WriteTexts("b", 300);
  ExpectHealthy();
  EXPECT_EQ(Answers(false), Answers(true));
  RemoveRequest removal;
  for (int i = 0; i < kIvfTexts; i += 3)
    removal.targets.push_back("a/" + std::to_string(i) + ".txt");
  ASSERT_OK(database_->Remove(removal));
  const std::string exact = Answers(true);
  EXPECT_EQ(Answers(false), exact);
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(Answers(true), exact);
  EXPECT_EQ(Answers(false), exact);
  EXPECT_EQ(IvfModels(), 1);
  const auto [with_lists, all] = Segments();
  EXPECT_EQ(with_lists, all);
  ExpectHealthy();
}

// Lists are read when a process asks by vector for the first time.
TEST_P(IvfSpacesTest, TheFirstQuestionOfAProcessUsesThemAsLaterOnesDo) {
  WriteTexts("b", 8000,
             false);  // the lists that a search may scan hold more than it scores in full
  TrainIvfLists();
  SearchRequest request;
  request.text = "w3x1 w3x4";
  request.mode = SearchMode::kSemantic;
  request.explain = true;
  const SearchResponse first = Search(request);
  const SearchResponse second = Search(request);
  EXPECT_LT(first.explain->vectors_scanned, 8000) << "all lists";
  EXPECT_EQ(first.explain->vectors_scanned, second.explain->vectors_scanned);
  EXPECT_EQ(first.explain->vectors_reranked, second.explain->vectors_reranked);
}

// The next training of the model replaces the one that has the lists.
TEST_P(IvfSpacesTest, HaveNewListsWhenAModelIsTrainedAgain) {
  TrainIvfLists();
  // Twice as many texts: an LSA model is trained again, without lists in so small a store.
  WriteTexts("b", kIvfTexts + 100);
  EXPECT_EQ(IvfModels(), needs_training() ? 1 : 2)
      << "one that learns its vectors needs none while it is small";
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(IvfModels(), needs_training() ? 0 : 1);
  EXPECT_EQ(Answers(false), Answers(true));
  ExpectHealthy();
}

TEST_P(IvfSpacesTest, PiecesAndThreadsMakeNoDifference) {
  TrainIvfLists();
  const std::string expected = Answers(false);
  for (const size_t pieces : {size_t{100}, size_t{5000}}) {
    TrainIvfLists({.threads = 3, .always = true, .fill_vectors = pieces});
    EXPECT_EQ(Answers(false), expected) << pieces;
    ExpectHealthy();
  }
}

TEST_P(IvfSpacesTest, TheDoctorFindsAndRepairsWhatIsWrongWithThem) {
  TrainIvfLists();
  WriteTexts("b", 20);  // some in the delta
  const std::string exact = Answers(true);
  database_.reset();
  const std::string sound = dir_ / "sound.db";
  std::filesystem::copy_file(StorePath(), sound);
  const std::string delta = "UPDATE vec_tail SET data = CAST(substr(data, 1, length(data) - 2) || ";
  const auto sql = [](const std::string& text) {
    return [text](const std::string& path) { RunSql(path, text); };
  };
  const struct {
    std::function<void(const std::string& path)> inject;
    const char* code;
  } faults[] = {
      {sql("UPDATE model_part SET data = zeroblob(length(data)) WHERE kind = 'cells'"),
       "model_damaged"},
      {sql("UPDATE model_part SET data = substr(data, 1, 1000) WHERE kind = 'cells'"),
       "model_damaged"},
      {sql(delta + "x'ff00' AS BLOB) WHERE chunk % 2 = 0"), "vector_drift"},
      {sql(delta + "x'' AS BLOB) WHERE chunk % 2 = 0"), "vector_drift"},
      {sql(delta + "x'00' AS BLOB) WHERE chunk % 2 = 0"), "tail_record"},
      {DamageSection(SectionKind::kSlots, 0, false), "segment_checksum"},
      {DamageSection(SectionKind::kSlots, 0, true), "segment_rows"},
      {DamageSection(SectionKind::kSlots, 1, true), "segment_rows"},
      {DamageSection(SectionKind::kCellEnds, 0, true), "segment_rows"},
      {DamageSection(SectionKind::kCellEnds, 3, true), "segment_rows"},
      {DamageSection(SectionKind::kSignatures, 0, true), "signature_drift"},
  };
  size_t i = 0;
  for (const auto& fault : faults) {
    database_.reset();
    std::filesystem::copy_file(sound, StorePath(),
                               std::filesystem::copy_options::overwrite_existing);
    fault.inject(StorePath());
    ASSERT_OK_AND_ASSIGN(const DoctorReport found, Database::Doctor({.path = StorePath()}));
    EXPECT_TRUE(std::ranges::count(found.findings, fault.code, &DoctorFinding::code))
        << i << " is not found as " << fault.code;
    ASSERT_OK(Database::Doctor({.path = StorePath(), .fix = true}));
    ExpectHealthy();
    Reopen();
    EXPECT_EQ(Answers(true).size(), exact.size()) << i;
    if (!needs_training()) {
      EXPECT_EQ(Answers(true), exact) << i;
    }
    ++i;
  }
}

INSTANTIATE_TEST_SUITE_P(Embedders, IvfSpacesTest, ::testing::Values("lsa", "hash"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace recall
