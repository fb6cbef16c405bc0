// The stages of notes: `freshness`, `hops` and `uses`.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "index/write/local/local_store.h"
#include "query/ask/stages/stage_list.h"
#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr double kStageError = 5e-7;  // six places

class MemoryStagesTest : public QueryFixture {
 protected:
  static UnixNanos At(const std::string& date) { return *ParseRfc3339(date + "T00:00:00Z"); }

  void WriteNote(const std::string& id, const std::string& text, const std::string& card = "") {
    WriteFile(
        "notes/" + id + ".md",
        "---\n" + card + (card.empty() ? "created: 2026-01-01\n" : "") + "---\n" + text + "\n");
  }
  void AddNotes() {
    AddRequest request;
    request.parser = Parser::kNote;
    Add(request);
  }

  void Write(const std::function<void(WriteBatch&)>& change) {
    database_.reset();
    {
      ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
      LocalStore writable(store.get());
      ASSERT_OK_AND_ASSIGN(const auto batch, writable.BeginBatch());
      change(*batch);
      ASSERT_OK(batch->Commit());
    }
    Reopen();
  }
  static std::string PathOf(const std::string& id) { return "notes/" + id + ".md"; }
  struct Arrow {
    std::string from, to;
    double weight = 1;
    std::string relation = "related";
  };
  void Link(const std::vector<Arrow>& arrows) {
    Write([&](WriteBatch& batch) {
      for (const Arrow& arrow : arrows) {
        const auto put = batch.PutLink({.source = PathOf(arrow.from),
                                        .target = PathOf(arrow.to),
                                        .relation = arrow.relation,
                                        .weight = arrow.weight});
        EXPECT_TRUE(put.has_value()) << put.error().ToString();
      }
    });
  }

  SearchRequest Asking(const std::string& text, const std::string& stages = "",
                       const std::string& as_of = "2026-01-01") {
    SearchRequest request;
    request.text = text;
    request.ranking.stages = stages;
    request.scope.as_of = At(as_of);
    request.explain = true;
    request.k = 1000;
    return request;
  }
  // By path.
  std::map<std::string, double> Scores(const SearchRequest& request) {
    std::map<std::string, double> scores;
    for (const SearchHit& hit : Search(request).hits) scores.try_emplace(hit.doc.path, hit.score);
    return scores;
  }
  static std::vector<std::string> PathsOf(const std::vector<RelatedDoc>& related) {
    std::vector<std::string> paths;
    for (const RelatedDoc& doc : related) paths.push_back(doc.doc.path);
    return paths;
  }
};

// ---- freshness ---------------------------------------------------------------------------------

TEST_F(MemoryStagesTest, ALessonAgesOnTheComputedDays) {
  WriteNote("lesson", "focus styles", "type: lesson\nupdated: 2026-01-01\n");
  WriteNote("preference", "focus styles", "type: preference\nupdated: 2026-01-01\n");
  WriteFile("file.md", "focus styles");
  AddNotes();
  database_.reset();
  Reopen();
  const auto plain = Scores(Asking("focus styles"));
  const std::pair<const char*, double> days[] = {
      {"2026-01-01", 1},  {"2026-05-15", 1},  {"2026-05-16", .85}, {"2026-06-29", .85},
      {"2026-06-30", .5}, {"2026-09-27", .5}, {"2026-09-28", .2},  {"2036-01-01", .2}};
  for (const auto& [day, factor] : days) {
    SCOPED_TRACE(day);
    const SearchResponse found = Search(Asking("focus styles", "freshness", day));
    EXPECT_EQ(found.as_of, At(day));
    for (const SearchHit& hit : found.hits) {
      const bool lesson = hit.doc.path == PathOf("lesson");
      EXPECT_NEAR(hit.score, plain.at(hit.doc.path) * (lesson ? factor : 1), kStageError);
      ASSERT_EQ(hit.explain->stages.size(), 1u);
      EXPECT_EQ(hit.explain->stages[0].note, !lesson         ? "fresh"
                                             : factor == 1   ? "fresh"
                                             : factor == .85 ? "aging"
                                             : factor == .5  ? "stale"
                                                             : "expired");
    }
  }
}

