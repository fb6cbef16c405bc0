#include "index/embed/remote/http_embedder.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <future>
#include <nlohmann/json.hpp>

#include "tests/index/embed/remote/local_server.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;

// The vector of a text: {size, 1, 0, 0}.
Json VectorOf(const std::string& text) { return {text.size(), 1, 0, 0}; }

std::string AnswerOpenAi(const ServedRequest& request) {
  const Json asked = Json::parse(request.body);
  Json data = Json::array();
  for (size_t i = 0; i < asked["input"].size(); ++i) {
    data.push_back(
        {{"object", "embedding"}, {"index", i}, {"embedding", VectorOf(asked["input"][i])}});
  }
  std::reverse(data.begin(), data.end());
  return Answer(200, Json{{"object", "list"}, {"data", data}, {"model", asked["model"]}}.dump());
}

std::string AnswerOllama(const ServedRequest& request) {
  const Json asked = Json::parse(request.body);
  Json vectors = Json::array();
  for (const Json& text : asked["input"]) vectors.push_back(VectorOf(text));
  return Answer(200, Json{{"model", asked["model"]}, {"embeddings", vectors}}.dump());
}

class HttpEmbedderTest : public ::testing::Test {
 protected:
  HttpEmbedderTest() {
    ::unsetenv("RECALL_TEST_KEY");
    // No proxy listens there: a request to a local server must not use the proxy.
    ::setenv("http_proxy", "http://127.0.0.1:9", 1);
  }

  HttpEmbedderOptions Options(const std::string& url) {
    HttpEmbedderOptions options;
    options.url = url;
    options.model = "small";
    options.dim = 4;
    options.wait = [this](milliseconds time) { waits_.push_back(time.count()); };
    return options;
  }

  // The error for one text if `handler` answers.
  std::string Error(LocalServer::Handler handler,
                    EmbeddingProtocol protocol = EmbeddingProtocol::kOpenAi) {
    const LocalServer server(std::move(handler));
    HttpEmbedderOptions options = Options(server.url());
    options.protocol = protocol;
    options.most_answer_bytes = 1'000'000;
    return TryEmbed(std::move(options), server.url());
  }
  std::string TryEmbed(HttpEmbedderOptions options, const std::string& url) {
    const auto embedder = HttpEmbedder::Open(std::move(options));
    std::string error = embedder ? "" : embedder.error().ToString();
    if (embedder) {
      std::vector<float> vector((*embedder)->identity().dim);
      const std::string_view text = "text";
      error = (*embedder)->Embed(std::span(&text, 1), vector).ToString();
    }
    const size_t at = error.find(url);
    return at == error.npos ? error : error.replace(at, url.size(), "URL");
  }

  std::vector<int64_t> waits_;
};

void ExpectVectors(const std::vector<float>& vectors, const std::vector<double>& sizes) {
  ASSERT_EQ(vectors.size(), 4 * sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    const double length = sizes[i] > 0 ? std::sqrt(sizes[i] * sizes[i] + 1) : 1;
    EXPECT_NEAR(vectors[4 * i], sizes[i] / length, 1e-6) << i;
    EXPECT_NEAR(vectors[4 * i + 1], sizes[i] > 0 ? 1 / length : 0, 1e-6) << i;
  }
}

TEST_F(HttpEmbedderTest, SpeaksOpenAisProtocolInBatches) {
  const LocalServer server(AnswerOpenAi);
  HttpEmbedderOptions options = Options(server.url() + "/v1/");
  options.batch_texts = 2;
  options.batch_bytes = 10;
  ASSERT_OK_AND_ASSIGN(const auto embedder, HttpEmbedder::Open(options));
  EXPECT_EQ(embedder->identity().name, "openai");
  EXPECT_TRUE(server.requests().empty()) << "nothing is asked before it must be";
  const std::string_view texts[] = {"a", "bb", " \n", "ccc", "", "dddddddddddd", "e\"\n\xff"};
  std::vector<float> vectors(7 * 4, 9);
  ASSERT_OK(embedder->Embed(texts, vectors));
  ExpectVectors(vectors, {1, 2, 0, 3, 0, 12, 6});
  std::vector<Json> inputs;
  for (const ServedRequest& request : server.requests()) {
    EXPECT_TRUE(request.head.starts_with("POST /v1/embeddings HTTP/1.1\r\n")) << request.head;
    EXPECT_EQ(request.head.find("Authorization"), std::string::npos);
    const Json json = Json::parse(request.body);
    EXPECT_EQ(json["model"], "small");
    EXPECT_EQ(json["encoding_format"], "float");
    inputs.push_back(json["input"]);
  }
  EXPECT_EQ(inputs, (std::vector<Json>{{"a", "bb"},
                                       Json::array({"ccc"}),
                                       Json::array({"dddddddddddd"}),
                                       Json::array({"e\"\n\ufffd"})}));
}

