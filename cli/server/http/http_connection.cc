// A connection on Boost.Asio and Boost.Beast. See http_server.cc for the threads.
//
// Invariants. A connection has one request in flight, so answers keep their order. Memory for a
// connection is bounded by the limits of head and body, and that of a stream of events by
// kMostUnsentBytes: a client that reads too slowly is disconnected. A request that is refused or
// too large is answered before the connection is closed; what the client still sends is read for a
// while and discarded, because closing at once would make its system throw the answer away.
//
// Memory may run out anywhere. A handler that throws, and one that the library destroys without
// calling it, closes its connection (Pending); otherwise the client would wait for ever.

#include "cli/server/http/http_connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
// Asio 1.74 uses std::exchange without including it.
#include <utility>
//
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cerrno>
#include <charconv>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include "cli/server/http/body_file.h"
#include "cli/server/http/error_response.h"

namespace recall {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kMostUnsentBytes = size_t{4} << 20;
constexpr size_t kPartBytes = size_t{64} << 10;  // of a stored body
constexpr size_t kKeptBufferBytes = 4096;        // more is given back between requests
constexpr milliseconds kLingerTime{2'000};
constexpr milliseconds kMemoryPause{10};
constexpr std::string_view kDeadlineHeader = "x-recall-deadline-ms";

std::string PrintHead(int status, const std::string& content_type,
                      const std::vector<std::pair<std::string, std::string>>& headers) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + " ";
  head += http::obsolete_reason(static_cast<http::status>(status)).to_string();
  head += "\r\nContent-Type: " + content_type + "\r\nX-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : headers) head += name + ": " + value + "\r\n";
  return head;
}

HttpResponse Busy(int status, const std::string& message) {
  HttpResponse response = ErrorResponse(status, "busy", 5, message, "try again");
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

HttpResponse Late() {
  return ErrorResponse(504, "cancelled", 130, "the time for the request has passed",
                       "ask for less, or start the server with a longer --request-timeout");
}

HttpHead HeadOf(const http::request_header<>& message, const HttpOrigin& origin) {
  HttpHead head;
  head.method = std::string(message.method_string());
  const std::string target(message.target());
  const size_t question = std::min(target.find('?'), target.size());
  head.path = target.substr(0, question);
  head.query = target.substr(std::min(question + 1, target.size()));
  head.over_tcp = origin.over_tcp;
  head.port = origin.port;
  head.socket = origin.socket;
  for (const auto& field : message) {
    std::string name(field.name_string());
    std::ranges::transform(name, name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    head.headers.emplace_back(std::move(name), std::string(field.value()));
  }
  return head;
}

// The time that a request has for its answer; 0: no limit. Nothing if the header is no number of
// milliseconds.
std::optional<milliseconds> AnswerTime(const HttpHead& head, milliseconds limit) {
  const std::string_view text = head.Header(kDeadlineHeader);
  if (text.empty()) return limit;
  uint32_t given = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), given);
  if (error != std::errc() || end != text.data() + text.size() || given == 0) return std::nullopt;
  const milliseconds wanted(given);
  return limit.count() == 0 ? wanted : std::min(wanted, limit);
}

class Connection final : public HttpConnection, public std::enable_shared_from_this<Connection> {
 public:
  using Protocol = asio::generic::stream_protocol;
  using Socket = asio::basic_stream_socket<Protocol>;