TEST_F(MemoryStagesTest, ValidUntilWins) {
  WriteNote("p", "focus styles",
            "type: preference\nupdated: 2026-01-01\nvalid_until: 2026-03-01\n");
  AddNotes();
  const double plain = Scores(Asking("focus styles")).at(PathOf("p"));
  const auto score = [&](const char* day) {
    return Scores(Asking("focus styles", "freshness", day)).at(PathOf("p"));
  };
  EXPECT_NEAR(score("2026-01-02"), plain, kStageError);
  EXPECT_NEAR(score("2026-02-28"), plain * .85, kStageError);
  EXPECT_NEAR(score("2026-03-01"), plain * .2, kStageError);
}

TEST_F(MemoryStagesTest, ADocumentThatIsNoNoteKeepsItsScore) {
  WriteFile("file.md", "---\ntype: lesson\nupdated: 2001-01-01\n---\nfocus styles\n");
  AddRequest request;
  request.extract_meta = true;
  Add(request);
  const SearchResponse found = Search(Asking("focus styles", "freshness", "2036-01-01"));
  ASSERT_EQ(found.hits.size(), 1u);
  EXPECT_EQ(found.hits[0].score, Scores(Asking("focus styles")).at("file.md"));
  EXPECT_EQ(found.hits[0].explain->stages[0].note, "");
}

// The last place of a page is expired; the first one after it takes its place.
TEST_F(MemoryStagesTest, FreshnessComesBeforeThePage) {
  WriteNote("old", "focus styles", "type: lesson\nupdated: 2020-01-01\n");
  WriteNote("new", "focus styles and one more word", "type: lesson\nupdated: 2026-01-01\n");
  AddNotes();
  SearchRequest request = Asking("focus styles");
  request.k = 1;
  EXPECT_EQ(Paths(Search(request)), std::vector<std::string>{PathOf("old")});
  request.ranking.stages = "freshness";
  EXPECT_EQ(Paths(Search(request)), std::vector<std::string>{PathOf("new")});
}

// ---- hops --------------------------------------------------------------------------------------

TEST_F(MemoryStagesTest, ANeighbourIsToldBesideTheResults) {
  WriteNote("a", "focus styles");
  WriteNote("b", "zebra crossing");
  AddNotes();
  Link({{"a", "b", .812, "similar"}});
  const SearchResponse plain = Search(Asking("focus styles"));
  EXPECT_FALSE(plain.related);
  const SearchResponse found = Search(Asking("focus styles", "hops"));
  ASSERT_EQ(Paths(found), Paths(plain));
  EXPECT_EQ(Paths(found), std::vector<std::string>{PathOf("a")});
  EXPECT_EQ(found.hits[0].score, plain.hits[0].score);
  EXPECT_EQ(found.total_hits, plain.total_hits);
  ASSERT_EQ(found.related->size(), 1u);
  const RelatedDoc& related = found.related->front();
  EXPECT_EQ(related.doc.path, PathOf("b"));
  EXPECT_EQ(related.via, PathOf("a"));
  EXPECT_EQ(related.relation, "similar");
  EXPECT_EQ(related.weight, .812);
  EXPECT_NEAR(related.score, .406 * plain.hits[0].score, kStageError);
}

