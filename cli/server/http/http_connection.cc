// A connection on Boost.Asio and Boost.Beast. See http_server.cc for the threads.
//
// RequestReader reads requests and HttpStream sends bytes; this file is the conversation: which
// response a request gets, when, and what follows it.
//
// Invariants. A connection has one request in flight, so answers keep their order. Memory for a
// connection is bounded: by the limits of head and body, and for a stream of events by the limit
// on unsent bytes. A request that is refused or too large is answered before the connection is
// closed (HttpStream::Linger).

#include "cli/server/http/http_connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/status.hpp>
#include <charconv>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "cli/server/http/error_response.h"
#include "cli/server/http/http_stream.h"
#include "cli/server/http/request_account.h"
#include "cli/server/http/request_reader.h"

namespace recall {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using std::chrono::milliseconds;

constexpr std::string_view kDeadlineHeader = "x-recall-deadline-ms";

std::string PrintHead(int status, const std::string& content_type,
                      const std::vector<std::pair<std::string, std::string>>& headers) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + " ";
  head += http::obsolete_reason(static_cast<http::status>(status)).to_string();
  head += "\r\nContent-Type: " + content_type + "\r\nX-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : headers) head += name + ": " + value + "\r\n";
  return head;
}

// The time for an answer: the lower of `limit` and what the client asks for. 0: no limit. Nothing
// if the header of the client is not a positive number of milliseconds.
std::optional<milliseconds> AnswerTime(const HttpHead& head, milliseconds limit) {
  const std::string_view text = head.Header(kDeadlineHeader);
  if (text.empty()) return limit;
  uint32_t given = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), given);
  if (error != std::errc() || end != text.data() + text.size() || given == 0) return std::nullopt;
  const milliseconds wanted(given);
  return limit.count() == 0 ? wanted : std::min(wanted, limit);
}

class Connection final : public HttpConnection, public HttpStream, private RequestSink {
 public:
  Connection(const std::shared_ptr<HttpShared>& shared, Socket socket, const HttpOrigin& origin)
      : HttpStream(shared, std::move(socket)),
        reader_(*shared, *this, *this),
        account_(*shared),
        deadline_(shared->io),
        origin_(origin),
        place_(shared->active.insert(shared->active.end(), this)) {}
  ~Connection() override {
    EndRequest();
    (waits_ ? shared_->waiting : shared_->active).erase(place_);
    if (shared_->connections() == 0 && shared_->on_last_closed) shared_->on_last_closed();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Start() { WaitForRequest(); }
  // Answers without reading.
  void Refuse(HttpResponse response) { SendAndClose(std::move(response)); }

  bool idle() const override { return reader_.idle(); }
  void Close() noexcept override {
    CloseSocket();
    MoveTo(false);
    EndRequest();
    NotifyWorker();
    in_flight_.reset();
  }

 private:
  using Self = std::shared_ptr<Connection>;

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
      Post([event = std::move(event)](Connection& at) mutable { at.Send(std::move(event)); });
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
    // Called when the client has gone.
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
      Self at = connection_.lock();
      if (!at) return;
      HttpStream::Post(std::move(at),
                       [action = std::move(action), request = request_](Connection& on) mutable {
                         // Nothing that is sent after a complete answer may become a part of the
                         // next one.
                         if (on.reply_ && on.requests_ == request) action(on);
                       });
    }

