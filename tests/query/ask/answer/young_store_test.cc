// Stores that are too small for a model, and those whose model was not trained in time: what they
// lack makes no results, and is said.

#include <algorithm>

#include "index/embed/factory/configured_embedders.h"
#include "query/add/documents/add.h"
#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class YoungStoreTest : public QueryFixture {
 protected:
  void FillFive() {
    WriteFile("pools.md", "# Pools\nTwo pools of servers, and a load balancer that switches.\n");
    WriteFile("rollback.md",
              "# Rollback\nPoint the symlink to the last release; restart workers.\n");
    WriteFile("payroll.md", "# Payroll\nSalaries are paid on the 25th by bank transfer.\n");
    WriteFile("cars.md", "# Vehicles\nThe automobile of the company is parked behind the house.\n");
    WriteFile("leave.md", "# Leave\nAsk your manager two weeks before you want to be away.\n");
    Add();
  }

  bool Says(const std::vector<std::string>& warnings, const std::string& part) {
    return std::ranges::any_of(warnings, [&](const std::string& warning) {
      return warning.find(part) != std::string::npos;
    });
  }
};

TEST_F(YoungStoreTest, WhatNoTextHasFindsNothing) {
  FillFive();
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    std::string nonsense;
    for (int letter = 0; letter < 8; ++letter) nonsense += "bcdfghjklmnpqrstvwxz"[random() % 20];
    for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kSemantic}) {
      const SearchResponse found = Search(nonsense, mode);
      EXPECT_TRUE(found.hits.empty()) << nonsense;
      EXPECT_TRUE(Says(found.warnings, "no chunk contains")) << nonsense;
    }
    ContextRequest context;
    context.search.text = nonsense + " kubernetes ingress";
    ASSERT_OK_AND_ASSIGN(const ContextResponse packed, database_->Context(context));
    EXPECT_TRUE(packed.pieces.empty()) << nonsense;
    EXPECT_TRUE(Says(packed.search.warnings, "no chunk contains")) << nonsense;
    SearchRequest grouped;
    grouped.text = nonsense;
    grouped.ranking.fusion = FusionMethod::kGrouped;
    EXPECT_TRUE(Search(grouped).hits.empty()) << nonsense;
  }
}

TEST_F(YoungStoreTest, OtherWordsForTheSameFindATextInBothRetrievers) {
  FillFive();
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical}) {
    EXPECT_EQ(Paths(Search("car", mode)), std::vector<std::string>{"cars.md"});
    const SearchResponse paid = Search("when do I receive my wage", mode);
    ASSERT_FALSE(paid.hits.empty());
    EXPECT_EQ(paid.hits[0].doc.path, "payroll.md");
  }
  EXPECT_EQ(Paths(Search("automobile parked", SearchMode::kSemantic)),
            std::vector<std::string>{"cars.md"});
}

TEST_F(YoungStoreTest, AModelIsTrainedAsSoonAsThereAreTextsEnough) {
  for (int i = 0; i < 18; ++i) {
    WriteFile("n" + std::to_string(i) + ".md",
              "The gateway restarts at midnight, as plan " + std::to_string(i % 5) + " says.\n");
    Add();
    const SearchResponse found = Search("gateway");
    EXPECT_FALSE(Says(found.warnings, "not trained")) << i;
  }
  ASSERT_OK_AND_ASSIGN(const StatsReport stats, database_->Stats());
  EXPECT_FALSE(stats.model_due);
}

TEST_F(YoungStoreTest, AnInterruptedIngestIsSaidUntilTheNextOne) {
  for (int i = 0; i < 40; ++i) {
    WriteFile("n" + std::to_string(i) + ".md",
              "The gateway restarts at midnight, plan " + std::to_string(i) + ".\n");
  }
  database_.reset();
  {
    // What a process has done that is killed after its last batch.
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {}));
    const ConfiguredEmbedders none({}, &kNotCancelled);
    AddRequest request;
    request.paths = {dir_.path()};
    ASSERT_TRUE(
        RunAdd({store.get(), &none, dir_.path(), 1, &kNotCancelled}, request, {}).has_value());
  }
  Reopen();
  ASSERT_OK_AND_ASSIGN(const StatsReport before, database_->Stats());
  ASSERT_GE(before.store.chunks, 16);
  EXPECT_TRUE(before.model_due);
  const SearchResponse found = Search("gateway");
  EXPECT_FALSE(found.hits.empty());
  EXPECT_TRUE(Says(found.warnings, "not trained"));
  EXPECT_FALSE(Says(Search("gateway", SearchMode::kLexical).warnings, "not trained"));
  ASSERT_OK_AND_ASSIGN(const DoctorReport report, Database::Doctor({.path = StorePath()}));
  EXPECT_TRUE(std::ranges::any_of(
      report.findings, [](const DoctorFinding& finding) { return finding.code == "model_due"; }));
  ASSERT_EQ(report.errors, 0);

  SaveRequest note;
  note.note.type = "lesson";
  note.note.title = "Any write";
  ASSERT_TRUE(database_->Save(note).has_value());
  EXPECT_FALSE(Says(Search("gateway").warnings, "not trained"));
  ASSERT_OK_AND_ASSIGN(const StatsReport after, database_->Stats());
  EXPECT_FALSE(after.model_due);
}

}  // namespace
}  // namespace recall
