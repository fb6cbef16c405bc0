// `recall serve` with a store on a server that falls silent, beside a local store.

#include <poll.h>

#include <vector>

#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/http/serving.h"
#include "tests/storage/postgres/postgres_test_server.h"

namespace recall {
namespace {

constexpr char kPg[] = "X-Recall-Store: pg\r\n";
constexpr char kHere[] = "X-Recall-Store: here\r\n";
constexpr char kRawPg[] = "X-Recall-Store: pg\r\nContent-Type: application/json\r\n";
constexpr char kQuestion[] = R"({"query": "word"})";

class SilentServerTest : public RecallTest {
 protected:
  void SetUp() override {
    Write("one.md", "A word that both stores have.\n");
    for (const std::string& store : {address_, directory()}) {
      ASSERT_EQ(Run({"init", "--store", store}).exit, 0);
      ASSERT_EQ(Run({"add", "one.md", "--store", store}).exit, 0);
    }
  }
  std::vector<std::string> Served(const std::string& timeout) const {
    return {"--socket", Path("socket"),        "--request-timeout",
            timeout,    "here=" + directory(), "pg=" + address_};
  }
  static bool HasAnswered(const RawClient& client) {
    pollfd wait{.fd = client.fd(), .events = POLLIN, .revents = 0};
    return ::poll(&wait, 1, 0) != 0;
  }

  PostgresTestServer postgres_;
  const std::string address_ = postgres_.Address("silent");
};

TEST_F(SilentServerTest, OtherStoresAnswerMeanwhile) {
  const Serving server(directory(), Served("10m"));
  ASSERT_EQ(Post(server.Local(), "/v1/search", kQuestion, kPg).status, 200);
  postgres_.Pause();
  std::vector<RawClient> waiting;
  for (int i = 0; i < 8; ++i) {
    waiting.push_back(server.Local());
    ASSERT_TRUE(waiting.back().Post("/v1/search", R"({"query": "word of others"})", kRawPg));
  }
  for (int i = 0; i < 3; ++i) {
    const ServedAnswer answer = Post(server.Local(), "/v1/search", kQuestion, kHere);
    EXPECT_EQ(answer.status, 200) << answer.body;
  }
  for (const RawClient& client : waiting) EXPECT_FALSE(HasAnswered(client));
  postgres_.Resume();
  for (RawClient& client : waiting) {
    EXPECT_TRUE(client.ReadResponse().starts_with("HTTP/1.1 200")) << "after the server woke up";
  }
}

TEST_F(SilentServerTest, EventsOfOtherStoresComeMeanwhile) {
  // A watch that waits for the silent server waits longer than this test may take.
  std::vector<std::string> served = Served("10m");
  served.back() += "&answer_timeout=3600";
  const Serving server(directory(), served);
  RawClient events = server.Local();
  ASSERT_TRUE(events.Send("GET /v1/events HTTP/1.1\r\nHost: recall\r\n\r\n"));
  ASSERT_TRUE(events.ReadResponse().starts_with("HTTP/1.1 200"));
  const auto next_of_here = [&] {
    std::string event;
    do event = events.ReadEvent();
    while (!event.empty() && event.find("\"store\":\"here\"") == event.npos);
    return event;
  };
  EXPECT_NE(next_of_here().find("event: commit"), std::string::npos);
  postgres_.Pause();
  for (const char* name : {"two.md", "three.md"}) {
    Write(name, "Another word.\n");
    ASSERT_EQ(Run({"add", name, "--store", directory()}).exit, 0);
    EXPECT_NE(next_of_here().find("event: commit"), std::string::npos);
  }
  postgres_.Resume();
}

TEST_F(SilentServerTest, ALateAnswerNamesTheStore) {
  const Serving server(directory(), Served("1s"));
  postgres_.Pause();
  const ServedAnswer late = Post(server.Local(), "/v1/search", kQuestion, kPg);
  EXPECT_EQ(late.status, 504);
  EXPECT_NE(late.body.find("the server of the store 'pg'"), std::string::npos) << late.body;
  EXPECT_EQ(Post(server.Local(), "/v1/search", kQuestion, kHere).status, 200);
  postgres_.Resume();
}

TEST_F(SilentServerTest, AServerThatIsDownIsUnavailable) {
  const Serving server(directory(), Served("30s"));
  postgres_.Kill();
  RawClient client = server.Local();
  ASSERT_TRUE(client.Post("/v1/search", kQuestion, kRawPg));
  const std::string response = client.ReadResponse();
  EXPECT_TRUE(response.starts_with("HTTP/1.1 503")) << response;
  EXPECT_NE(response.find("Retry-After: "), std::string::npos) << response;
  EXPECT_NE(response.find("\"code\":\"io_error\""), std::string::npos) << response;
  postgres_.Start();
}

}  // namespace
}  // namespace recall