TEST_F(HttpEmbedderTest, SpeaksOllamasProtocol) {
  const LocalServer server(AnswerOllama);
  HttpEmbedderOptions options = Options(server.url());
  options.protocol = EmbeddingProtocol::kOllama;
  options.dim = 0;
  ASSERT_OK_AND_ASSIGN(const auto embedder, HttpEmbedder::Open(options));
  EXPECT_EQ(embedder->identity().name, "ollama");
  EXPECT_EQ(embedder->identity().dim, 4u);
  const std::string_view texts[] = {"a", "bb"};
  std::vector<float> vectors(2 * 4);
  ASSERT_OK(embedder->Embed(texts, vectors));
  ExpectVectors(vectors, {1, 2});
  EXPECT_TRUE(server.requests().back().head.starts_with("POST /api/embed HTTP/1.1\r\n"));
}

TEST_F(HttpEmbedderTest, TheVersionIsThatOfTheModel) {
  const auto version = [&](const std::string& url, const std::string& model) {
    HttpEmbedderOptions options = Options(url);
    options.model = model;
    return (*HttpEmbedder::Open(options))->identity().version;
  };
  EXPECT_EQ(version("http://a", "small"), version("http://b", "small"));
  EXPECT_NE(version("http://a", "small"), version("http://a", "large"));
  EXPECT_EQ(version("http://a", "small").size(), 18u);
}

TEST_F(HttpEmbedderTest, TheKeyComesFromTheEnvironmentAndGoesNowhereElse) {
  std::string status = "200";
  const LocalServer server([&](const ServedRequest& request) {
    if (status == "200") return AnswerOpenAi(request);
    return Answer(401, "no such key:\n sk-secret-1, \x01 you know");
  });
  HttpEmbedderOptions options = Options(server.url());
  options.key_variable = "RECALL_TEST_KEY";
  EXPECT_EQ(
      TryEmbed(options, server.url()),
      "invalid_argument: the environment variable RECALL_TEST_KEY, which must contain the API key, "
      "is not set");
  ::setenv("RECALL_TEST_KEY", "sk-secret-1", 1);
  EXPECT_EQ(TryEmbed(options, server.url()), "ok");
  EXPECT_NE(server.requests().back().head.find("Authorization: Bearer sk-secret-1\r\n"),
            std::string::npos);
  status = "401";
  EXPECT_EQ(TryEmbed(options, server.url()),
            "invalid_argument: URL/embeddings answered 401: no such key:  ***,   you know");
  ::setenv("RECALL_TEST_KEY", "a\r\nX-Other: b", 1);
  EXPECT_EQ(TryEmbed(options, server.url()),
            "invalid_argument: the API key in RECALL_TEST_KEY has more than one line");
}

TEST_F(HttpEmbedderTest, AKeyIsNotSentInTheClearToAnotherMachine) {
  ::setenv("RECALL_TEST_KEY", "sk-secret-1", 1);
  for (const char* url : {"http://example.com/v1", "http://127.0.0.1.example.com", "http://1.2.3.4",
                          "http://localhost.example.com:1/127.0.0.1"}) {
    HttpEmbedderOptions options = Options(url);
    EXPECT_TRUE(HttpEmbedder::Open(options).has_value()) << url;
    options.key_variable = "RECALL_TEST_KEY";
    EXPECT_FALSE(HttpEmbedder::Open(options).has_value()) << url;
  }
  for (const char* url : {"https://example.com/v1", "http://localhost:1", "http://[::1]:8080/v1",
                          "http://127.0.0.2/x"}) {
    HttpEmbedderOptions options = Options(url);
    options.key_variable = "RECALL_TEST_KEY";
    EXPECT_TRUE(HttpEmbedder::Open(options).has_value()) << url;
  }
}

TEST_F(HttpEmbedderTest, WhatIsNotConfiguredIsNotAsked) {
  EXPECT_EQ(TryEmbed(Options(""), "x"), "invalid_argument: \"\" is not the URL of a server");
  EXPECT_EQ(TryEmbed(Options("file:///etc/passwd"), "x"),
            "invalid_argument: \"file:///etc/passwd\" is not the URL of a server");
  for (const char* url : {"http://user:pw@127.0.0.1", "http://127.0.0.1\\@example.com"}) {
    EXPECT_EQ(TryEmbed(Options(url), "x"),
              "invalid_argument: the URL of the embedding server has more than host and port");
  }
  EXPECT_EQ(TryEmbed(Options("http://"), "x"),
            "invalid_argument: \"http://\" is not the URL of a server");
  HttpEmbedderOptions options = Options("http://127.0.0.1");
  options.model = "";
  EXPECT_EQ(TryEmbed(options, "x"), "invalid_argument: the embedder over HTTP has no model");
}

