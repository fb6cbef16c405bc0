#pragma once

#include <nlohmann/json.hpp>

#include "storage/notes/activity_table.h"
#include "storage/notes/link_table.h"
#include "storage/notes/name_table.h"
#include "storage/store/store.h"
#include "tests/query/compat/memories/foreign_fixtures.h"
#include "tests/query/exchange/transfer_fixture.h"

namespace recall {

using Strings = std::vector<std::string>;

class ForeignFixture : public TransferFixture {
 protected:
  void SetUp() override {
    TransferFixture::SetUp();
    store_path_ = StorePath();
    std::filesystem::remove(OtherPath("rekall.db"));
    WriteRekallDatabase(OtherPath("rekall.db"));
    WriteBastraVault(OtherPath("vault"));
    WriteTextFile(OtherPath("memory.jsonl"), kMemoryGraph);
    WriteBasicMemory(OtherPath("project"));
  }

  static ImportRequest Request(const std::string& program, const std::string& path) {
    ImportRequest request;
    request.program = program;
    request.path = path;
    return request;
  }

  ImportReport ImportFrom(const std::string& program, const std::string& name,
                          bool dry_run = false) {
    ImportRequest request = Request(program, OtherPath(name));
    request.dry_run = dry_run;
    auto report = database_->Import(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *std::move(report) : ImportReport();
  }

  std::string Token() { return Must(database_->CommitToken()); }

  // The texts of all documents, by path.
  std::map<std::string, std::string> Texts() {
    std::map<std::string, std::string> texts;
    for (const std::string& line : Lines(Export())) {
      const auto object = nlohmann::json::parse(line);
      if (object["type"] == "doc") texts[object["path"]] = object["text"];
    }
    return texts;
  }

  std::string TextOf(const std::string& path) { return Texts()[path]; }

  Strings Paths() {
    Strings paths;
    for (const auto& [path, text] : Texts()) paths.push_back(path);
    return paths;
  }

  // "a -derived_from-> b (user 1 reason)", sorted.
  Strings LinksOf(const std::string& store = {}) {
    const auto opened = Must(Store::Open(store.empty() ? store_path_ : store));
    const auto transaction = Must(opened->BeginRead());
    Connection& connection = transaction->connection();
    Strings links;
    EXPECT_OK(ScanLinks(connection, [&](const LinkRow& link) {
      nlohmann::json weight = link.weight;
      links.push_back(Must(PathOfName(connection, link.source)) + " -" + link.relation + "-> " +
                      Must(PathOfName(connection, link.target)) + " (" + link.origin + " " +
                      weight.dump() + (link.reason ? " " + *link.reason : "") + ")");
    }));
    std::ranges::sort(links);
    return links;
  }

  Activity ActivityOf(const std::string& path, const std::string& store = {}) {
    const auto opened = Must(Store::Open(store.empty() ? store_path_ : store));
    const auto transaction = Must(opened->BeginRead());
    const auto name = Must(FindName(transaction->connection(), path));
    EXPECT_TRUE(name.has_value()) << path;
    return name ? Must(ComputeActivity(transaction->connection(), *name, INT64_MAX)) : Activity();
  }

  // Records a review, as `recall review` does.
  void Review(const std::string& path, int64_t quality, const char* at, int64_t interval_days,
              int64_t easiness, const char* due) {
    {
      const auto store = Must(Store::Open(store_path_));
      const auto transaction = Must(store->BeginWrite());
      ReviewRow row;
      row.name = Must(FindName(transaction->connection(), path)).value();
      row.at = ParseRfc3339(at).value();
      row.store = store->uuid();
      row.quality = quality;
      row.repetitions = 2;
      row.interval_days = interval_days;
      row.easiness = easiness;
      row.due = ParseRfc3339(due).value();
      ASSERT_OK(
          AppendReview(transaction->connection(), row, transaction->counts().commit_sequence + 1));
      ASSERT_OK(transaction->Commit());
    }
    ASSERT_OK_AND_ASSIGN(database_, Database::Open(store_path_));
  }

  std::string store_path_;
};

}  // namespace recall