  Connection(std::shared_ptr<HttpShared> shared, Socket socket, const HttpOrigin& origin)
      : shared_(std::move(shared)),
        stream_(std::move(socket)),
        deadline_(shared_->io),
        origin_(origin),
        place_(shared_->active.insert(shared_->active.end(), this)) {}
  ~Connection() override {
    EndRequest();
    (waits_ ? shared_->waiting : shared_->active).erase(place_);
    if (shared_->connections() == 0 && shared_->on_last_closed) shared_->on_last_closed();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Start() { ReadHead(); }
  // Answers without reading.
  void Refuse(HttpResponse response) { SendAndClose(std::move(response)); }

  bool idle() const override { return idle_; }
  void Close() noexcept override {
    boost::system::error_code ignored;
    stream_.socket().shutdown(Socket::shutdown_both, ignored);
    try {
      deadline_.cancel();
      stream_.close();
    } catch (...) {  // it is closed with the last operation that refers to it
    }
    MoveTo(false);
    EndRequest();
    Gone();
    in_flight_.reset();
  }

 private:
  using Self = std::shared_ptr<Connection>;

  // Keeps the connection alive for an operation, and closes it if that is never completed.
  class Pending final {
   public:
    explicit Pending(Self at) : at_(std::move(at)) {}
    ~Pending() {
      if (at_ && !at_->shared_->ended) at_->Close();
    }
    Pending(Pending&&) noexcept = default;
    Pending& operator=(Pending&&) = delete;
    Self Take() { return std::move(at_); }

   private:
    Self at_;
  };

  // The completion of an operation: `action` gets its results.
  template <typename Action>
  auto Then(Action action) {
    return [pending = Pending(shared_from_this()),
            action = std::move(action)](auto... results) mutable {
      const Self at = pending.Take();
      at->Safely([&] { action(*at, results...); });
    };
  }

  template <typename Action>
  void Safely(Action action) noexcept {
    try {
      action();
    } catch (...) {  // std::bad_alloc
      Close();
    }
  }

  // Calls `action` on the thread of the sockets, from any thread. Waits for memory. The connection
  // is handed over as a whole, because it must end on that thread.
  template <typename Action>
  static void PostSafely(Self at, Action action) {
    struct Call {
      Self at;
      std::optional<Action> action;
    };
    asio::io_context& io = at->shared_->io;
    std::shared_ptr<Call> call;
    for (;;) {
      try {
        if (!call) {
          call = std::make_shared<Call>();
          call->at = std::move(at);
          call->action.emplace(std::move(action));
        }
        return asio::post(io, [call] {
          const Self on = std::move(call->at);
          on->Safely([&] { (*call->action)(*on); });
        });
      } catch (const std::bad_alloc&) {
        std::this_thread::sleep_for(kMemoryPause);
      }
    }
  }

  // The answer to one request. It may outlive the connection.
  class Reply final : public HttpReply {
   public:
    explicit Reply(const Self& connection)
        : connection_(connection), request_(connection->requests_) {}

    void Send(HttpResponse response) override {
      Post([response = std::move(response)](Connection& at) mutable {
        at.SendResponse(std::move(response));
      });
    }
    void BeginEvents() override {
      Post([](Connection& at) { at.BeginEvents(); });
    }
    void Event(const std::vector<std::string>& lines) override {
      std::string event;
      for (const std::string& line : lines) event += line + "\n";
      event += "\n";
      Post([event = std::move(event)](Connection& at) mutable { at.SendRaw(std::move(event)); });
    }
    void EndEvents() override {
      Post([](Connection& at) { at.EndEvents(); });
    }
    bool client_is_gone() const override { return gone_; }
    void WhenClientGoes(std::function<void()> action) override {
      std::unique_lock lock(mutex_);
      if (!gone_) {
        action_ = std::move(action);
        return;
      }
      lock.unlock();
      if (action) action();
    }
    // The client has gone.
    void Go() {
      std::unique_lock lock(mutex_);
      gone_ = true;
      const std::function<void()> action = std::exchange(action_, nullptr);
      lock.unlock();
      if (action) action();
    }

   private:
    template <typename Action>
    void Post(Action action) {
      // The connection is kept alive by what is posted, so that it ends on its own thread.
      Self at = connection_.lock();
      if (!at) return;
      PostSafely(std::move(at),
                 [action = std::move(action), request = request_](Connection& on) mutable {
                   // What follows a complete answer must not become a part of the next one.
                   if (on.reply_ && on.requests_ == request) action(on);
                 });
    }

    const std::weak_ptr<Connection> connection_;
    const uint64_t request_;  // its number in the connection
    std::atomic<bool> gone_ = false;
    std::mutex mutex_;
    std::function<void()> action_;
  };

  // ---- Receiving --------------------------------------------------------------------------------

  void ReadHead() {
    streams_ = false;
    in_flight_.reset();
    if (shared_->stopping && buffer_.size() == 0) return Close();
    if (buffer_.size() == 0 && buffer_.capacity() > kKeptBufferBytes) buffer_.shrink_to_fit();
    head_parser_.emplace();
    head_parser_->header_limit(static_cast<uint32_t>(shared_->options.most_head_bytes));
    head_parser_->body_limit(UINT64_MAX);  // RefuseBody looks at it
    MoveTo(true);
    // Wait for the first byte as long as the client likes, and then for the head no longer than
    // this.
    if (buffer_.size() > 0) return ReadRestOfHead();
    idle_ = true;
    stream_.expires_after(shared_->options.idle_time);
    stream_.async_read_some(buffer_.prepare(1024),
                            Then([](Connection& at, boost::system::error_code error, size_t size) {
                              at.idle_ = false;
                              at.buffer_.commit(size);
                              error ? at.Close() : at.ReadRestOfHead();
                            }));
  }

  void ReadRestOfHead() {
    stream_.expires_after(shared_->options.head_time);
    http::async_read_header(stream_, buffer_, *head_parser_,
                            Then([](Connection& at, boost::system::error_code error, size_t) {
                              error ? at.FailRead(error) : at.TakeHead();
                            }));
  }

  void TakeHead() {
    MoveTo(false);
    BeginRequest();
    ++requests_;
    request_ = {};
    request_.head = HeadOf(head_parser_->get(), origin_);
    const HttpHead& head = request_.head;
    if (auto refusal = shared_->handler->Refuse(head)) return SendAndClose(*std::move(refusal));
    terms_ = shared_->handler->TermsOf(head);
    const HttpServerOptions& options = shared_->options;
    const auto time = AnswerTime(head, terms_.limited_time ? options.answer_time : milliseconds(0));
    if (!time) {
      return SendAndClose(ErrorResponse(400, "invalid_argument", 2,
                                        "X-Recall-Deadline-Ms must be a number of milliseconds",
                                        "for example 5000"));
    }
    if (auto refusal = RefuseBody()) return SendAndClose(*std::move(refusal));
    keep_alive_ = head_parser_->keep_alive();
    only_head_ = head.method == "HEAD";
    SetDeadline(*time);
    if (head.Header("expect") == "100-continue") SendRaw("HTTP/1.1 100 Continue\r\n\r\n");
    terms_.store_body ? BeginStoredBody() : ReadBody();
  }

  // Reserves what the body needs. Returns: the answer if it is too large, or others need too much.
  std::optional<HttpResponse> RefuseBody() {
    const HttpServerOptions& options = shared_->options;
    const uint64_t most = terms_.store_body ? options.most_stored_bytes : options.most_body_bytes;
    const bool chunked = head_parser_->chunked();
    const uint64_t size = chunked ? most : head_parser_->content_length().value_or(0);
    if (size > most) return TooLarge();
    if (terms_.store_body) {
      if (shared_->stored_bodies >= options.most_stored_bodies) {
        return Busy(503, "too many long bodies are being received");
      }
      ++shared_->stored_bodies;
      stores_ = true;
      return std::nullopt;
    }
    if (shared_->bytes_of_bodies + size > options.most_bytes_of_bodies) {
      return Busy(503, "too many bodies are being received");
    }
    reserved_ = static_cast<size_t>(size);
    shared_->bytes_of_bodies += reserved_;
    return std::nullopt;
  }

  static HttpResponse TooLarge() {
    return ErrorResponse(413, "limit_exceeded", 2, "the body of the request is too large",
                         "send it in parts");
  }

  void ReadBody() {
    body_parser_.emplace(std::move(*head_parser_));
    body_parser_->body_limit(shared_->options.most_body_bytes);
    stream_.expires_after(shared_->options.body_time);
    http::async_read(stream_, buffer_, *body_parser_,
                     Then([](Connection& at, boost::system::error_code error, size_t) {
                       if (at.late_) return at.SendAndClose(Late());
                       if (error) return at.FailRead(error);
                       at.request_.body = std::move(at.body_parser_->get().body());
                       at.body_parser_.reset();
                       at.TakeRequest();
                     }));
  }

  void BeginStoredBody() {
    auto file = BodyFile::Make(shared_->options.stored_directory);
    if (!file) return SendAndClose(CannotStore());
    file_ = *std::move(file);
    part_.resize(kPartBytes);
    part_parser_.emplace(std::move(*head_parser_));
    part_parser_->body_limit(shared_->options.most_stored_bytes);
    ReadPart();
  }

  static HttpResponse CannotStore() {
    return ErrorResponse(507, "io_error", 3, "the body of the request cannot be stored",
                         "nothing was added; is the disk of the server full?");
  }

  void ReadPart() {
    auto& body = part_parser_->get().body();
    body.data = part_.data();
    body.size = part_.size();
    body.more = true;
    stream_.expires_after(shared_->options.body_time);
    http::async_read(stream_, buffer_, *part_parser_,
                     Then([](Connection& at, boost::system::error_code error, size_t) {
                       if (at.late_) return at.SendAndClose(Late());
                       if (error && error != http::error::need_buffer) return at.FailRead(error);
                       at.StorePart();
                     }));
  }

  void StorePart() {
    stream_.expires_never();
    asio::post(*shared_->disk, [at = shared_from_this()]() mutable {
      const size_t size = at->part_.size() - at->part_parser_->get().body().size;
      bool stored = false;
      try {
        stored = at->file_->Append({at->part_.data(), size}).ok();
      } catch (const std::bad_alloc&) {  // of the text of an error
      }
      PostSafely(std::move(at), [stored](Connection& on) { on.TakeStoredPart(stored); });
    });
  }

  void TakeStoredPart(bool stored) {
    if (!stream_.socket().is_open()) return;
    if (late_) return SendAndClose(Late());
    if (!stored) return SendAndClose(CannotStore());
    if (!part_parser_->is_done()) return ReadPart();
    part_parser_.reset();
    part_ = {};
    request_.stored = std::move(file_);
    TakeRequest();
  }

  void FailRead(boost::system::error_code error) {
    if (error == http::error::header_limit) {
      return SendAndClose(ErrorResponse(431, "limit_exceeded", 2,
                                        "the head of the request is too large",
                                        "send fewer or shorter headers"));
    }
    if (error == http::error::body_limit) return SendAndClose(TooLarge());
    if (error == beast::error::timeout) {
      // The stream was closed with its timer.
      return Close();
    }
    if (error.category() == http::make_error_code(http::error::bad_version).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
      return SendAndClose(ErrorResponse(400, "invalid_argument", 2,
                                        "the request is not valid HTTP/1.1", "see RFC 9112"));
    }
    Close();
  }

  // ---- Answering --------------------------------------------------------------------------------

  void TakeRequest() {
    stream_.expires_never();
    reply_ = std::make_shared<Reply>(shared_from_this());
    if (terms_.answer) return SendResponse(*std::exchange(terms_.answer, std::nullopt));
    in_flight_ = shared_from_this();
    WatchClient();
    switch (shared_->jobs.Push({std::move(request_), reply_, origin_.client})) {
      case HttpJobQueue::Pushed::kYes:
        return;
      case HttpJobQueue::Pushed::kFull:
        return SendResponse(Busy(503, "too many requests are waiting"));
      case HttpJobQueue::Pushed::kClientFull:
        return SendResponse(Busy(429, "too many requests of this client are waiting"));
    }
  }

  // Notices that the client goes away while its request is answered.
  void WatchClient() {
    stream_.socket().async_wait(
        Socket::wait_read, [weak = weak_from_this(), request = requests_](auto error) {
          const Self at = weak.lock();
          if (error || !at || request != at->requests_ || !at->reply_) return;
          char byte = 0;
          const ssize_t got =
              ::recv(at->stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
          if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) at->Close();
          // Otherwise it sends its next request, and its going is noticed when that is read.
        });
  }

  void SetDeadline(milliseconds time) {
    late_ = false;
    if (time.count() == 0) return;
    deadline_.expires_after(time);
    deadline_.async_wait([weak = weak_from_this(), request = requests_](auto error) {
      const Self at = weak.lock();
      if (error || !at || request != at->requests_ || !at->counted_) return;
      at->Safely([&] { at->AnswerLate(); });
    });
  }

  // The time of the request has passed, and its answer has not begun.
  void AnswerLate() {
    const std::shared_ptr<Reply> reply = reply_;
    if (!reply) {  // the body is being received
      late_ = true;
      return stream_.cancel();
    }
    shared_->jobs.Drop(reply.get());
    SendResponse(Late());
    reply->Go();
  }

  void SendResponse(HttpResponse response) {
    if (streams_) return EndEvents();  // whoever answers could not finish it
    const bool close = !keep_alive_ || shared_->stopping;
    std::string bytes = PrintHead(response.status, response.content_type, response.headers);
    // That of 304 would be the length of the file that the client has.
    if (response.status != 304) {
      bytes += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
    }
    if (close) bytes += "Connection: close\r\n";
    bytes += "\r\n";
    if (!only_head_) bytes += response.body;
    response = {};
    EndRequest();
    reply_.reset();
    then_ = close ? After::kClose : After::kReadHead;
    stream_.expires_after(shared_->options.body_time);
    SendRaw(std::move(bytes));
  }

  void SendAndClose(HttpResponse response) {
    std::string bytes = PrintHead(response.status, response.content_type, response.headers);
    bytes += "Content-Length: " + std::to_string(response.body.size()) +
             "\r\nConnection: close\r\n\r\n" + response.body;
    EndRequest();
    then_ = After::kLinger;
    stream_.expires_after(shared_->options.head_time);
    SendRaw(std::move(bytes));
  }

  void BeginEvents() {
    if (std::exchange(streams_, true)) return;
    EndRequest();
    SendRaw(
        PrintHead(
            200, "text/event-stream",
            {{"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}, {"Connection", "close"}}) +
        "\r\n");
  }

  void EndEvents() {
    reply_.reset();
    then_ = After::kClose;
    if (unsent_.empty()) Finish();
  }

  // Sends bytes after those that were not sent yet.
  void SendRaw(std::string bytes) {
    if (!stream_.socket().is_open()) return;
    unsent_bytes_ += bytes.size();
    unsent_.push_back(std::move(bytes));
    if (unsent_.size() == 1) return SendNext();
    if (unsent_bytes_ > kMostUnsentBytes) Close();
  }

  void SendNext() {
    asio::async_write(stream_, asio::buffer(unsent_.front()),
                      Then([](Connection& at, boost::system::error_code error, size_t) {
                        if (error) return at.Close();
                        at.unsent_bytes_ -= at.unsent_.front().size();
                        at.unsent_.pop_front();
                        at.unsent_.empty() ? at.Finish() : at.SendNext();
                      }));
  }

  // Everything is sent.
  void Finish() {
    switch (std::exchange(then_, After::kWait)) {
      case After::kWait:
        return;
      case After::kReadHead:
        return ReadHead();
      case After::kClose:
        return Close();
      case After::kLinger:
        break;
    }
    boost::system::error_code ignored;
    stream_.socket().shutdown(Socket::shutdown_send, ignored);
    stream_.expires_after(kLingerTime);
    Discard();
  }

  void Discard() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(4096),
                            Then([](Connection& at, boost::system::error_code error, size_t) {
                              error ? at.Close() : at.Discard();
                            }));
  }

  // ---- Accounts ---------------------------------------------------------------------------------

  // Tells who answers that nobody listens any more.
  void Gone() noexcept {
    const std::shared_ptr<Reply> reply = std::move(reply_);
    if (!reply) return;
    try {
      shared_->jobs.Drop(reply.get());
      reply->Go();
    } catch (...) {  // it works on, and what it sends is discarded
    }
  }

  void BeginRequest() {
    if (!std::exchange(counted_, true)) ++shared_->requests;
    shared_->last_request = steady_clock::now();
  }
  // The answer has begun, or there will be none. May be called more than once.
  void EndRequest() noexcept {
    if (!std::exchange(counted_, false)) return;
    --shared_->requests;
    shared_->last_request = steady_clock::now();
    shared_->bytes_of_bodies -= std::exchange(reserved_, 0);
    if (std::exchange(stores_, false)) --shared_->stored_bodies;
    try {
      deadline_.cancel();
    } catch (...) {  // it finds that the request is over
    }
  }

  void MoveTo(bool waits) noexcept {
    if (waits == waits_) return;
    auto& from = waits_ ? shared_->waiting : shared_->active;
    auto& to = waits ? shared_->waiting : shared_->active;
    to.splice(to.end(), from, place_);
    waits_ = waits;
  }

  // What follows when everything is sent.
  enum class After { kWait, kReadHead, kClose, kLinger };

  const std::shared_ptr<HttpShared> shared_;
  beast::basic_stream<Protocol> stream_;
  asio::steady_timer deadline_;
  const HttpOrigin origin_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> head_parser_;
  std::optional<http::request_parser<http::string_body>> body_parser_;
  std::optional<http::request_parser<http::buffer_body>> part_parser_;
  std::shared_ptr<BodyFile> file_;
  std::vector<char> part_;
  HttpRequest request_;
  HttpTerms terms_;
  bool waits_ = false;    // for a whole head
  bool idle_ = false;     // nothing of the next request is received
  bool counted_ = false;  // a request is being received or answered
  bool stores_ = false;   // its body is one of stored_bodies
  bool late_ = false;     // its time has passed while its body was being received
  bool keep_alive_ = false;
  bool only_head_ = false;  // the request is HEAD
  bool streams_ = false;    // the answer is a stream of events
  size_t reserved_ = 0;     // bytes for the body
  uint64_t requests_ = 0;
  std::shared_ptr<Reply> reply_;  // until the answer is complete
  Self in_flight_;                // itself, while a worker answers and nothing else refers to it
  std::deque<std::string> unsent_;
  size_t unsent_bytes_ = 0;
  After then_ = After::kWait;
  std::list<HttpConnection*>::iterator place_;
};

}  // namespace

bool HttpShared::CloseLongestWaiting() {
  if (waiting.empty()) return false;
  waiting.front()->Close();
  return true;
}

void StartHttpConnection(const std::shared_ptr<HttpShared>& shared, int descriptor,
                         const HttpOrigin& origin, bool refuse) {
  Connection::Socket socket(shared->io);
  boost::system::error_code error;
  try {
    socket.assign({origin.over_tcp ? AF_INET : AF_UNIX, 0}, descriptor, error);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  if (error) {
    ::close(descriptor);
    return;
  }
  if (origin.over_tcp) {
    // Events are sent one by one.
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  }
  const auto connection = std::make_shared<Connection>(shared, std::move(socket), origin);
  refuse ? connection->Refuse(Busy(503, "too many connections are open")) : connection->Start();
}

}  // namespace recall
