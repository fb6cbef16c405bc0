// `recall inspect` shows the contents of the file, and of a damaged file as much as it can read.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "storage/base/checksum.h"
#include "storage/overflow/incremental_blob.h"
#include "storage/sqlite/connection.h"
#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class InspectTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64, .chunk_tokens = 8, .overlap_tokens = 0});
    std::mt19937_64 random(3);
    for (int i = 0; i < 2; ++i) {
      WriteFile(std::to_string(i) + ".txt", RandomText(random, 18'000));
    }
    Add();
    WriteFile("late.txt", RandomText(random, 100));
    Add();
    RemoveRequest remove;
    remove.targets = {dir_ / "1.txt"};
    ASSERT_OK(database_->Remove(remove));
  }

  InspectReport Inspect() {
    auto report = Database::Inspect({.path = StorePath()});
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : InspectReport();
  }
};

// Every table of BLOBs is in the part of `stats` that the map of `inspect` gives its pages to.
TEST_F(InspectTest, TheSizesAreThoseOfTheOwnersOfThePages) {
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  const StoreSizes sizes = database_->Sizes()->value();
  std::map<std::string_view, int64_t> pages;
  for (const auto& run : Inspect().map) pages[kPageOwners[run.owner]] += run.pages;
  const auto is_within = [](int64_t bytes, int64_t owned) {
    EXPECT_GT(bytes, 0);
    EXPECT_LE(bytes, owned * 65536);
  };
  is_within(sizes.text, pages["texts"]);
  is_within(sizes.lexical, pages["full-text index"] + pages["forward index"]);
  is_within(sizes.vectors, pages["vectors"] + pages["models"]);
  const int64_t lexical = AskInt(StorePath(), "SELECT sum(length(block)) FROM lexicon_data");
  const int64_t words = AskInt(StorePath(), "SELECT sum(length(data)) FROM chunk_words");
  EXPECT_GE(sizes.lexical, lexical + words);
  EXPECT_EQ(sizes.text, AskInt(StorePath(), "SELECT sum(length(data)) FROM text_block"));
}

TEST_F(InspectTest, ShowsWhatIsThere) {
  const InspectReport report = Inspect();
  const StatsReport stats = *database_->Stats();
  EXPECT_EQ(report.snapshot, stats.store.snapshot);
  EXPECT_EQ(report.oldest_snapshot.substr(8), "-0");
  EXPECT_EQ(report.page_size, 65536);
  EXPECT_EQ(report.journal, "wal");
  EXPECT_EQ(report.delta_vectors, stats.delta_vectors);
  ASSERT_EQ(static_cast<int64_t>(report.segments.size()), stats.segments);
  ASSERT_GE(stats.segments, 1);

  int64_t tree_pages = report.free_pages;
  for (const auto& tree : report.trees) {
    ASSERT_TRUE(tree.pages.has_value()) << tree.name;
    tree_pages += *tree.pages;
    if (tree.kind == "table") {
      EXPECT_EQ(tree.rows, AskInt(StorePath(), "SELECT count(*) FROM " + tree.name)) << tree.name;
    }
  }
  // Every page belongs to a tree or is free, except the first, the only page of sqlite_schema.
  EXPECT_EQ(tree_pages + 1, report.pages);

  // The map covers the file once, and its owners have the pages of their tables.
  int64_t next = 1;
  std::map<std::string_view, int64_t> owned;
  for (const auto& run : report.map) {
    EXPECT_EQ(run.first, next);
    next += run.pages;
    owned[kPageOwners[run.owner]] += run.pages;
  }
  EXPECT_EQ(next, report.pages + 1);
  EXPECT_EQ(owned["free"], report.free_pages);
  EXPECT_EQ(owned["texts"], AskInt(StorePath(),
                                   "SELECT count(*) FROM dbstat WHERE name = "
                                   "'text_block'"));
  EXPECT_EQ(owned["vectors"], AskInt(StorePath(),
                                     "SELECT count(*) FROM dbstat WHERE name LIKE "
                                     "'vec\\_%' ESCAPE '\\' OR name IN "
                                     "('given_vector', 'space')"));

  int64_t vectors = 0;
  int64_t removed = 0;
  for (const auto& segment : report.segments) {
    vectors += segment.vectors;
    removed += segment.removed;
    int64_t pages = 0;
    for (const auto& section : segment.sections) {
      EXPECT_EQ(section.first_page, pages);
      pages += section.pages;
      EXPECT_LE(section.offset + section.bytes, segment.bytes);
    }
    EXPECT_EQ(pages, segment.pages);
    EXPECT_EQ(AskInt(StorePath(),
                     "SELECT header_crc FROM vec_segment WHERE id = " + std::to_string(segment.id)),
              segment.header_checksum);
  }
  EXPECT_EQ(vectors, stats.segment_vectors);
  EXPECT_EQ(removed, stats.removed_chunks);
  int64_t runs = 0;
  for (const auto& level : report.lexicon) runs += level.runs;
  EXPECT_EQ(runs, AskInt(StorePath(), "SELECT count(DISTINCT segid) FROM lexicon_idx"));
}