TEST_F(HttpEmbedderTest, TriesAgainAfterGrowingWaits) {
  int count = 0;
  EXPECT_EQ(Error([&](const ServedRequest& request) {
              const int statuses[] = {429, 500, 503};
              return count < 3 ? Answer(statuses[count++], "busy") : AnswerOpenAi(request);
            }),
            "ok");
  EXPECT_EQ(waits_, (std::vector<int64_t>{500, 1000, 2000}));
}

TEST_F(HttpEmbedderTest, WaitsAsLongAsTheServerAsks) {
  int count = 0;
  EXPECT_EQ(Error([&](const ServedRequest& request) {
              if (++count == 1) return Answer(429, "", "Retry-After: 7\r\n");
              if (count == 2) return Answer(503, "", "Retry-After: 86400\r\n");
              if (count == 3) return Answer(429, "");
              return AnswerOpenAi(request);
            }),
            "ok");
  EXPECT_EQ(waits_, (std::vector<int64_t>{7000, 30'000, 2000}));
}

TEST_F(HttpEmbedderTest, GivesUpAfterSomeAttempts) {
  EXPECT_EQ(Error([](const ServedRequest&) { return Answer(429, "slow down"); }),
            "busy: URL/embeddings answered 429: slow down");
  EXPECT_EQ(waits_.size(), 4u);
  EXPECT_EQ(Error([](const ServedRequest&) { return Answer(502, "<html>"); }),
            "io_error: URL/embeddings answered 502: <html>");
  EXPECT_EQ(waits_.size(), 8u);
  // Permanent errors are not retried.
  EXPECT_EQ(Error([](const ServedRequest&) { return Answer(404, "no model \"small\""); }),
            "invalid_argument: URL/embeddings answered 404: no model \"small\"");
  EXPECT_EQ(Error([](const ServedRequest&) {
              return Answer(302, "", "Location: http://127.0.0.1:1/\r\n");
            }),
            "io_error: URL/embeddings answered 302: ");
  EXPECT_EQ(waits_.size(), 8u);
}

TEST_F(HttpEmbedderTest, ConnectionsThatFailAreTriedAgain) {
  std::string url;
  {
    const LocalServer server(AnswerOpenAi);
    url = server.url();
  }
  const std::string error = TryEmbed(Options(url), url);
  EXPECT_TRUE(
      error.starts_with("io_error: cannot send a request to URL/embeddings: Failed to connect to"))
      << error;
  EXPECT_EQ(waits_.size(), 4u);
  // No response, half a header, half a body; then a complete response.
  int count = 0;
  EXPECT_EQ(Error([&](const ServedRequest& request) {
              const std::string whole = AnswerOpenAi(request);
              const size_t sizes[] = {0, 20, whole.size() - 3, whole.size()};
              return whole.substr(0, sizes[count++]);
            }),
            "ok");
  EXPECT_EQ(count, 4);
}

TEST_F(HttpEmbedderTest, ASilentServerIsAnError) {
  std::atomic<bool> done = false;
  const LocalServer server([&](const ServedRequest&) {
    while (!done) std::this_thread::yield();
    return std::string();
  });
  HttpEmbedderOptions options = Options(server.url());
  options.timeout = milliseconds(50);
  options.attempts = 1;
  const std::string error = TryEmbed(options, server.url());
  done = true;
  EXPECT_TRUE(
      error.starts_with("io_error: cannot send a request to URL/embeddings: Operation timed out"))
      << error;
}

// The time is that of the whole request: a server that sends a byte now and then does not renew it.
TEST_F(HttpEmbedderTest, ASlowServerIsAnError) {
  for (const char* begin : {"HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n["}) {
    const LocalServer server([&](const ServedRequest&) { return std::string(begin); },
                             LocalServer::End::kDrips);
    HttpEmbedderOptions options = Options(server.url());
    options.timeout = milliseconds(50);
    options.attempts = 1;
    const std::string error = TryEmbed(options, server.url());
    EXPECT_TRUE(
        error.starts_with("io_error: cannot send a request to URL/embeddings: Operation timed out"))
        << error;
  }
}

TEST_F(HttpEmbedderTest, AnswersThatCannotBeUsedAreNamed) {
  const auto openai = [&](const std::string& body) {
    return Error([&](const ServedRequest&) { return Answer(200, body); });
  };
  const std::string of = "io_error: the response of URL/embeddings ";
  EXPECT_EQ(openai("<html>"), of + "is not a JSON object");
  EXPECT_EQ(openai("{\"data\":[{\"embedding\":[1,2"), of + "is not a JSON object");
  EXPECT_EQ(openai("{}"), of + "has no vectors");
  // Each level takes many times the memory of its byte, so deep answers are not parsed.
  EXPECT_EQ(openai(std::string(50'000, '[')), of + "is nested too deep");
  EXPECT_EQ(openai("{\"data\":" + std::string(16, '[') + std::string(16, ']') + "}"),
            of + "is nested too deep");
  EXPECT_EQ(openai(R"({"note":"\\\"[[[[[[[[[[[[[[[[[[","data":[{"embedding":[1,2,3,4]}]})"), "ok");
  EXPECT_EQ(openai(R"({"data":[]})"), of + "has 0 vectors for 1 texts");
  // As a tree this would take 40 times its size.
  std::string many = R"({"data":[{})";
  for (int i = 0; i < 100'000; ++i) many += ",{}";
  EXPECT_EQ(openai(many + "]}"), of + "has more than 104096 values for 1 texts");
  // Wider than any store: still answered with the dimension.
  std::string wide = R"({"data":[{"embedding":[0)";
  for (int i = 1; i < 50'000; ++i) wide += ",0";
  EXPECT_EQ(openai(wide + "]}]}"),
            "invalid_argument: a vector of URL/embeddings: it has 50000 dimensions, expected 4");
  EXPECT_EQ(openai(R"({"data":[7]})"), of + "has no vectors");
  EXPECT_EQ(openai(R"({"data":[{"index":1,"embedding":[]}]})"),
            of + "has a vector for a text that was not sent");
  EXPECT_EQ(openai(R"({"data":[{"index":0,"embedding":["1"]}]})"),
            of + "has an invalid vector: it contains a value that is not a number");
  EXPECT_EQ(openai(R"({"data":[{"embedding":[1,2,3]}]})"),
            "invalid_argument: a vector of URL/embeddings: it has 3 dimensions, expected 4");
  EXPECT_EQ(openai(R"({"data":[{"embedding":[0,0,0,0]}]})"), "ok");
  const auto ollama = [&](const std::string& body) {
    return Error([&](const ServedRequest&) { return Answer(200, body); },
                 EmbeddingProtocol::kOllama);
  };
  EXPECT_EQ(ollama(R"({"embeddings":[[1,2,3,4],[1,2,3,4]]})"),
            "io_error: the response of URL/api/embed has 2 vectors for 1 texts");
  EXPECT_EQ(ollama(R"({"embeddings":[[1,2,3,1e39]]})"),
            "io_error: the response of URL/api/embed has an invalid vector: it contains a "
            "number that a float32 cannot represent");
  EXPECT_TRUE(waits_.empty());
}

TEST_F(HttpEmbedderTest, TwoVectorsOfOneTextAreRefused) {
  const LocalServer server([](const ServedRequest&) {
    return Answer(200, R"({"data":[{"index":0,"embedding":[1,0,0,0]},
                                   {"index":0,"embedding":[1,0,0,0]}]})");
  });
  ASSERT_OK_AND_ASSIGN(const auto embedder, HttpEmbedder::Open(Options(server.url())));
  const std::string_view texts[] = {"a", "b"};
  std::vector<float> vectors(8);
  EXPECT_EQ(embedder->Embed(texts, vectors).code(), StatusCode::kIoError);
}

TEST_F(HttpEmbedderTest, CancellingEndsTheWaitForASilentServer) {
  std::atomic<bool> cancel = false;
  std::promise<void> ended;
  const LocalServer server([&](const ServedRequest&) {
    cancel = true;
    ended.get_future().wait();
    return std::string();
  });
  HttpEmbedderOptions options = Options(server.url());
  options.cancel = &cancel;
  EXPECT_EQ(TryEmbed(options, server.url()), "cancelled: interrupted");
  ended.set_value();
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(HttpEmbedderTest, CancellingEndsTheWaitBetweenAttempts) {
  std::atomic<bool> cancel = false;
  const LocalServer server(
      [](const ServedRequest&) { return Answer(503, "", "Retry-After: 1000\r\n"); });
  HttpEmbedderOptions options = Options(server.url());
  options.cancel = &cancel;
  options.wait = [&](milliseconds) { cancel = true; };
  EXPECT_EQ(TryEmbed(options, server.url()), "cancelled: interrupted");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(HttpEmbedderTest, HugeAnswersAreCutOff) {
  const std::string error = "limit_exceeded: URL/embeddings returned more than 1000000 bytes";
  EXPECT_EQ(Error([](const ServedRequest&) { return Answer(200, std::string(1'000'001, ' ')); }),
            error);
  // A response without a Content-Length.
  EXPECT_EQ(Error([](const ServedRequest&) {
              return "HTTP/1.1 200 OK\r\n\r\n" + std::string(5'000'000, ' ');
            }),
            error);
  EXPECT_TRUE(waits_.empty());
}

}  // namespace
}  // namespace recall
