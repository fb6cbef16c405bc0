#include "index/search/vector/vector_index.h"
#include "index/search/vector/scan_plan.h"

#include <set>

#include "index/embed/vector_space/delta_record.h"
#include "index/search/vector/scan_plan.h"
#include "simd/kernels.h"
#include "tests/index/search/vector/vector_test_util.h"

namespace recall {
namespace {

constexpr uint32_t kIndexDim = 100;  // padded to 128

// A store with segments of several shapes and a delta: more than a page without gaps in the rowids,
// one with gaps, and a tiny one. With and without IVF lists.
class VectorIndexTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    StoreSettings settings;
    settings.dim = kIndexDim;
    ASSERT_OK_AND_ASSIGN(auto store, Store::Create(path_, settings));
    ClusteredVectors source(TestSeed(1), kIndexDim, 12);
    if (GetParam()) TrainLists(&space_, source, 60);
    std::mt19937_64 random(TestSeed(2));
    for (uint32_t chunk = 0; chunk < 7000; ++chunk) {
      if (chunk >= 3000 && chunk < 5000 && random() % 3 == 0) continue;  // gaps
      if (chunk >= 5000 && chunk < 5040) continue;                       // between two segments
      std::vector<float> vector = source.Next();
      if (chunk % 500 == 7) vector.assign(kIndexDim, 0.0f);
      if (chunk % 4 == 1 && chunk > 0 && model_.contains(chunk - 1)) {
        model_[chunk] = model_[chunk - 1];  // a tie
        model_[chunk].chunk = chunk;
        continue;
      }
      model_[chunk] = MakeChunkVector(space_, chunk, vector);
    }
    ASSERT_OK_AND_ASSIGN(auto write, store->BeginWrite());
    ASSERT_OK(write->InsertSegment(MakeSegment(space_, model_, 0, 2999)));
    ASSERT_OK(write->InsertSegment(MakeSegment(space_, model_, 3000, 4999)));
    ASSERT_OK(write->InsertSegment(MakeSegment(space_, model_, 5000, 5050)));
    ASSERT_OK(write->InsertSegment(MakeSegment(space_, model_, 5051, 6499)));
    for (auto it = model_.lower_bound(6500); it != model_.end(); ++it) {
      ASSERT_OK(write->InsertDelta(it->first, AsBytes(EncodeDeltaRecord(it->second))));
    }
    ASSERT_OK(write->Commit());
    Reopen(Access::kNew);
    for (int i = 0; i < 12; ++i) queries_.push_back(space_.PrepareQuery(source.Next()));
    for (uint32_t chunk = 0; chunk < 7000; ++chunk) {
      if (random() % 2 == 0) half_.Add(chunk);
      if (random() % 100 == 0) few_.Add(chunk);
      if (random() % 10 == 0) removed_.Add(chunk);
    }
    ranges_.AddRange(100, 2500);
    ranges_.AddRange(2990, 5045);
    ranges_.AddRange(6400, 100'000);
    one_.Add(4321);
  }

  // How vectors are read: new mappings, whose scattered items are read with pread until the process
  // has touched them; mappings; copies by SQLite.
  enum class Access { kNew, kMapped, kCopied };
  static constexpr Access kAllAccess[] = {Access::kNew, Access::kMapped, Access::kCopied};

  void Reopen(Access access) {
    columns_.reset();
    read_.reset();
    store_.reset();
    const bool mapping = access != Access::kCopied;
    ASSERT_OK_AND_ASSIGN(store_, Store::Open(path_, {.enable_mapping = mapping}));
    ASSERT_OK_AND_ASSIGN(read_, store_->BeginRead());
    ASSERT_OK_AND_ASSIGN(columns_, ChunkColumns::Open(*read_, space_));
    if (access != Access::kMapped) return;
    columns_.reset();
    read_.reset();
    ASSERT_OK_AND_ASSIGN(read_, store_->BeginRead());
    ASSERT_OK_AND_ASSIGN(columns_, ChunkColumns::Open(*read_, space_));
  }

  std::vector<ChunkFilter> Filters() const {
    std::vector<ChunkFilter> filters;
    for (const Bitmap* allowed :
         {static_cast<const Bitmap*>(nullptr), &half_, &few_, &ranges_, &one_, &nothing_}) {
      for (const Bitmap* removed : {static_cast<const Bitmap*>(nullptr), &removed_}) {
        filters.push_back({allowed, removed});
      }
    }
    return filters;
  }

