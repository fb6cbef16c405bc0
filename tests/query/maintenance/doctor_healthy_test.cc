// The doctor reports no finding for a sound store, whatever its history.

#include <gtest/gtest.h>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class DoctorHealthyTest : public QueryFixture {
 protected:
  void ExpectHealthy(const std::string& after) {
    ASSERT_OK_AND_ASSIGN(const DoctorReport report,
                         Database::Doctor({.path = StorePath(), .threads = 2}));
    for (const DoctorFinding& finding : report.findings) {
      if (finding.severity == "note") continue;  // the note "much is removed" is not a fault
      const DoctorFinding::Example first =
          finding.examples.empty() ? DoctorFinding::Example() : finding.examples.front();
      ADD_FAILURE() << after << ": " << finding.code << " x" << finding.count << ", " << first.where
                    << ": " << first.what;
    }
    const StatsReport stats = *database_->Stats();
    EXPECT_EQ(report.docs, stats.store.docs);
    EXPECT_EQ(report.chunks, stats.store.chunks);
  }

  std::string RandomDocument(std::mt19937_64& random) {
    std::string text;
    if (random() % 3 == 0) {
      text = "---\nowner: w" + std::to_string(random() % 4) +
             "\nyear: " + std::to_string(random() % 9) + "\ntags: [a, b]\n---\n# Title " +
             std::to_string(random() % 9) + "\n";
    }
    const size_t words = random() % 10 == 0 ? 8000 : random() % 200;
    text += RandomText(random, words);
    if (random() % 5 == 0) text += " caf\xc3\xa9 fooBarBaz \xff\xfe \xe4\xb8\xad\xe6\x96\x87";
    return text;
  }
};

TEST_F(DoctorHealthyTest, AfterAnyHistory) {
  std::mt19937_64 random(TestSeed(11));
  for (int round = 0; round < 4; ++round) {
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path())) {
      if (entry.path().filename() != "recall.db") std::filesystem::remove_all(entry.path());
    }
    Create({.embedder = round < 2 ? "lsa" : "hash",
            .dim = round % 2 == 0 ? 64u : 100u,
            .chunk_tokens = 8,
            .overlap_tokens = static_cast<uint32_t>(round)});
    ExpectHealthy("init");
    for (int step = 0; step < 14; ++step) {
      std::string did;
      const auto name = [&] {
        return std::to_string(random() % 12) + (random() % 2 == 0 ? ".md" : ".txt");
      };
      switch (random() % 6) {
        case 0: {
          RemoveRequest remove;
          remove.targets = {dir_ / name()};
          ASSERT_OK(database_->Remove(remove));
          did = "rm";
          break;
        }
        case 1:
          ASSERT_OK(database_->Compact({.keep_nanos = random() % 2 == 0 ? 0 : 1'000'000'000}));
          did = "compact";
          break;
        case 2: {
          AddRequest request;
          request.paths = {dir_.path()};
          request.tag = "t" + std::to_string(random() % 3);
          request.source = "s" + std::to_string(random() % 3);
          request.extract_meta = random() % 2 == 0;
          Add(request);
          did = "label";
          break;
        }
        default: {
          const size_t files = 1 + random() % 4;
          for (size_t i = 0; i < files; ++i) WriteFile(name(), RandomDocument(random));
          AddRequest request;
          request.paths = {dir_.path()};
          request.extract_meta = true;
          request.threads = static_cast<uint32_t>(1 + random() % 3);
          Add(request);
          did = "add";
        }
      }
      ExpectHealthy("round " + std::to_string(round) + ", step " + std::to_string(step) + ", " +
                    did);
      if (HasFailure()) return;
    }
  }
}

// During a write by another process the doctor sees one commit.
TEST_F(DoctorHealthyTest, WhileAnotherCommitWaitsInTheLog) {
  WriteFile("a.txt", "alpha beta");
  Add();
  WriteFile("b.txt", "gamma delta");
  Add();
  ExpectHealthy("commits in the WAL");
}

}  // namespace
}  // namespace recall
