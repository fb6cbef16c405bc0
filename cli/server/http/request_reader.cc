#include "cli/server/http/request_reader.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "cli/server/http/error_response.h"

namespace recall {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr size_t kPartBytes = size_t{64} << 10;  // of a stored body
constexpr size_t kKeptBufferBytes = 4096;        // a larger buffer is freed between requests

HttpHead HeadOf(const http::request_header<>& message) {
  HttpHead head;
  head.method = std::string(message.method_string());
  const std::string target(message.target());
  const size_t question = std::min(target.find('?'), target.size());
  head.path = target.substr(0, question);
  head.query = target.substr(std::min(question + 1, target.size()));
  for (const auto& field : message) {
    std::string name(field.name_string());
    std::ranges::transform(name, name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    head.headers.emplace_back(std::move(name), std::string(field.value()));
  }
  return head;
}

// Which message a request is must not be open to guesses, or a proxy before the server could see
// other requests than the server does (RFC 9112, sections 3.2, 6.1 and 11.2). Returns: what is
// ambiguous; "" if nothing is.
std::string AmbiguityOf(const http::request_header<>& message) {
  for (const http::field field : {http::field::host, http::field::origin,
                                  http::field::content_length, http::field::transfer_encoding}) {
    if (message.count(field) > 1)
      return "the request has two fields " + std::string(to_string(field));
  }
  const auto encoding = message.find(http::field::transfer_encoding);
  if (encoding == message.end()) return {};
  if (message.count(http::field::content_length) > 0) {
    return "the request has Content-Length and Transfer-Encoding";
  }
  if (!beast::iequals(encoding->value(), "chunked")) {
    return "the only Transfer-Encoding of requests is chunked";
  }
  return {};
}

HttpResponse CannotStore() {
  return ErrorResponse(507, "io_error", 3, "the body of the request cannot be stored",
                       "nothing was added; is the disk of the server full?");
}

}  // namespace

// Of the parsers only one exists at a time: that of the body continues that of the head.
struct RequestReader::State {
  beast::flat_buffer buffer;
  std::optional<http::request_parser<http::empty_body>> head;
  std::optional<http::request_parser<http::string_body>> body;
  std::optional<http::request_parser<http::buffer_body>> stored_body;
  std::vector<char> part;  // of a stored body
  std::shared_ptr<BodyFile> file;
};

RequestReader::RequestReader(HttpShared& shared, HttpStream& stream, RequestSink& sink)
    : shared_(shared), stream_(stream), sink_(sink), state_(std::make_unique<State>()) {}

RequestReader::~RequestReader() = default;

bool RequestReader::has_bytes() const { return state_->buffer.size() > 0; }

bool RequestReader::keep_alive() const { return state_->head->keep_alive(); }

uint64_t RequestReader::BodySize(uint64_t if_chunked) const {
  return state_->head->chunked() ? if_chunked : state_->head->content_length().value_or(0);
}

void RequestReader::ReadHead() {
  beast::flat_buffer& buffer = state_->buffer;
  interrupted_ = false;
  if (buffer.size() == 0 && buffer.capacity() > kKeptBufferBytes) buffer.shrink_to_fit();
  state_->head.emplace();
  state_->head->header_limit(static_cast<uint32_t>(shared_.options.most_head_bytes));
  state_->head->body_limit(UINT64_MAX);  // the limit is known when the head is
  if (has_bytes()) return ReadRestOfHead();
  idle_ = true;
  stream_.stream().expires_after(shared_.options.idle_time);
  stream_.stream().async_read_some(
      buffer.prepare(1024), stream_.Then([this](boost::system::error_code error, size_t size) {
        idle_ = false;
        state_->buffer.commit(size);
        error ? stream_.Close() : ReadRestOfHead();
      }));
}

void RequestReader::ReadRestOfHead() {
  stream_.stream().expires_after(shared_.options.head_time);
  http::async_read_header(stream_.stream(), state_->buffer, *state_->head,
                          stream_.Then([this](boost::system::error_code error, size_t) {
                            if (error) return Fail(error);
                            const std::string ambiguity = AmbiguityOf(state_->head->get());
                            if (!ambiguity.empty()) return Refuse(ambiguity);
                            sink_.TakeHead(HeadOf(state_->head->get()));
                          }));
}

void RequestReader::ReadBody() {
  state_->body.emplace(std::move(*state_->head));
  state_->body->body_limit(shared_.options.most_body_bytes);
  stream_.stream().expires_after(shared_.options.body_time);
  http::async_read(stream_.stream(), state_->buffer, *state_->body,
                   stream_.Then([this](boost::system::error_code error, size_t) {
                     if (interrupted_) return sink_.SendAndClose(LateResponse());
                     if (error) return Fail(error);
                     std::string body = std::move(state_->body->get().body());
                     state_->body.reset();
                     stream_.stream().expires_never();
                     sink_.TakeBody(std::move(body));
                   }));
}

void RequestReader::StoreBody() {
  auto file = BodyFile::Make(shared_.options.stored_directory);
  if (!file) return sink_.SendAndClose(CannotStore());
  state_->file = *std::move(file);
  state_->part.resize(kPartBytes);
  state_->stored_body.emplace(std::move(*state_->head));
  state_->stored_body->body_limit(shared_.options.most_stored_bytes);
  ReadPart();
}

void RequestReader::ReadPart() {
  auto& body = state_->stored_body->get().body();
  body.data = state_->part.data();
  body.size = state_->part.size();
  body.more = true;
  stream_.stream().expires_after(shared_.options.body_time);
  http::async_read(stream_.stream(), state_->buffer, *state_->stored_body,
                   stream_.Then([this](boost::system::error_code error, size_t) {
                     if (interrupted_) return sink_.SendAndClose(LateResponse());
                     if (error && error != http::error::need_buffer) return Fail(error);
                     StorePart();
                   }));
}

void RequestReader::StorePart() {
  stream_.stream().expires_never();
  // The reader is a part of the connection, which `at` keeps alive.
  boost::asio::post(*shared_.disk, [this, at = stream_.shared_from_this()]() mutable {
    const size_t size = state_->part.size() - state_->stored_body->get().body().size;
    bool stored = false;
    try {
      stored = state_->file->Append({state_->part.data(), size}).ok();
    } catch (const std::bad_alloc&) {  // of the text of an error
    }
    HttpStream::Post(std::move(at), [this, stored](HttpStream&) { TakeStoredPart(stored); });
  });
}

void RequestReader::TakeStoredPart(bool stored) {
  if (!stream_.is_open()) return;
  if (interrupted_) return sink_.SendAndClose(LateResponse());
  if (!stored) return sink_.SendAndClose(CannotStore());
  if (!state_->stored_body->is_done()) return ReadPart();
  state_->stored_body.reset();
  state_->part = {};
  stream_.stream().expires_never();
  sink_.TakeStoredBody(std::move(state_->file));
}

void RequestReader::Interrupt() {
  interrupted_ = true;
  stream_.stream().cancel();
}

void RequestReader::Fail(boost::system::error_code error) {
  if (error == http::error::header_limit) {
    return sink_.SendAndClose(ErrorResponse(431, "limit_exceeded", 2,
                                            "the head of the request is too large",
                                            "send fewer or shorter headers"));
  }
  if (error == http::error::body_limit) return sink_.SendAndClose(TooLargeResponse());
  // After a timeout the stream is closed already, so nothing can be sent.
  if (error == beast::error::timeout) return stream_.Close();
  if (error.category() == http::make_error_code(http::error::bad_version).category() &&
      error != http::error::end_of_stream && error != http::error::partial_message) {
    return Refuse("the request is not valid HTTP/1.1");
  }
  stream_.Close();
}

void RequestReader::Refuse(const std::string& why) {
  sink_.SendAndClose(ErrorResponse(400, "invalid_argument", 2, why, "see RFC 9112"));
}

}  // namespace recall