  std::vector<std::pair<uint32_t, float>> Search(const VectorQuery& query,
                                                 const ChunkFilter& filter,
                                                 const VectorSearchOptions& options,
                                                 VectorSearchStats* stats = nullptr) {
    const auto hits = SearchVectors(*columns_, query, filter, options, stats);
    EXPECT_TRUE(hits.has_value());
    if (hits) ExpectTheSameByChunk(*hits, query, filter, options);
    return hits ? Pairs(*hits) : std::vector<std::pair<uint32_t, float>>{};
  }

  void ExpectTheSameByChunk(std::vector<RetrieverHit> hits, const VectorQuery& query,
                            const ChunkFilter& filter, VectorSearchOptions options) {
    options.by_chunk = true;
    const auto by_chunk = SearchVectors(*columns_, query, filter, options);
    ASSERT_TRUE(by_chunk.has_value());
    std::ranges::sort(hits, {}, &RetrieverHit::chunk);
    EXPECT_EQ(Pairs(*by_chunk), Pairs(hits));
  }

  std::vector<RetrieverHit> SlowTwoSteps(const VectorQuery& query, const ChunkFilter& filter,
                                         const VectorSearchOptions& options) const {
    return BestOf(
        SlowApproximateRanking(model_, space_, query, filter, options.depth, options.most),
        options.k);
  }

