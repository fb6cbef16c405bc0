#include "index/embed/remote/http_embedder.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "index/base/program/json_line.h"
#include "index/base/text/utf8.h"
#include "index/embed/remote/vector_json.h"
#include "storage/base/check.h"

namespace recall {
namespace {

// Embeddings by a server with one of two protocols:
//
//   OpenAI   POST <url>/embeddings   {"model", "input": [...], "encoding_format": "float"}
//            -> {"data": [{"index": 0, "embedding": [...]}, ...]}       in any order
//   Ollama   POST <url>/api/embed    {"model", "input": [...]}
//            -> {"embeddings": [[...], ...]}                            in the order of the texts
//
// Texts are sent in batches of up to 64 texts and 256 KiB, one request at a time. A text of white
// space gets the zero vector and is not sent, because some servers reject it.
//
// Retries: transient failures are retried up to five times in total. The wait starts at half a
// second and doubles, or is the server's Retry-After, and never exceeds 30 seconds. The clock is
// replaceable in tests.
//
// Security: texts leave the machine only if the user configured this embedder. The key is read from
// an environment variable for each request and is not stored. It is refused for an unencrypted URL
// of another machine, and it is masked in error messages, which quote at most 200 characters of the
// server's response. URLs with user information or unusual characters before the host are refused,
// because they can disguise the host.
//
// The version of the vectors is a hash of the model's name: the weights behind a server cannot be
// inspected.

using Json = nlohmann::json;
using std::chrono::milliseconds;

// The names, objects and numbers of an answer that are not components of vectors.
constexpr size_t kMostOtherValues = 100'000;

// The version of the protocol. It must change whenever the same model would give a text another
// vector.
constexpr char kHttpVersion[] = "1";
constexpr size_t kMostExcerpt = 200;

// The authority part of a URL: the text between "://" and the path.
std::string_view AuthorityOf(std::string_view url) {
  url.remove_prefix(std::min(url.find("://") + 3, url.size()));
  return url.substr(0, url.find_first_of("/?#"));
}

// The host of a URL, without port and brackets.
std::string_view HostOf(std::string_view url) {
  const std::string_view authority = AuthorityOf(url);
  if (authority.starts_with('[')) return authority.substr(1, authority.find(']') - 1);
  return authority.substr(0, authority.find(':'));
}

bool IsThisMachine(std::string_view host) {
  const bool digits = host.find_first_not_of("0123456789.") == host.npos;
  return host == "localhost" || host == "::1" || (host.starts_with("127.") && digits);
}

bool IsBlank(std::string_view text) {
  for (size_t position = 0; position < text.size();) {
    if (!IsWhiteSpace(DecodeUtf8(text, &position))) return false;
  }
  return true;
}

// A message of the server on one line, with the key masked if the message repeats it.
std::string Excerpt(std::string text, const std::string& key) {
  if (!key.empty()) {
    for (size_t at = 0; (at = text.find(key, at)) != text.npos;)
      text.replace(at, key.size(), "***");
  }
  std::string line;
  for (size_t position = 0; position < text.size() && line.size() < kMostExcerpt;) {
    const uint32_t c = DecodeUtf8(text, &position);
    AppendUtf8(c < 0x20 || (c >= 0x7F && c < 0xA0) ? ' ' : c, &line);
  }
  return line;
}

Result<std::string> ReadKey(const std::string& variable) {
  if (variable.empty()) return std::string();
  const char* key = std::getenv(variable.c_str());
  if (key == nullptr || *key == '\0') {
    return Fail(Status::InvalidArgument(
        "the environment variable " + variable + ", which must contain the API key, is not set",
        "export " + variable + "=..., or remove the key from the configuration"));
  }
  // An end of line would begin another header.
  if (std::string_view(key).find_first_of("\r\n") != std::string_view::npos) {
    return Fail(Status::InvalidArgument("the API key in " + variable + " has more than one line"));
  }
  return std::string(key);
}

// The index of the text an item belongs to; items may be in any order.
size_t PlaceOf(const Json& item, size_t fallback) {
  const auto index = item.find("index");
  if (index == item.end()) return fallback;
  return index->is_number_unsigned() ? index->get<size_t>() : SIZE_MAX;
}

Status CheckUrl(const HttpEmbedderOptions& options) {
  const std::string& url = options.url;
  const bool encrypted = url.starts_with("https://");
  if ((!encrypted && !url.starts_with("http://")) || HostOf(url).empty()) {
    return Status::InvalidArgument("\"" + url + "\" is not the URL of a server",
                                   "it must begin with http:// or https://");
  }
  // User information would be printed with the URL, and it can disguise the host.
  if (AuthorityOf(url).find_first_of("@\\ ") != std::string_view::npos) {
    return Status::InvalidArgument("the URL of the embedding server has more than host and port",
                                   "put the key into an environment variable");
  }
  if (!options.key_variable.empty() && !encrypted && !IsThisMachine(HostOf(url))) {
    return Status::InvalidArgument(
        "the API key is not sent to " + std::string(HostOf(url)) + " without encryption",
        "use an https:// URL");
  }
  return Status::Ok();
}

}  // namespace

HttpEmbedder::HttpEmbedder(HttpEmbedderOptions options, std::unique_ptr<HttpClient> client)
    : options_(std::move(options)), client_(std::move(client)) {
  const bool ollama = options_.protocol == EmbeddingProtocol::kOllama;
  std::string_view base = options_.url;
  while (base.ends_with('/')) base.remove_suffix(1);
  endpoint_ = std::string(base) + (ollama ? "/api/embed" : "/embeddings");
  identity_ = {ollama ? "ollama" : "openai", VersionOfText(kHttpVersion, options_.model),
               options_.dim};
  if (!options_.wait) {
    options_.wait = [this](milliseconds time) {
      constexpr milliseconds kStep{100};
      for (; time.count() > 0 && CheckCancelled().ok(); time -= kStep) {
        std::this_thread::sleep_for(std::min(time, kStep));
      }
    };
  }
}

Result<std::unique_ptr<HttpEmbedder>> HttpEmbedder::Open(HttpEmbedderOptions options) {
  RECALL_TRY(CheckUrl(options));
  RECALL_TRY(ReadKey(options.key_variable));
  if (options.model.empty()) {
    return Fail(Status::InvalidArgument("the embedder over HTTP has no model",
                                        "configure the model's name, as the server knows it"));
  }
  if (options.dim > kMostEmbeddingDim) {
    return Fail(Status::InvalidArgument("vectors may have up to 4096 dimensions"));
  }
  RECALL_ASSIGN(std::unique_ptr<HttpClient> client, HttpClient::Make());
  std::unique_ptr<HttpEmbedder> embedder(new HttpEmbedder(std::move(options), std::move(client)));
  if (embedder->identity_.dim == 0) RECALL_TRY(embedder->DetectDimension());
  return embedder;
}

Status HttpEmbedder::DetectDimension() {
  const std::string_view text = "dimension";
  RECALL_ASSIGN(const Vectors vectors, Ask(std::span(&text, 1)));
  const size_t dim = vectors[0].size();
  if (dim == 0 || dim > kMostEmbeddingDim) {
    return Status::InvalidArgument(
        endpoint_ + " returns vectors of " + std::to_string(dim) + " dimensions",
        "1 to 4096 are supported");
  }
  identity_.dim = static_cast<uint32_t>(dim);
  return Status::Ok();
}

Status HttpEmbedder::Embed(std::span<const std::string_view> texts, std::span<float> out) {
  const size_t dim = identity_.dim;
  RECALL_CHECK(out.size() == texts.size() * dim);
  std::ranges::fill(out, 0.0f);
  std::vector<std::string_view> batch;
  std::vector<size_t> places;
  size_t bytes = 0;
  const auto flush = [&]() -> Status {
    if (batch.empty()) return Status::Ok();
    RECALL_ASSIGN(const Vectors vectors, Ask(batch));
    for (size_t i = 0; i < vectors.size(); ++i) {
      RECALL_TRY(CopyUnitVector(vectors[i], out.subspan(places[i] * dim, dim))
                     .WithContext("a vector of " + endpoint_));
    }
    batch.clear();
    places.clear();
    bytes = 0;
    return Status::Ok();
  };
  for (size_t i = 0; i < texts.size(); ++i) {
    if (IsBlank(texts[i])) continue;
    if (batch.size() >= options_.batch_texts || bytes + texts[i].size() > options_.batch_bytes) {
      RECALL_TRY(flush());
    }
    batch.push_back(texts[i]);
    places.push_back(i);
    bytes += texts[i].size();
  }
  return flush();
}

Result<HttpEmbedder::Vectors> HttpEmbedder::Ask(std::span<const std::string_view> texts) {
  Json request = {{"model", options_.model}, {"input", Json::array()}};
  for (const std::string_view text : texts) {
    std::string repaired;
    AppendRepairedUtf8(text, &repaired);
    request["input"].push_back(std::move(repaired));
  }
  if (options_.protocol == EmbeddingProtocol::kOpenAi) request["encoding_format"] = "float";
  // The name of the model may be invalid UTF-8.
  RECALL_ASSIGN(const std::string answer,
                Post(request.dump(-1, ' ', false, Json::error_handler_t::replace)));
  return ReadAnswer(answer, texts.size());
}

Result<std::string> HttpEmbedder::Post(const std::string& body) {
  RECALL_ASSIGN(const std::string key, ReadKey(options_.key_variable));
  HttpPost request{endpoint_,
                   {"Content-Type: application/json", "Accept: application/json"},
                   body,
                   options_.timeout,
                   options_.most_answer_bytes,
                   options_.cancel,
                   IsThisMachine(HostOf(endpoint_))};
  if (!key.empty()) request.headers.push_back("Authorization: Bearer " + key);
  milliseconds wait = options_.first_wait;
  for (int attempt = 1;; ++attempt) {
    RECALL_TRY(CheckCancelled());
    HttpAnswer answer = client_->Post(request);
    if (answer.status >= 200 && answer.status < 300) return std::move(answer.body);
    RECALL_TRY(CheckCancelled());
    if (!answer.may_pass || attempt >= options_.attempts) return Fail(Failure(answer, key));
    const milliseconds wished = answer.retry_after;
    options_.wait(std::min(wished.count() > 0 ? wished : wait, options_.longest_wait));
    wait = std::min(2 * wait, options_.longest_wait);
  }
}

Status HttpEmbedder::CheckCancelled() const {
  const bool cancelled = options_.cancel && options_.cancel->load(std::memory_order_relaxed);
  return cancelled ? Status::Cancelled("interrupted") : Status::Ok();
}

Status HttpEmbedder::Failure(const HttpAnswer& answer, const std::string& key) const {
  if (answer.too_large) {
    return Status::LimitExceeded(
        endpoint_ + " returned more than " + std::to_string(options_.most_answer_bytes) + " bytes",
        "check that the URL is the URL of an embedding server");
  }
  if (answer.status == 0) {
    return Status::IoError(
        "cannot send a request to " + endpoint_ + ": " + Excerpt(answer.error, key),
        "check that the server is running and that the URL is correct");
  }
  const std::string message =
      endpoint_ + " answered " + std::to_string(answer.status) + ": " + Excerpt(answer.body, key);
  if (answer.status == 429 || answer.status == 503) {
    return Status::Busy(message, "try again later, or with smaller batches");
  }
  if (answer.status == 401 || answer.status == 403) {
    return Status::InvalidArgument(message, "check the key, which is read from the environment");
  }
  if (answer.status >= 400 && answer.status <= 499) {
    return Status::InvalidArgument(message, "check the URL and the model's name");
  }
  return Status::IoError(message, "check that the URL is the URL of an embedding server");
}

Status HttpEmbedder::Unreadable(const std::string& what) const {
  return Status::IoError("the response of " + endpoint_ + " " + what,
                         "check that the server speaks the protocol \"" + identity_.name + "\"");
}

Result<HttpEmbedder::Vectors> HttpEmbedder::ReadAnswer(const std::string& body,
                                                       size_t count) const {
  if (IsNestedTooDeep(body)) return Fail(Unreadable("is nested too deep"));
  // A tree takes up to 40 times the memory of its text, so it is cut off where it has more values
  // than the vectors can have.
  size_t values = 0;
  const size_t most_values = count * kMostEmbeddingDim + kMostOtherValues;
  const auto keep = [&](int, Json::parse_event_t, Json&) { return ++values <= most_values; };
  const Json root = Json::parse(body, keep, /*allow_exceptions=*/false);
  if (values > most_values) {
    return Fail(Unreadable("has more than " + std::to_string(most_values) + " values for " +
                           std::to_string(count) + " texts"));
  }
  if (!root.is_object()) return Fail(Unreadable("is not a JSON object"));
  const bool ollama = options_.protocol == EmbeddingProtocol::kOllama;
  const auto list = root.find(ollama ? "embeddings" : "data");
  if (list == root.end() || !list->is_array()) return Fail(Unreadable("has no vectors"));
  if (list->size() != count) {
    return Fail(Unreadable("has " + std::to_string(list->size()) + " vectors for " +
                           std::to_string(count) + " texts"));
  }
  Vectors vectors(count);
  std::vector<bool> seen(count);
  for (size_t i = 0; i < count; ++i) {
    const Json& item = (*list)[i];
    if (!ollama && (!item.is_object() || !item.contains("embedding"))) {
      return Fail(Unreadable("has no vectors"));
    }
    const size_t place = ollama ? i : PlaceOf(item, i);
    if (place >= count) return Fail(Unreadable("has a vector for a text that was not sent"));
    if (seen[place]) return Fail(Unreadable("has two vectors for one text"));
    seen[place] = true;
    const Status status = ReadVector(ollama ? item : item["embedding"], &vectors[place]);
    if (!status.ok()) {
      return Fail(Unreadable("has an invalid vector: " + std::string(status.message())));
    }
  }
  return vectors;
}

}  // namespace recall