TEST_F(MemoryStagesTest, TheBestFiveByTheirBestWay) {
  WriteNote("a", "focus styles");
  WriteNote("c", "focus on other things");
  std::vector<Arrow> arrows;
  for (const char* id : {"n1", "n2", "n3", "n4", "n5", "n6", "n7"}) {
    WriteNote(id, "zebra crossing");
    arrows.push_back({"a", id, (id[1] - '0') / 10.0});
  }
  arrows.push_back({"c", "n1", 1});            // a better way than by a
  arrows.push_back({"a", "n7", .7, "alias"});  // the same way again
  arrows.push_back({"a", "gone", 1});          // there is no such document
  arrows.push_back({"a", "c", 1});             // a hit itself
  AddNotes();
  Link(arrows);
  SearchRequest request = Asking("focus styles", "hops");
  const auto scores = Scores(request);
  ASSERT_EQ(scores.size(), 2u);
  std::map<std::string, double> expected;
  for (const Arrow& arrow : arrows) {
    if (arrow.to == "gone" || arrow.to == "c") continue;
    double& best = expected[PathOf(arrow.to)];
    best = std::max(best, .5 * arrow.weight * scores.at(PathOf(arrow.from)));
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [path, score] : expected) order.push_back({-score, path});
  std::ranges::sort(order);
  const std::vector<RelatedDoc> related = *Search(request).related;
  ASSERT_EQ(related.size(), 5u);
  for (size_t i = 0; i < related.size(); ++i) {
    EXPECT_EQ(related[i].doc.path, order[i].second);
    EXPECT_NEAR(related[i].score, -order[i].first, kStageError);
    if (related[i].doc.path == PathOf("n7")) {
      EXPECT_EQ(related[i].relation, "alias");
    }
  }
  request.ranking.stages = "hops:max=7:decay=1";
  EXPECT_EQ(Search(request).related->size(), 7u);
  request.ranking.stages = "hops:seeds=1";  // c is no seed, so it may be told, and is: unless shown
  request.k = 1;
  EXPECT_EQ(PathsOf(*Search(request).related).front(), PathOf("c"));
  // What is told does not depend on the page, but for the documents of its rows.
  request.ranking.stages = "hops";
  EXPECT_EQ(PathsOf(*Search(request).related), PathsOf(related));
  request.offset = 1;
  EXPECT_EQ(PathsOf(*Search(request).related), PathsOf(related));
}

TEST_F(MemoryStagesTest, NeighboursSatisfyTheFilterAndAreNotObsolete) {
  WriteNote("a", "focus styles", "type: lesson\n");
  WriteNote("b", "zebra crossing", "type: lesson\n");
  WriteNote("private", "zebra crossing", "type: secret\n");
  WriteNote("obsolete", "zebra crossing", "type: lesson\nstatus: obsolete\n");
  WriteNote("excluded", "zebra giraffe", "type: lesson\n");
  AddNotes();
  Link({{"a", "b"}, {"a", "private"}, {"a", "obsolete"}, {"a", "excluded"}, {"a", "missing"}});
  SearchRequest request = Asking("focus styles", "hops");
  EXPECT_EQ(PathsOf(*Search(request).related),
            (std::vector<std::string>{PathOf("b"), PathOf("excluded"), PathOf("private")}));
  request.scope.filter = "doc.meta.type = 'lesson'";
  EXPECT_EQ(PathsOf(*Search(request).related),
            (std::vector<std::string>{PathOf("b"), PathOf("excluded")}));
  request.text = "focus styles -giraffe";
  EXPECT_EQ(PathsOf(*Search(request).related), std::vector<std::string>{PathOf("b")});
  request.scope.filter = "doc.path = 'notes/a.md'";
  EXPECT_EQ(Search(request).related->size(), 0u);
}

// A hit below the minimum score is no hit: its neighbours are not told, and it may be told itself.
TEST_F(MemoryStagesTest, OnlyResultsHaveNeighbours) {
  WriteNote("a", "focus styles of forms");
  WriteNote("weak", "one of many words about nothing that is wanted, focus among them");
  WriteNote("b", "zebra crossing");
  AddNotes();
  Link({{"a", "weak"}, {"weak", "b"}});
  SearchRequest request = Asking("focus styles of forms", "hops");
  request.expand_words = false;
  const auto scores = Scores(request);
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(PathsOf(*Search(request).related), std::vector<std::string>{PathOf("b")});
  request.ranking.min_score = (scores.at(PathOf("a")) + scores.at(PathOf("weak"))) / 2;
  EXPECT_EQ(PathsOf(*Search(request).related), std::vector<std::string>{PathOf("weak")});
}

TEST_F(MemoryStagesTest, FreshnessAppliesToNeighbours) {
  WriteNote("a", "focus styles", "type: lesson\nupdated: 2026-01-01\n");
  WriteNote("b", "zebra crossing", "type: lesson\nupdated: 2025-01-01\n");
  WriteNote("c", "zebra crossing", "type: lesson\nupdated: 2026-01-01\n");
  AddNotes();
  Link({{"a", "b", 1}, {"a", "c", .5}});
  const double score = Scores(Asking("focus styles")).at(PathOf("a"));
  const auto related = *Search(Asking("focus styles", "hops,freshness")).related;
  ASSERT_EQ(related.size(), 2u);
  EXPECT_EQ(related[0].doc.path, PathOf("c"));
  EXPECT_NEAR(related[0].score, .25 * score, kStageError);
  EXPECT_NEAR(related[1].score, .5 * .2 * score, kStageError);
}