  TempDir directory_;
  std::string path_ = directory_ / "recall.db";
  VectorSpace space_{kIndexDim, 42};
  VectorModel model_;
  std::vector<VectorQuery> queries_;
  Bitmap half_, few_, ranges_, one_, nothing_, removed_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> read_;
  std::unique_ptr<ChunkColumns> columns_;
};

TEST_P(VectorIndexTest, ExactSearchEqualsBruteForce) {
  for (const Access access : kAllAccess) {
    Reopen(access);
    for (const VectorQuery& query : queries_) {
      for (const ChunkFilter& filter : Filters()) {
        for (const size_t k : {1u, 10u, 300u, 100'000u}) {
          const auto expected = Pairs(SlowSearch(model_, query, filter, k));
          EXPECT_EQ(Search(query, filter, {.k = k, .exact = true}), expected) << "k " << k;
        }
      }
    }
  }
}

TEST_P(VectorIndexTest, SignCodeSearchEqualsItsDefinition) {
  // A query with only sixteen different scores, so that nearly all vectors tie.
  VectorQuery& coarse = queries_.emplace_back(queries_[0]);
  std::fill(coarse.lookup.begin(), coarse.lookup.end(), uint8_t{0});
  for (uint8_t pattern = 0; pattern < 16; ++pattern) coarse.lookup[pattern] = pattern;
  for (const VectorQuery& query : queries_) {
    for (const ChunkFilter& filter :
         {ChunkFilter{}, ChunkFilter{nullptr, &removed_}, ChunkFilter{&half_, nullptr},
          ChunkFilter{&ranges_, &removed_}}) {
      for (const size_t depth : {10u, 17u, 33u, 60u, 125u, 200u, 600u, 1500u}) {
        for (const size_t k : {size_t{3}, size_t{10}, depth}) {
          for (const size_t most : {depth, 3 * depth, 16 * depth}) {
            VectorSearchOptions options{.k = std::min(k, depth), .depth = depth, .most = most};
            VectorSearchStats stats;
            EXPECT_EQ(Search(query, filter, options, &stats),
                      Pairs(SlowTwoSteps(query, filter, options)));
            EXPECT_GE(stats.reranked, depth);
            EXPECT_LE(stats.reranked, GetParam() ? most + depth : most);
            EXPECT_LE(stats.reranked, stats.scanned);
            EXPECT_TRUE(GetParam() || stats.exact == (stats.reranked == stats.scanned));
          }
        }
      }
    }
  }
}

TEST_P(VectorIndexTest, AnswersAreTheSameOnEveryTargetThreadCountAndReadPath) {
  const ChunkFilter filter{&half_, &removed_};
  std::vector<std::vector<std::pair<uint32_t, float>>> expected;
  for (const VectorQuery& query : queries_) {
    expected.push_back(Search(query, filter, {.k = 50}));
    expected.push_back(Search(query, {}, {.k = 50}));
    expected.push_back(Search(query, filter, {.k = 50, .exact = true}));
  }
  for (const Access access : kAllAccess) {
    Reopen(access);
    for (const std::string& target : SupportedSimdTargets()) {
      for (const size_t threads : {1u, 8u}) {
        ASSERT_TRUE(ForceSimdTarget(target));
        size_t i = 0;
        for (const VectorQuery& query : queries_) {
          VectorSearchOptions options{.k = 50, .threads = threads, .vectors_per_thread = 500};
          EXPECT_EQ(Search(query, filter, options), expected[i++]) << target << threads;
          EXPECT_EQ(Search(query, {}, options), expected[i++]) << target << threads;
          options.exact = true;
          EXPECT_EQ(Search(query, filter, options), expected[i++]) << target << threads;
        }
      }
    }
    ForceSimdTarget("");
  }
}

TEST_P(VectorIndexTest, SmallSelectionsAreScoredInFull) {
  for (const VectorQuery& query : queries_) {
    for (const Bitmap* allowed : {&few_, &one_}) {
      const ChunkFilter filter{allowed, &removed_};
      VectorSearchStats stats;
      EXPECT_EQ(Search(query, filter, {.k = 10, .depth = 10}, &stats),
                Pairs(SlowSearch(model_, query, filter, 10)));
      EXPECT_TRUE(stats.exact);
      EXPECT_EQ(stats.reranked, stats.scanned);
    }
  }
}

TEST_P(VectorIndexTest, FewerHitsAreAPrefixOfMore) {
  for (const VectorQuery& query : queries_) {
    for (const ChunkFilter& filter : Filters()) {
      VectorSearchStats stats;
      const auto most = Search(query, filter, {.k = 1000}, &stats);
      const bool exact = stats.exact;
      for (const size_t k : {1u, 10u, 200u, 999u}) {
        const auto first = std::vector(
            most.begin(), most.begin() + static_cast<ptrdiff_t>(std::min(k, most.size())));
        EXPECT_EQ(Search(query, filter, {.k = k}, &stats), first) << k;
        EXPECT_EQ(stats.exact, exact) << k;
      }
    }
    VectorSearchStats stats;
    Search(query, {}, {.k = 1000}, &stats);
    EXPECT_FALSE(stats.exact) << "the test must see signatures at work";
    EXPECT_GT(stats.scanned, stats.reranked);
  }
}

TEST_P(VectorIndexTest, MoreHitsThanTheShortlistHoldsAreExact) {
  for (const VectorQuery& query : queries_) {
    for (const size_t k : {1001u, 3000u, 100'000u}) {
      VectorSearchStats stats;
      EXPECT_EQ(Search(query, {}, {.k = k}, &stats), Pairs(SlowSearch(model_, query, {}, k)));
      EXPECT_TRUE(stats.exact);
      EXPECT_EQ(stats.scanned, model_.size());
      EXPECT_EQ(stats.reranked, model_.size());
    }
    VectorSearchStats stats;
    Search(query, {}, {.k = 40, .depth = 40, .most = 40}, &stats);
    EXPECT_FALSE(stats.exact);
    Search(query, {}, {.k = 41, .depth = 40, .most = 40}, &stats);
    EXPECT_TRUE(stats.exact);
  }
}

TEST(ShortlistDepthTest, GrowsWithTheStoreWithinBounds) {
  EXPECT_EQ(ShortlistDepth(0), 1000u);
  EXPECT_EQ(ShortlistDepth(10'000'000), 1000u);
  EXPECT_EQ(ShortlistDepth(15'000'000), 1500u);
  EXPECT_EQ(ShortlistDepth(uint64_t{1} << 32), 2000u);
}

TEST_P(VectorIndexTest, NothingToAskOrNothingAllowedGivesNoHits) {
  const VectorQuery zero = space_.PrepareQuery(std::vector<float>(kIndexDim, 0.0f));
  EXPECT_TRUE(Search(zero, {}, {}).empty());
  EXPECT_TRUE(Search(queries_[0], {&nothing_, nullptr}, {}).empty());
  EXPECT_TRUE(Search(queries_[0], {}, {.k = 0}).empty());
  ASSERT_OK_AND_ASSIGN(const auto scores,
                       ScoreVectors(*columns_, zero, std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(scores, (std::vector<float>{0, 0}));
}

TEST_P(VectorIndexTest, ScoresAreThoseOfTheSearch) {
  std::vector<uint32_t> chunks;
  for (uint32_t chunk = 0; chunk < 7100; chunk += 3) chunks.push_back(chunk);
  for (const Access access : kAllAccess) {
    Reopen(access);
    for (const VectorQuery& query : queries_) {
      ASSERT_OK_AND_ASSIGN(const auto scores, ScoreVectors(*columns_, query, chunks));
      ASSERT_EQ(scores.size(), chunks.size());
      for (size_t i = 0; i < chunks.size(); ++i) {
        const auto found = model_.find(chunks[i]);
        const float expected =
            found == model_.end() ? 0.0f : SlowScore(query, found->second.vector);
        ASSERT_EQ(scores[i], expected) << chunks[i];
      }
    }
  }
}

TEST_P(VectorIndexTest, KnowsLexicalTokensOfEveryChunk) {
  const auto expected = [&](uint32_t chunk) {
    const auto found = model_.find(chunk);
    return found == model_.end() ? 0u : found->second.lexical_tokens;
  };
  ASSERT_OK(columns_->OpenLengths());
  ChunkColumns::LengthCursor ascending(*columns_);
  for (uint32_t chunk = 0; chunk < 7100; ++chunk) {
    ASSERT_EQ(ascending.LexicalTokens(chunk), expected(chunk)) << chunk;
  }
  std::mt19937_64 random(TestSeed(3));
  ChunkColumns::LengthCursor anywhere(*columns_);
  for (int i = 0; i < 20'000; ++i) {
    const auto chunk = static_cast<uint32_t>(random() % 7100);
    ASSERT_EQ(anywhere.LexicalTokens(chunk), expected(chunk)) << chunk;
  }
  EXPECT_EQ(anywhere.LexicalTokens(0xffffffff), 0u);
}

INSTANTIATE_TEST_SUITE_P(Cells, VectorIndexTest, testing::Bool(), [](const auto& param) {
  return std::string(param.param ? "WithCells" : "WithoutCells");
});

// A store of clustered vectors, and the recall@10 of its sign-code search.
class VectorRecallTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kChunks = 20'000;
  static constexpr size_t kQueries = 40;

  void Fill(size_t centroids, float noise) {
    StoreSettings settings;
    settings.dim = 256;
    space_.emplace(256, settings.signature_seed);
    ClusteredVectors source(7, 256, centroids, noise);
    std::vector<ChunkVector> vectors;
    for (uint32_t i = 0; i < kChunks; ++i) {
      vectors.push_back(MakeChunkVector(*space_, i, source.Next()));
    }
    ASSERT_OK_AND_ASSIGN(store_, Store::Create(directory_ / "recall.db", settings));
    ASSERT_OK_AND_ASSIGN(auto write, store_->BeginWrite());
    ASSERT_OK(AppendVectors(*write, *space_, vectors));
    ASSERT_OK(write->Commit());
    ASSERT_OK_AND_ASSIGN(read_, store_->BeginRead());
    ASSERT_OK_AND_ASSIGN(columns_, ChunkColumns::Open(*read_, *space_));
    for (size_t i = 0; i < kQueries; ++i) queries_.push_back(space_->PrepareQuery(source.Next()));
  }

  struct Outcome {
    double recall = 0;
    double reranked = 0;  // mean per query
  };

  Outcome Measure(size_t depth, size_t most) {
    Outcome outcome;
    for (const VectorQuery& query : queries_) {
      VectorSearchStats stats;
      const VectorSearchOptions options{.k = 10, .depth = depth, .most = most};
      const auto exact = SearchVectors(*columns_, query, {}, {.k = 10, .exact = true});
      const auto fast = SearchVectors(*columns_, query, {}, options, &stats);
      if (!exact || !fast) {
        ADD_FAILURE() << "a search failed";
        return {};
      }
      EXPECT_EQ(stats.scanned, kChunks);
      std::set<uint32_t> wanted;
      for (const RetrieverHit& hit : *exact) wanted.insert(hit.chunk);
      for (const RetrieverHit& hit : *fast) outcome.recall += wanted.contains(hit.chunk);
      outcome.reranked += static_cast<double>(stats.reranked);
    }
    return {outcome.recall / kQueries / 10, outcome.reranked / kQueries};
  }

 private:
  TempDir directory_;
  std::optional<VectorSpace> space_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> read_;
  std::unique_ptr<ChunkColumns> columns_;
  std::vector<VectorQuery> queries_;
};

TEST_F(VectorRecallTest, SignCodesFindWhatExactSearchFinds) {
  ASSERT_NO_FATAL_FAILURE(Fill(100, 1.0f));
  const Outcome fixed = Measure(200, 200);
  EXPECT_EQ(fixed.reranked, 200);
  EXPECT_GE(fixed.recall, 0.95);
}

// If thousands of vectors are nearly as near as the nearest, sign codes hardly distinguish them.
TEST_F(VectorRecallTest, InACrowdTheShortlistGrows) {
  ASSERT_NO_FATAL_FAILURE(Fill(4, 0.2f));
  EXPECT_LT(Measure(200, 200).recall, 0.6);
  const Outcome chosen = Measure(200, 6000);
  EXPECT_GE(chosen.recall, 0.98);
  EXPECT_GT(chosen.reranked, 1000);
}

TEST(VectorCorruptionTest, SegmentsOfAnotherShapeAreRefused) {
  TempDir directory;
  StoreSettings settings;
  settings.dim = 64;
  ASSERT_OK_AND_ASSIGN(auto store, Store::Create(directory / "recall.db", settings));
  const VectorSpace narrow(64, 42);
  const VectorSpace wide(128, 42);
  VectorModel model;
  for (uint32_t chunk = 0; chunk < 50; ++chunk) {
    model[chunk] = MakeChunkVector(narrow, chunk, std::vector<float>(64, 1.0f));
  }
  ASSERT_OK_AND_ASSIGN(auto write, store->BeginWrite());
  ASSERT_OK(write->InsertSegment(MakeSegment(narrow, model, 0, 49)));
  ASSERT_OK(write->Commit());
  write.reset();
  ASSERT_OK_AND_ASSIGN(auto read, store->BeginRead());
  ASSERT_OK_AND_ASSIGN(auto columns, ChunkColumns::Open(*read, wide));
  const VectorQuery query = wide.PrepareQuery(std::vector<float>(128, 1.0f));
  const auto hits = SearchVectors(*columns, query, {}, {});
  ASSERT_FALSE(hits.has_value());
  EXPECT_EQ(hits.error().code(), StatusCode::kCorruption);
  EXPECT_FALSE(ScoreVectors(*columns, query, std::vector<uint32_t>{3}).has_value());
}

TEST(VectorCorruptionTest, NonsenseScalesAndIdsAreHarmless) {
  TempDir directory;
  StoreSettings settings;
  settings.dim = 64;
  const VectorSpace space(64, 42);
  ASSERT_OK_AND_ASSIGN(auto store, Store::Create(directory / "recall.db", settings));
  VectorModel model;
  for (uint32_t chunk = 0; chunk < 100; chunk += 2) {
    model[chunk] = MakeChunkVector(space, chunk, std::vector<float>(64, 1.0f));
  }
  SegmentContent content = MakeSegment(space, model, 0, 99);
  std::mt19937_64 random(TestSeed(5));
  for (auto& section : content.sections) {
    if (section.kind != SectionKind::kScales && section.kind != SectionKind::kChunkIds) continue;
    for (uint8_t& byte : section.bytes) byte = static_cast<uint8_t>(random() | 0x80);
  }
  ASSERT_OK_AND_ASSIGN(auto write, store->BeginWrite());
  ASSERT_OK(write->InsertSegment(content));
  ASSERT_OK(write->Commit());
  write.reset();
  ASSERT_OK_AND_ASSIGN(auto read, store->BeginRead());
  ASSERT_OK_AND_ASSIGN(auto columns, ChunkColumns::Open(*read, space));
  Bitmap some;
  some.AddRange(10, 60);
  const VectorQuery query = space.PrepareQuery(std::vector<float>(64, 1.0f));
  for (const ChunkFilter& filter : {ChunkFilter{}, ChunkFilter{&some, nullptr}}) {
    const auto hits = SearchVectors(*columns, query, filter, {});
    if (!hits) continue;  // rejecting the segment is also correct
    for (const RetrieverHit& hit : *hits) EXPECT_LE(std::fabs(hit.score), 1.0f);
  }
  ASSERT_OK(columns->OpenLengths());
  ChunkColumns::LengthCursor cursor(*columns);
  for (uint32_t chunk = 0; chunk < 200; ++chunk) EXPECT_LE(cursor.LexicalTokens(chunk), 65'535u);
}

}  // namespace
}  // namespace recall
