#pragma once

// QueryFixture, the fixture of tests on a Database, and its helpers.

#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "query/database/database.h"
#include "storage/sqlite/connection.h"
#include "tests/test_util.h"

namespace recall {

// For calls that are never cancelled.
inline const std::atomic<bool> kNotCancelled = false;

inline std::string ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A directory of files and the store that indexes it.
class QueryFixture : public ::testing::Test {
 protected:
  void SetUp() override { Create({}); }

  void Create(const CreateOptions& options) {
    database_.reset();
    std::filesystem::remove(StorePath());
    ASSERT_OK_AND_ASSIGN(database_, Database::Create(StorePath(), options));
  }

  void Reopen(const OpenOptions& options = {}) {
    database_.reset();
    ASSERT_OK_AND_ASSIGN(database_, Database::Open(StorePath(), options));
  }

  std::string StorePath() const { return dir_ / "recall.db"; }

  void WriteFile(const std::string& name, const std::string& text) {
    const std::filesystem::path path = dir_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  AddReport Add(AddRequest request = {}) {
    if (request.paths.empty()) request.paths = {dir_.path()};
    auto report = database_->Add(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : AddReport();
  }

  SearchResponse Search(const std::string& text, SearchMode mode = SearchMode::kHybrid,
                        size_t k = 8) {
    SearchRequest request;
    request.text = text;
    request.mode = mode;
    request.k = k;
    return Search(request);
  }

  SearchResponse Search(const SearchRequest& request) {
    auto response = database_->Search(request);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    return response ? *response : SearchResponse();
  }

  std::vector<std::string> Paths(const SearchResponse& response) {
    std::vector<std::string> paths;
    for (const SearchHit& hit : response.hits) paths.push_back(hit.doc.path);
    return paths;
  }

  // The result of an SQL query on the store file.
  int64_t Number(const std::string& sql) {
    const auto connection = Connection::Open(StorePath(), {});
    EXPECT_TRUE(connection.has_value());
    return (*connection)->QueryInt(sql).value_or(-1);
  }

  // Checks that the doctor reports nothing more severe than a note.
  void ExpectHealthy() {
    ASSERT_OK_AND_ASSIGN(const DoctorReport report, Database::Doctor({.path = StorePath()}));
    for (const DoctorFinding& finding : report.findings) {
      if (finding.severity != "note") {
        ADD_FAILURE() << finding.code << ": " << finding.examples.at(0).where << ": "
                      << finding.examples.at(0).what;
      }
    }
  }

  TempDir dir_;
  std::unique_ptr<Database> database_;
};

// A text of random words from a small vocabulary, so that chunks share words.
inline std::string RandomText(std::mt19937_64& random, size_t words) {
  static const char* const kWords[] = {"alpha", "beta",  "gamma",   "delta",  "epsilon", "zeta",
                                       "eta",   "theta", "iota",    "kappa",  "lambda",  "mu",
                                       "nu",    "xi",    "omicron", "pi",     "rho",     "sigma",
                                       "tau",   "chi",   "psi",     "omega",  "memory",  "thread",
                                       "file",  "index", "vector",  "search", "budget",  "chunk"};
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    text += kWords[random() % std::size(kWords)];
    const uint64_t dice = random() % 20;
    text += dice == 0 ? "\n\n" : dice < 3 ? "\n" : " ";
  }
  return text;
}

}  // namespace recall
