#include "storage/check/side_checks.h"

#include <gtest/gtest.h>

#include <new>

#include "tests/test_util.h"

namespace recall {
namespace {

class SideChecksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = dir_ / "recall.db";
    connection_ = Must(Connection::Open(path_, {.mode = ConnectionMode::kCreate}));
    ASSERT_OK(connection_->Execute("CREATE TABLE t(x)"));
  }
  std::vector<std::unique_ptr<Connection>> Readers(size_t count) const {
    std::vector<std::unique_ptr<Connection>> readers;
    while (readers.size() < count) readers.push_back(Must(Connection::Open(path_, {})));
    return readers;
  }

  const TempDir dir_;
  std::string path_;
  std::unique_ptr<Connection> connection_;
};

TEST_F(SideChecksTest, FindingsComeInTheOrderOfTheChecksForAnyNumberOfThreads) {
  for (const size_t threads : {0u, 1u, 2u, 5u}) {
    CheckRun run(connection_.get(), nullptr);
    run.findings().Add(FindingCode::kSqliteUntested, "the run", "");
    SideChecks side(run, Readers(threads));
    std::vector<SideChecks::Check> checks;
    for (int i = 0; i < 20; ++i) {
      checks.push_back([i](CheckRun& own) {
        own.findings().Add(FindingCode::kIndexDamage, "check " + std::to_string(i), "");
        return Status::Ok();
      });
    }
    ASSERT_OK(side.Start(std::move(checks)));
    ASSERT_OK(side.Finish());
    const Findings& found = run.findings();
    EXPECT_TRUE(found.Has(FindingCode::kSqliteUntested));
    const FindingGroup& group = found.groups().at(FindingCode::kIndexDamage);
    EXPECT_EQ(group.count, 20);
    const auto& examples = group.examples;
    for (size_t i = 0; i < examples.size(); ++i) {
      EXPECT_EQ(examples[i].where, "check " + std::to_string(i)) << threads;
    }
  }
}

TEST_F(SideChecksTest, AnExceptionOfACheckReachesTheCaller) {
  for (const size_t threads : {0u, 1u, 5u}) {
    CheckRun run(connection_.get(), nullptr);
    SideChecks side(run, Readers(threads));
    const auto all = [&side] {
      const SideChecks::Check check = [](CheckRun&) -> Status { throw std::bad_alloc(); };
      EXPECT_OK(side.Start({check, check}));
      EXPECT_OK(side.Finish());
    };
    EXPECT_THROW(all(), std::bad_alloc);
  }
}

}  // namespace
}  // namespace recall
