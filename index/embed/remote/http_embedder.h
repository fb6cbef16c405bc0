#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "index/embed/embedder/embedder.h"
#include "index/embed/remote/http_client.h"

namespace recall {

enum class EmbeddingProtocol {
  kOpenAi,  // POST url/embeddings; supported by most servers
  kOllama,  // POST url/api/embed
};

struct HttpEmbedderOptions {
  EmbeddingProtocol protocol = EmbeddingProtocol::kOpenAi;
  std::string url;    // the part before the path above: "http://127.0.0.1:11434", "https://host/v1"
  std::string model;  // the server's name of the model
  // The environment variable with the key; empty: no key is sent. The key is read for each request,
  // and is neither stored nor printed.
  std::string key_variable;
  uint32_t dim = 0;  // 0: that of the first vector
  size_t batch_texts = 64;
  size_t batch_bytes = size_t{256} << 10;  // of texts; a longer text is sent alone
  std::chrono::milliseconds timeout = std::chrono::minutes(1);  // of one request
  int attempts = 5;
  std::chrono::milliseconds first_wait{500};                          // doubled after each attempt
  std::chrono::milliseconds longest_wait = std::chrono::seconds(30);  // Retry-After, too
  size_t most_answer_bytes = size_t{64} << 20;
  const std::atomic<bool>* cancel = nullptr;  // ends a call; may be null
  // Waits between attempts; tests replace it.
  std::function<void(std::chrono::milliseconds)> wait;
};

// Computes vectors with a server. Because texts are sent to it, it is used only if the user
// configured it, and never by default. Requests with transient failures (no connection, 429, 5xx)
// are retried after growing waits, or after the time that the server asks for. Texts of white space
// have the zero vector and are not sent. Vectors are scaled to unit length.
class HttpEmbedder final : public Embedder {
 public:
  // Sends a request only if the dimension is not configured. Errors: InvalidArgument for an invalid
  // URL, for a key that is not in the environment, or for one that would be sent to another machine
  // without encryption; Unsupported without libcurl; those of Embed.
  static Result<std::unique_ptr<HttpEmbedder>> Open(HttpEmbedderOptions options);

  // {"openai" or "ollama", "1-" and 16 digits of a hash of the model's name, dim}.
  const Identity& identity() const override { return identity_; }
  // Errors: InvalidArgument if the server refuses the request (4xx) or a vector has another
  // dimension; LimitExceeded for a response that is too large; Busy if it still responds with 429
  // or 503 after the last attempt; Cancelled; IoError otherwise.
  Status Embed(std::span<const std::string_view> texts, std::span<float> out) override;
  void DoNotRetry() override { options_.attempts = 1; }

 private:
  HttpEmbedder(HttpEmbedderOptions options, std::unique_ptr<HttpClient> client);

  using Vectors = std::vector<std::vector<float>>;
  Status DetectDimension();
  Result<Vectors> Ask(std::span<const std::string_view> texts);
  Result<std::string> Post(const std::string& body);
  Status CheckCancelled() const;
  Result<Vectors> ReadAnswer(const std::string& body, size_t count) const;
  Status Failure(const HttpAnswer& answer, const std::string& key) const;
  Status Unreadable(const std::string& what) const;

  HttpEmbedderOptions options_;
  std::unique_ptr<HttpClient> client_;
  std::string endpoint_;
  Identity identity_;
};

}  // namespace recall
