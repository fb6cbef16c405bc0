#include "cli/server/serve/request_guard.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace recall {
namespace {

constexpr uint16_t kPort = 7700;

HttpHead TcpPost(std::vector<std::pair<std::string, std::string>> headers = {}) {
  HttpHead head;
  head.method = "POST";
  head.path = "/v1/search";
  head.over_tcp = true;
  head.port = kPort;
  head.headers = {{"host", "127.0.0.1:7700"}, {"content-type", "application/json"}};
  // A header of the test takes the place of ours.
  for (auto& [name, value] : headers) {
    std::erase_if(head.headers, [&](const auto& header) { return header.first == name; });
    head.headers.emplace_back(name, value);
  }
  return head;
}

int StatusOf(const HttpHead& head, const std::string& token = "") {
  const auto refusal = RefuseForeign(head, {.token = token});
  return refusal ? refusal->status : 200;
}

TEST(RequestGuard, OverTcpTheHostMustBeALoopbackNameWithThePort) {
  for (const std::string host : {"127.0.0.1:7700", "localhost:7700", "[::1]:7700"}) {
    EXPECT_EQ(StatusOf(TcpPost({{"host", host}})), 200) << host;
  }
  for (const std::string host :
       {"", "127.0.0.1", "localhost", "localhost:7701", "evil.example:7700", "localhost.evil:7700",
        "127.0.0.1:7700.evil", "192.168.0.1:7700", "::1:7700"}) {
    EXPECT_EQ(StatusOf(TcpPost({{"host", host}})), 403) << host;
  }
  HttpHead usual_port = TcpPost({{"host", "localhost"}});
  usual_port.port = 80;
  EXPECT_EQ(StatusOf(usual_port), 200);
}

TEST(RequestGuard, AnOriginMustBeThisServer) {
  for (const std::string origin : {"http://localhost:7700", "http://127.0.0.1:7700"}) {
    EXPECT_EQ(StatusOf(TcpPost({{"origin", origin}})), 200) << origin;
  }
  for (const std::string origin : {"null", "http://evil.example", "https://localhost:7700",
                                   "http://localhost:3000", "file://"}) {
    EXPECT_EQ(StatusOf(TcpPost({{"origin", origin}})), 403) << origin;
  }
}

TEST(RequestGuard, OverTheUnixSocketAnyHostIsGoodAndNoOrigin) {
  HttpHead head = TcpPost({{"host", "anything"}});
  head.over_tcp = false;
  EXPECT_EQ(StatusOf(head), 200);
  head.headers.emplace_back("origin", "http://localhost:7700");
  EXPECT_EQ(StatusOf(head), 403);
}

// Forms of web pages can send text/plain and two other types, but not JSON.
TEST(RequestGuard, ABodyMustBeJson) {
  EXPECT_EQ(StatusOf(TcpPost({{"content-type", "application/json; charset=utf-8"}})), 200);
  EXPECT_EQ(StatusOf(TcpPost({{"content-type", "Application/JSON\t; charset=utf-8"}})), 200);
  for (const std::string type : {"", "text/plain", "application/x-www-form-urlencoded",
                                 "multipart/form-data", "application/jsonp"}) {
    EXPECT_EQ(StatusOf(TcpPost({{"content-type", type}})), 415) << type;
  }
  // Lines of JSON are for `add` only.
  HttpHead lines = TcpPost({{"content-type", "application/x-ndjson"}});
  EXPECT_EQ(StatusOf(lines), 415);
  lines.path = "/v1/add";
  EXPECT_EQ(StatusOf(lines), 200);
  HttpHead get = TcpPost({{"content-type", ""}});
  get.method = "GET";
  EXPECT_EQ(StatusOf(get), 200);
}

TEST(RequestGuard, OverTcpTheTokenIsNeeded) {
  const std::string token = "0123456789abcdef";
  EXPECT_EQ(StatusOf(TcpPost({{"authorization", "Bearer " + token}}), token), 200);
  for (const std::string given :
       {"", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
        "Bearer 0123456789abcdeF", "Basic 0123456789abcdef", "0123456789abcdef"}) {
    EXPECT_EQ(StatusOf(TcpPost({{"authorization", given}}), token), 401) << given;
  }
  HttpHead live = TcpPost();
  live.method = "GET";
  live.path = "/livez";
  EXPECT_EQ(StatusOf(live, token), 200);
  HttpHead local = TcpPost();
  local.over_tcp = false;
  EXPECT_EQ(StatusOf(local, token), 200);
}

// The page holds no data, and asks for the token itself. A host that is not ours does not even get
// the page.
TEST(RequestGuard, ThePageNeedsNoTokenButAHostOfOurs) {
  const std::string token = "0123456789abcdef";
  HttpHead page = TcpPost();
  page.method = "GET";
  for (const std::string path : {"/", "/recall.css", "/recall.js", "/search.js"}) {
    page.path = path;
    EXPECT_EQ(StatusOf(page, token), 200) << path;
  }
  for (const std::string path :
       {"/readyz", "/version", "/metrics", "/v1/events", "/page", "/recall.js/x"}) {
    page.path = path;
    EXPECT_EQ(StatusOf(page, token), 401) << path;
  }
  HttpHead foreign = TcpPost({{"host", "evil.example:7700"}});
  foreign.method = "GET";
  foreign.path = "/";
  EXPECT_EQ(StatusOf(foreign, token), 403);
  HttpHead post = TcpPost();
  post.path = "/";
  EXPECT_EQ(StatusOf(post, token), 401);
}

// A page must not learn whether a token is right.
TEST(RequestGuard, AForeignPageIsRefusedBeforeTheTokenIsRead) {
  const std::string token = "0123456789abcdef";
  EXPECT_EQ(StatusOf(TcpPost({{"origin", "http://evil.example"}}), token), 403);
  EXPECT_EQ(
      StatusOf(TcpPost({{"origin", "http://evil.example"}, {"authorization", "Bearer " + token}}),
               token),
      403);
}

}  // namespace
}  // namespace recall