TEST_F(MemoryStagesTest, SimilarTellsNeighboursOfWhatIsSimilar) {
  WriteNote("target", "focus styles of forms");
  WriteNote("a", "focus styles of forms");
  WriteNote("b", "zebra crossing");
  AddNotes();
  Link({{"a", "b", .8}, {"a", "target", 1}});
  SimilarRequest request{PathOf("target"), Asking("", "hops")};
  ASSERT_OK_AND_ASSIGN(const SimilarResponse found, database_->Similar(request));
  ASSERT_FALSE(found.hits.empty());
  EXPECT_EQ(found.hits[0].doc.path, PathOf("a"));
  EXPECT_EQ(PathsOf(*found.related), std::vector<std::string>{PathOf("b")});
  EXPECT_NEAR(found.related->front().score, .4 * found.hits[0].score, kStageError);
}

TEST(StageTextTest, HopsHaveAShortForm) {
  EXPECT_EQ(WithHops("", true), "hops");
  EXPECT_EQ(WithHops(" freshness , uses ", true), "hops,freshness,uses");
  EXPECT_EQ(WithHops("freshness,hops:max=2", true), "freshness,hops:max=2");
  EXPECT_EQ(WithHops("freshness, hops:max=2,uses:weight=1", false), "freshness,uses:weight=1");
  EXPECT_EQ(WithHops("", false), "");
}

// ---- uses --------------------------------------------------------------------------------------

TEST_F(MemoryStagesTest, UsesRaiseTheScoreByTheConsolidation) {
  for (const char* id : {"once", "often", "always", "never"}) WriteNote(id, "focus styles");
  AddNotes();
  Write([&](WriteBatch& batch) {
    const auto use = [&](const std::string& id, const char* day, int64_t count) {
      const auto put =
          batch.PutUse(PathOf(id), {.at = At(day), .how = "used", .store = "x", .count = count});
      EXPECT_TRUE(put.has_value());
    };
    use("once", "2026-03-31", 1);
    use("often", "2026-03-01", 10);
    use("always", "2026-03-31", 148);
  });
  SearchRequest request = Asking("focus styles", "", "2026-03-31");
  request.identical = IdenticalChunks::kKeep;
  const auto plain = Scores(request);
  request.ranking.stages = "uses";
  const SearchResponse found = Search(request);
  EXPECT_EQ(found.as_of, At("2026-03-31"));
  const double best =
      std::ranges::max_element(plain, {}, [](const auto& entry) { return entry.second; })->second;
  const std::map<std::string, double> consolidation = {
      {PathOf("once"), .483178},
      {PathOf("often"), .434899},
      {PathOf("always"), 1},
      {PathOf("never"), .4 * std::exp(-89.0 / 30)},
  };
  for (const SearchHit& hit : found.hits) {
    SCOPED_TRACE(hit.doc.path);
    const double before = plain.at(hit.doc.path);
    EXPECT_NEAR(hit.score, best * (before / best + .2 * consolidation.at(hit.doc.path)) / 1.2,
                kStageError);
  }
  EXPECT_EQ(found.hits.front().doc.path, PathOf("always"));
}

TEST_F(MemoryStagesTest, ListenersHearOfHopsAndFreshness) {
  WriteNote("a", "focus styles");
  AddNotes();
  std::vector<std::string> heard;
  Reopen({.on_stage = [&](const StageEvent& event) {
    if (event.ended) heard.emplace_back(event.stage);
  }});
  Search(Asking("focus styles", "hops,freshness,uses"));
  ASSERT_GE(heard.size(), 2u);
  EXPECT_EQ(heard[heard.size() - 2], "hops.expand");
  EXPECT_EQ(heard[heard.size() - 1], "staleness.rank");
}

}  // namespace
}  // namespace recall