// Reads the items of a section's page at the offset that is shown.
TEST_F(InspectTest, OffsetsAndChecksumsAreThoseOfTheBytes) {
  const InspectReport report = Inspect();
  const auto& segment = report.segments.front();
  const auto scales = std::ranges::find_if(
      segment.sections, [](const InspectReport::Section& s) { return s.name == "scales"; });
  ASSERT_NE(scales, segment.sections.end());
  ASSERT_EQ(scales->pages, 1);
  ASSERT_OK_AND_ASSIGN(const auto connection, Connection::Open(StorePath(), {}));
  ASSERT_OK(connection->Execute("BEGIN; SELECT count(*) FROM vec_data"));
  ASSERT_OK_AND_ASSIGN(IncrementalBlob blob, IncrementalBlob::Open(*connection, segment.id,
                                                                   IncrementalBlob::Access::kRead));
  std::vector<uint8_t> items(static_cast<size_t>(scales->items * scales->item_bytes));
  // The page header has 60 bytes.
  ASSERT_OK(blob.Read(static_cast<uint64_t>(scales->offset) + 60, items));
  EXPECT_EQ(Crc32c(items), scales->checksum);
}

// Every trained model has a vector space of its own, whose contents are those of the tables.
TEST_F(InspectTest, SpacesShareOutWhatIsThere) {
  Create({.embedder = "lsa", .dim = 8, .chunk_tokens = 8, .overlap_tokens = 0});
  std::mt19937_64 random(5);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= 4 * i; ++j) {
      WriteFile("s" + std::to_string(i) + "-" + std::to_string(j) + ".txt",
                RandomText(random, 300));
    }
    Add();
  }
  const InspectReport report = Inspect();
  const StatsReport stats = *database_->Stats();
  EXPECT_EQ(report.spaces_fault, "");
  ASSERT_GE(report.spaces.size(), 2u);
  int64_t segments = 0;
  int64_t tail = 0;
  int64_t in_force = 0;
  for (const auto& space : report.spaces) {
    const std::string of_it = " WHERE space = " + std::to_string(space.id);
    EXPECT_EQ(space.segments, AskInt(StorePath(), "SELECT count(*) FROM vec_segment" + of_it));
    EXPECT_EQ(space.segments,
              std::ranges::count(report.segments, space.id, &InspectReport::Segment::space));
    EXPECT_EQ(space.delta_vectors, AskInt(StorePath(), "SELECT count(*) FROM vec_tail" + of_it));
    int64_t vectors = space.delta_vectors;
    int64_t bytes =
        AskInt(StorePath(), "SELECT coalesce(sum(length(data)), 0) FROM vec_tail" + of_it);
    for (const auto& segment : report.segments) {
      if (segment.space != space.id) continue;
      vectors += segment.vectors;
      bytes += segment.bytes;
    }
    EXPECT_EQ(space.vectors, vectors);
    EXPECT_EQ(space.bytes, bytes);
    EXPECT_EQ(space.embedder, "lsa");
    EXPECT_TRUE(space.since.has_value());
    segments += space.segments;
    tail += space.delta_vectors;
    in_force += space.in_force ? 1 : 0;
  }
  EXPECT_EQ(segments, static_cast<int64_t>(report.segments.size()));
  EXPECT_EQ(tail, report.delta_vectors);
  EXPECT_EQ(in_force, 1);
  const auto& last = report.spaces.back();
  EXPECT_TRUE(last.in_force);
  EXPECT_GT(last.model, 0);
  EXPECT_EQ(last.segments, stats.segments);
  EXPECT_EQ(last.delta_vectors, stats.delta_vectors);
  EXPECT_LT(last.segments + last.delta_vectors, segments + tail) << "the older ones are there, too";

  database_.reset();
  RunSql(StorePath(), "INSERT INTO space(embedder, version, dim) VALUES('new', '7', 16)");
  const InspectReport filling = Inspect();
  ASSERT_EQ(filling.spaces.size(), report.spaces.size() + 1);
  EXPECT_EQ(filling.spaces.back().embedder, "new");
  EXPECT_EQ(filling.spaces.back().version, "7");
  EXPECT_EQ(filling.spaces.back().dim, 16);
  EXPECT_FALSE(filling.spaces.back().since.has_value());
  EXPECT_FALSE(filling.spaces.back().in_force);
  EXPECT_EQ(filling.spaces.back().vectors, 0);
  EXPECT_TRUE(filling.spaces[filling.spaces.size() - 2].in_force);

  RunSql(StorePath(), "UPDATE space SET dim = -1 WHERE embedder = 'new'");
  const InspectReport damaged = Inspect();
  EXPECT_NE(damaged.spaces_fault, "");
  EXPECT_TRUE(damaged.spaces.empty());
  EXPECT_EQ(damaged.segments.size(), report.segments.size());
}

TEST_F(InspectTest, ShowsADamagedStoreAsFarAsItGoes) {
  const int64_t whole = static_cast<int64_t>(Inspect().segments.size());
  database_.reset();
  RunSql(
      StorePath(),
      "UPDATE vec_data SET data = CAST(substr(data, 1, 30) || x'7f' || substr(data, 32) AS BLOB) "
      "WHERE id = (SELECT min(id) FROM vec_data);"
      "UPDATE lexicon_data SET block = x'0000' WHERE id = 10;"
      "DELETE FROM meta WHERE key = 'uuid'");
  const InspectReport report = Inspect();
  EXPECT_EQ(static_cast<int64_t>(report.segments.size()), whole);
  EXPECT_EQ(std::ranges::count_if(report.segments,
                                  [](const auto& segment) { return !segment.fault.empty(); }),
            1);
  EXPECT_NE(report.lexicon_fault, "");
  EXPECT_EQ(report.snapshot, "");
  const auto none = Database::Inspect({.path = dir_ / "0.txt"});
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace recall
