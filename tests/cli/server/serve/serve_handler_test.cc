#include "cli/server/serve/serve_handler.h"

#include <gtest/gtest.h>

#include <memory>

namespace recall {
namespace {

// No request is answered here.
class IdleRunner final : public CommandRunner {
 public:
  CommandOutput Run(std::string_view, std::vector<std::string>) override { return {}; }
  void Cancel() override {}
  void Renew() override {}
};

// A local store, and one on a server for which requests wait.
class ServeHandlerTest : public ::testing::Test {
 protected:
  static ServeOptions Options() {
    ServeOptions options;
    options.workers = 0;
    const auto runner = [](bool) { return std::make_unique<IdleRunner>(); };
    options.stores = {{"here", {}, runner, false, "file-1-2"},
                      {"pg", {}, runner, true, "address-3"}};
    return options;
  }
  std::string WaitsFor(const std::string& path,
                       std::vector<std::pair<std::string, std::string>> headers) {
    HttpHead head;
    head.method = "POST";
    head.path = path;
    head.headers = std::move(headers);
    return handler_.TermsOf(head).waits_for;
  }

  EventHub events_;
  ServerMetrics metrics_;
  ServeHandler handler_{Options(), &events_, &metrics_};
};

TEST_F(ServeHandlerTest, ARequestWaitsForTheServerOfItsStore) {
  const std::string pg = "the server of the store 'pg'";
  EXPECT_EQ(WaitsFor("/v1/search", {{"x-recall-store", "pg"}}), pg);
  EXPECT_EQ(WaitsFor("/v1/search", {{"x-recall-store", "here"}}), "");
  EXPECT_EQ(WaitsFor("/v1/search", {}), "") << "the first store";
  EXPECT_EQ(WaitsFor("/v1/search", {{"x-recall-store", "none"}}), "");
}

// Its body, which names the store, is not read yet.
TEST_F(ServeHandlerTest, ACommandLineSaysWhichStoreItIsAbout) {
  EXPECT_EQ(WaitsFor("/cli", {{"x-recall-store-key", "address-3"}}),
            "the server of the store 'pg'");
  EXPECT_EQ(WaitsFor("/cli", {{"x-recall-store-key", "file-1-2"}}), "");
  EXPECT_EQ(WaitsFor("/cli", {{"x-recall-store-key", "file-9-9"}}), "");
  EXPECT_EQ(WaitsFor("/cli", {}), "");
}

}  // namespace
}  // namespace recall