    const std::weak_ptr<Connection> connection_;
    const uint64_t request_;  // its number in the connection
    std::atomic<bool> gone_ = false;
    std::mutex mutex_;
    std::function<void()> action_;
  };

  Self SharedThis() { return std::static_pointer_cast<Connection>(shared_from_this()); }

  // ---- Requests ---------------------------------------------------------------------------------

  void WaitForRequest() {
    streams_ = false;
    in_flight_.reset();
    if (shared_->stopping && !reader_.has_bytes()) return Close();
    MoveTo(true);
    reader_.ReadHead();
  }

  void TakeHead(HttpHead taken) override {
    MoveTo(false);
    account_.Begin();
    ++requests_;
    request_ = {};
    HttpHead& head = request_.head = std::move(taken);
    head.over_tcp = origin_.over_tcp;
    head.port = origin_.port;
    head.socket = origin_.socket;
    if (auto refusal = shared_->handler->Refuse(head)) return SendAndClose(*std::move(refusal));
    terms_ = shared_->handler->TermsOf(head);
    const milliseconds limit = terms_.limited_time ? shared_->options.answer_time : milliseconds(0);
    const std::optional<milliseconds> time = AnswerTime(head, limit);
    if (!time) {
      return SendAndClose(ErrorResponse(400, "invalid_argument", 2,
                                        "X-Recall-Deadline-Ms must be a number of milliseconds",
                                        "for example 5000"));
    }
    if (auto refusal = ReserveBody()) return SendAndClose(*std::move(refusal));
    keep_alive_ = reader_.keep_alive();
    only_head_ = head.method == "HEAD";
    SetDeadline(*time);
    if (head.Header("expect") == "100-continue") Send("HTTP/1.1 100 Continue\r\n\r\n");
    terms_.store_body ? reader_.StoreBody() : reader_.ReadBody();
  }

  // Reserves what the body needs. Returns: the response if it is too large, or if others need too
  // much.
  std::optional<HttpResponse> ReserveBody() {
    const HttpServerOptions& options = shared_->options;
    const uint64_t most = terms_.store_body ? options.most_stored_bytes : options.most_body_bytes;
    const uint64_t size = reader_.BodySize(most);
    if (size > most) return TooLargeResponse();
    return terms_.store_body ? account_.ReserveFile()
                             : account_.ReserveMemory(static_cast<size_t>(size));
  }

  void TakeBody(std::string body) override {
    request_.body = std::move(body);
    TakeRequest();
  }
  void TakeStoredBody(std::shared_ptr<BodyFile> body) override {
    request_.stored = std::move(body);
    TakeRequest();
  }

  void TakeRequest() {
    reply_ = std::make_shared<Reply>(SharedThis());
    if (terms_.answer) return SendResponse(*std::exchange(terms_.answer, std::nullopt));
    in_flight_ = SharedThis();
    WatchClient();
    switch (shared_->jobs.Push({std::move(request_), reply_, origin_.client, terms_.waits_for})) {
      case HttpJobQueue::Pushed::kYes:
        return;
      case HttpJobQueue::Pushed::kFull:
        return SendResponse(BusyResponse(503, "too many requests are waiting"));
      case HttpJobQueue::Pushed::kClientFull:
        return SendResponse(BusyResponse(429, "too many requests of this client are waiting"));
    }
  }

  // Closes the connection if the client goes away while its request is answered. If the client
  // sends its next request instead, its going away is noticed when that is read.
  void WatchClient() {
    stream().socket().async_wait(Socket::wait_read, [weak = std::weak_ptr<Connection>(SharedThis()),
                                                     request = requests_](auto error) {
      const Self at = weak.lock();
      if (error || !at || request != at->requests_ || !at->reply_) return;
      if (at->PeerHasClosed()) at->Close();
    });
  }

  void SetDeadline(milliseconds time) {
    if (time.count() == 0) return;
    deadline_.expires_after(time);
    deadline_.async_wait(
        [weak = std::weak_ptr<Connection>(SharedThis()), request = requests_](auto error) {
          const Self at = weak.lock();
          if (error || !at || request != at->requests_ || !at->account_.is_open()) return;
          at->Safely([&] { at->AnswerLate(); });
        });
  }

  // Called when the time of a request has passed before its answer has begun.
  void AnswerLate() {
    const std::shared_ptr<Reply> reply = reply_;
    if (!reply) return reader_.Interrupt();  // the body is still being received
    shared_->jobs.Drop(reply.get());
    SendResponse(LateResponse(terms_.waits_for));
    reply->Go();
  }

  // ---- Answers ----------------------------------------------------------------------------------

  void SendResponse(HttpResponse response) {
    if (streams_) return EndEvents();  // the answer began as events and could not be finished
    const bool close = !keep_alive_ || shared_->stopping;
    std::string bytes = PrintHead(response.status, response.content_type, response.headers);
    // With 304 it would be the length of the file that the client has.
    if (response.status != 304) {
      bytes += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
    }
    if (close) bytes += "Connection: close\r\n";
    bytes += "\r\n";
    if (!only_head_) bytes += response.body;
    response = {};
    EndRequest();
    reply_.reset();
    then_ = close ? After::kClose : After::kNextRequest;
    stream().expires_after(shared_->options.body_time);
    Send(std::move(bytes));
  }

  void SendAndClose(HttpResponse response) override {
    std::string bytes = PrintHead(response.status, response.content_type, response.headers);
    bytes += "Content-Length: " + std::to_string(response.body.size()) +
             "\r\nConnection: close\r\n\r\n" + response.body;
    EndRequest();
    then_ = After::kLinger;
    stream().expires_after(shared_->options.head_time);
    Send(std::move(bytes));
  }

  void BeginEvents() {
    if (std::exchange(streams_, true)) return;
    EndRequest();
    Send(
        PrintHead(
            200, "text/event-stream",
            {{"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}, {"Connection", "close"}}) +
        "\r\n");
  }

  void EndEvents() {
    reply_.reset();
    then_ = After::kClose;
    if (all_sent()) Sent();
  }

  void Sent() override {
    switch (std::exchange(then_, After::kWait)) {
      case After::kWait:
        return;
      case After::kNextRequest:
        return WaitForRequest();
      case After::kClose:
        return Close();
      case After::kLinger:
        return Linger();
    }
  }

  // Called when the response has started or will never be sent. A second call does nothing.
  void EndRequest() noexcept {
    if (!account_.is_open()) return;
    account_.End();
    try {
      deadline_.cancel();
    } catch (...) {  // the deadline finds that the request is over
    }
  }

  // Drops the request from the queue, or tells the worker that answers it that the client has gone.
  void NotifyWorker() noexcept {
    const std::shared_ptr<Reply> reply = std::move(reply_);
    if (!reply) return;
    try {
      shared_->jobs.Drop(reply.get());
      reply->Go();
    } catch (...) {  // the worker goes on, and what it sends is discarded
    }
  }

  // Moves the connection to the list of those that wait for a head, or to that of the others.
  void MoveTo(bool waits) noexcept {
    if (waits == waits_) return;
    auto& from = waits_ ? shared_->waiting : shared_->active;
    auto& to = waits ? shared_->waiting : shared_->active;
    to.splice(to.end(), from, place_);
    waits_ = waits;
  }

  // What follows when everything is sent.
  enum class After { kWait, kNextRequest, kClose, kLinger };

  RequestReader reader_;
  RequestAccount account_;
  asio::steady_timer deadline_;
  const HttpOrigin origin_;
  std::list<HttpConnection*>::iterator place_;  // in `waiting` or `active` of HttpShared
  bool waits_ = false;                          // in `waiting`
  HttpRequest request_;
  HttpTerms terms_;
  bool keep_alive_ = false;
  bool only_head_ = false;        // the request is HEAD
  bool streams_ = false;          // the answer is a stream of events
  uint64_t requests_ = 0;         // number of requests so far
  std::shared_ptr<Reply> reply_;  // until the answer is complete
  Self in_flight_;                // itself, while a worker answers and nothing else refers to it
  After then_ = After::kWait;
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
    // Events are small and must not wait for one another.
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  }
  const auto connection = std::make_shared<Connection>(shared, std::move(socket), origin);
  refuse ? connection->Refuse(BusyResponse(503, "too many connections are open"))
         : connection->Start();
}

}  // namespace recall
