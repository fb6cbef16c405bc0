// An HTTP server on Boost.Asio and Boost.Beast.
//
// One thread, that of Run, reads and writes all sockets; it never waits for an answer. Requests
// that are complete go into a bounded queue, from which workers take them. A worker's answer is
// posted back to the thread of the sockets.
//
// Invariants. A connection has one request in flight, so answers keep their order. Memory for a
// connection is bounded by the limits of head and body, and that of a stream of events by
// kMostUnsentBytes: a client that reads too slowly is disconnected. A request that is refused or
// too large is answered before the connection is closed; what the client still sends is read for a
// while and discarded, because closing at once would make its system throw the answer away.

#include "cli/http/http_server.h"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
// Asio 1.74 uses std::exchange without including it.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <list>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "storage/base/thread_start.h"

namespace recall {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using std::chrono::milliseconds;

constexpr size_t kMostUnsentBytes = size_t{4} << 20;
constexpr milliseconds kLingerTime{2'000};
constexpr milliseconds kAcceptPause{100};  // after an error such as too many open files

std::string PrintHead(int status, const std::string& content_type,
                      const std::vector<std::pair<std::string, std::string>>& headers) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + " ";
  head += http::obsolete_reason(static_cast<http::status>(status)).to_string();
  head += "\r\nContent-Type: " + content_type + "\r\nX-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : headers) head += name + ": " + value + "\r\n";
  return head;
}

HttpResponse PlainError(int status, const std::string& code, const std::string& message,
                        const std::string& hint) {
  HttpResponse response;
  response.status = status;
  response.body = "{\"ok\":false,\"schema_version\":\"2\",\"error\":{\"code\":\"" + code +
                  "\",\"message\":\"" + message + "\",\"hint\":\"" + hint + "\"}}\n";
  return response;
}

class OpenConnection;

// What a worker needs of a connection.
struct Job {
  HttpRequest request;
  std::shared_ptr<HttpReply> reply;
};

// The requests that wait for a worker.
class JobQueue final {
 public:
  explicit JobQueue(size_t most) : most_(most) {}

  bool Push(Job job) {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() >= most_) return false;
    jobs_.push_back(std::move(job));
    changed_.notify_one();
    return true;
  }
  // Waits for a job. Returns: nothing once it is ended and empty.
  std::optional<Job> Pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || !jobs_.empty(); });
    if (jobs_.empty()) return std::nullopt;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    return job;
  }
  void End() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

 private:
  const size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool ended_ = false;
};

// What all connections share. Used on the thread of the sockets, except the queue.
struct Shared {
  Shared(const HttpServerOptions& with, HttpHandler* answers)
      : options(with), handler(answers), jobs(with.most_waiting) {}

  const HttpServerOptions options;
  HttpHandler* const handler;
  asio::io_context io{1};
  JobQueue jobs;
  std::atomic<bool> stopping = false;
  std::set<OpenConnection*> connections;  // those that are open
  std::function<void()> on_last_closed;
};

// An open connection, whatever its protocol.
class OpenConnection {
 public:
  virtual ~OpenConnection() = default;
  // Closes the connection if no byte of a request has been received.
  virtual void CloseIfIdle() = 0;
  virtual void Close() = 0;
};

template <typename Protocol>
class Connection final : public OpenConnection,
                         public std::enable_shared_from_this<Connection<Protocol>> {
 public:
  using Socket = typename Protocol::socket;

  Connection(std::shared_ptr<Shared> shared, Socket socket, bool over_tcp)
      : shared_(std::move(shared)), stream_(std::move(socket)), over_tcp_(over_tcp) {
    shared_->connections.insert(this);
  }
  ~Connection() override {
    shared_->connections.erase(this);
    if (shared_->connections.empty() && shared_->on_last_closed) shared_->on_last_closed();
  }

  void Start() { ReadHead(); }

  // Answers without reading, because there are too many connections.
  void Refuse(HttpResponse response) { SendAndClose(std::move(response)); }

  void CloseIfIdle() override {
    if (idle_) Close();
  }
  void Close() override {
    boost::system::error_code ignored;
    stream_.socket().shutdown(Socket::shutdown_both, ignored);
    stream_.close();
    Gone();
  }

 private:
  using Self = std::shared_ptr<Connection>;

  // The answer to one request. It may outlive the connection.
  class Reply final : public HttpReply {
   public:
    explicit Reply(const Self& connection)
        : connection_(connection), io_(&connection->shared_->io), request_(connection->requests_) {}

    void Send(HttpResponse response) override {
      Post([response = std::move(response)](const Self& at) mutable {
        at->SendResponse(std::move(response));
      });
    }
    void BeginEvents() override {
      Post([](const Self& at) { at->BeginEvents(); });
    }
    void Event(const std::vector<std::string>& lines) override {
      std::string event;
      for (const std::string& line : lines) event += line + "\n";
      event += "\n";
      Post([event = std::move(event)](const Self& at) mutable { at->SendRaw(std::move(event)); });
    }
    void EndEvents() override {
      Post([](const Self& at) { at->EndEvents(); });
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
      if (Self at = connection_.lock()) {
        asio::post(*io_,
                   [at = std::move(at), action = std::move(action), request = request_]() mutable {
                     // What follows a complete answer must not become a part of the next one.
                     if (at->reply_ && at->requests_ == request) action(at);
                   });
      }
    }

    const std::weak_ptr<Connection> connection_;
    asio::io_context* const io_;
    const uint64_t request_;  // its number in the connection
    std::atomic<bool> gone_ = false;
    std::mutex mutex_;
    std::function<void()> action_;
  };

  void ReadHead() {
    busy_ = false;
    streams_ = false;
    if (shared_->stopping && buffer_.size() == 0) return Close();
    parser_.emplace();
    parser_->header_limit(static_cast<uint32_t>(shared_->options.most_head_bytes));
    parser_->body_limit(shared_->options.most_body_bytes);
    // Wait for the first byte as long as the client likes, and then for the head no longer than
    // this.
    if (buffer_.size() > 0) return ReadRestOfHead();
    idle_ = true;
    stream_.expires_after(shared_->options.idle_time);
    stream_.async_read_some(buffer_.prepare(1024),
                            [at = this->shared_from_this()](auto error, size_t size) {
                              at->idle_ = false;
                              at->buffer_.commit(size);
                              error ? at->Close() : at->ReadRestOfHead();
                            });
  }

  void ReadRestOfHead() {
    stream_.expires_after(shared_->options.head_time);
    http::async_read_header(stream_, buffer_, *parser_,
                            [at = this->shared_from_this()](auto error, size_t) {
                              error ? at->FailRead(error) : at->TakeHead();
                            });
  }

  void TakeHead() {
    const auto& message = parser_->get();
    HttpHead& head = request_.head;
    head = HttpHead();
    head.method = std::string(message.method_string());
    const std::string target(message.target());
    const size_t question = std::min(target.find('?'), target.size());
    head.path = target.substr(0, question);
    head.query = target.substr(std::min(question + 1, target.size()));
    head.over_tcp = over_tcp_;
    for (const auto& field : message) {
      std::string name(field.name_string());
      std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
      });
      head.headers.emplace_back(std::move(name), std::string(field.value()));
    }
    if (auto refusal = shared_->handler->Refuse(head)) return SendAndClose(*std::move(refusal));
    keep_alive_ = parser_->keep_alive();
    only_head_ = head.method == "HEAD";
    if (head.Header("expect") == "100-continue") {
      SendRaw("HTTP/1.1 100 Continue\r\n\r\n");
    }
    stream_.expires_after(shared_->options.body_time);
    http::async_read(stream_, buffer_, *parser_,
                     [at = this->shared_from_this()](auto error, size_t) {
                       error ? at->FailRead(error) : at->TakeRequest();
                     });
  }

  void FailRead(boost::system::error_code error) {
    if (error == http::error::header_limit) {
      return SendAndClose(PlainError(431, "limit_exceeded", "the head of the request is too large",
                                     "send fewer or shorter headers"));
    }
    if (error == http::error::body_limit) {
      return SendAndClose(PlainError(413, "limit_exceeded", "the body of the request is too large",
                                     "send it in parts"));
    }
    if (error == beast::error::timeout) {
      // The stream was closed with its timer.
      return Close();
    }
    if (error.category() == http::make_error_code(http::error::bad_version).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
      return SendAndClose(
          PlainError(400, "invalid_argument", "the request is not valid HTTP/1.1", "see RFC 9112"));
    }
    Close();
  }

  void TakeRequest() {
    request_.body = std::move(parser_->get().body());
    busy_ = true;
    ++requests_;
    stream_.expires_never();
    reply_ = std::make_shared<Reply>(this->shared_from_this());
    WatchClient();
    if (shared_->jobs.Push({std::move(request_), reply_})) return;
    HttpResponse full = PlainError(503, "busy", "too many requests are waiting", "try again");
    full.headers.emplace_back("Retry-After", "1");
    SendResponse(std::move(full));
  }

  // Notices that the client goes away while its request is answered.
  void WatchClient() {
    stream_.socket().async_wait(
        Socket::wait_read, [at = this->shared_from_this(), request = requests_](auto error) {
          if (error || request != at->requests_ || !at->busy_) return;
          char byte = 0;
          const ssize_t got =
              ::recv(at->stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
          if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) at->Close();
          // Otherwise it sends its next request, and its going is noticed when that is read.
        });
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
    reply_.reset();
    then_ = close ? Then::kClose : Then::kReadHead;
    stream_.expires_after(shared_->options.body_time);
    SendRaw(std::move(bytes));
  }

  void SendAndClose(HttpResponse response) {
    busy_ = true;
    std::string bytes = PrintHead(response.status, response.content_type, response.headers);
    bytes += "Content-Length: " + std::to_string(response.body.size()) +
             "\r\nConnection: close\r\n\r\n" + response.body;
    then_ = Then::kLinger;
    stream_.expires_after(shared_->options.head_time);
    SendRaw(std::move(bytes));
  }

  void BeginEvents() {
    if (std::exchange(streams_, true)) return;
    SendRaw(
        PrintHead(
            200, "text/event-stream",
            {{"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}, {"Connection", "close"}}) +
        "\r\n");
  }

  void EndEvents() {
    reply_.reset();
    then_ = Then::kClose;
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
                      [at = this->shared_from_this()](auto error, size_t) {
                        if (error) return at->Close();
                        at->unsent_bytes_ -= at->unsent_.front().size();
                        at->unsent_.pop_front();
                        at->unsent_.empty() ? at->Finish() : at->SendNext();
                      });
  }

  // Everything is sent.
  void Finish() {
    switch (std::exchange(then_, Then::kWait)) {
      case Then::kWait:
        return;
      case Then::kReadHead:
        return ReadHead();
      case Then::kClose:
        return Close();
      case Then::kLinger:
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
                            [at = this->shared_from_this()](auto error, size_t) {
                              error ? at->Close() : at->Discard();
                            });
  }

  // Tells who answers that nobody listens any more.
  void Gone() {
    if (const std::shared_ptr<Reply> reply = std::move(reply_)) reply->Go();
  }

  // What follows when everything is sent.
  enum class Then { kWait, kReadHead, kClose, kLinger };

  const std::shared_ptr<Shared> shared_;
  beast::basic_stream<Protocol> stream_;
  const bool over_tcp_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  HttpRequest request_;
  bool idle_ = false;  // nothing of the next request is received
  bool busy_ = false;  // a request is being answered
  bool keep_alive_ = false;
  bool only_head_ = false;  // the request is HEAD
  bool streams_ = false;    // the answer is a stream of events
  uint64_t requests_ = 0;
  std::shared_ptr<Reply> reply_;  // until the answer is complete
  std::deque<std::string> unsent_;
  size_t unsent_bytes_ = 0;
  Then then_ = Then::kWait;
};

template <typename Protocol>
class Listener final {
 public:
  Listener(std::shared_ptr<Shared> shared, bool over_tcp)
      : shared_(std::move(shared)),
        acceptor_(shared_->io),
        pause_(shared_->io),
        over_tcp_(over_tcp) {}

  typename Protocol::acceptor& acceptor() { return acceptor_; }

  void Accept() {
    acceptor_.async_accept([this](auto error, typename Protocol::socket socket) {
      if (!acceptor_.is_open()) return;
      if (error) {
        pause_.expires_after(kAcceptPause);
        pause_.async_wait([this](auto stopped) {
          if (!stopped) Accept();
        });
        return;
      }
      if (over_tcp_ || IsOwner(socket.native_handle())) Take(std::move(socket));
      Accept();
    });
  }

  void Close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel(ignored);
  }

 private:
  // Whether the process at the other end belongs to the user of this one, or to root.
  static bool IsOwner(int socket) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
    return peer.uid == ::geteuid() || peer.uid == 0;
  }

  void Take(typename Protocol::socket socket) {
    const bool full = shared_->connections.size() >= shared_->options.most_connections;
    const auto connection =
        std::make_shared<Connection<Protocol>>(shared_, std::move(socket), over_tcp_);
    if (!full) return connection->Start();
    HttpResponse response = PlainError(503, "busy", "too many connections are open", "try again");
    response.headers.emplace_back("Retry-After", "1");
    connection->Refuse(std::move(response));
  }

  std::shared_ptr<Shared> shared_;
  typename Protocol::acceptor acceptor_;
  asio::steady_timer pause_;
  const bool over_tcp_;
};

using Tcp = asio::ip::tcp;
using Local = asio::local::stream_protocol;

Status SocketError(const std::string& where, const std::string& why) {
  return Status::IoError("cannot listen on " + where + ": " + why, "choose another port or socket");
}

// Whether a server accepts connections on the socket.
bool IsServed(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const bool served =
      ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  ::close(fd);
  return served;
}

bool IsSocket(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode);
}

}  // namespace

std::string_view HttpHead::Header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

class HttpServer::Impl final {
 public:
  Impl(const HttpServerOptions& options, HttpHandler* handler)
      : shared_(std::make_shared<Shared>(options, handler)),
        stop_event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        stop_stream_(shared_->io),
        stop_timer_(shared_->io) {}
  ~Impl() {
    if (!socket_path_.empty()) ::unlink(socket_path_.c_str());
    // What is still open refers to the io context.
    shared_->on_last_closed = nullptr;
    End();
    shared_->io.restart();
    shared_->io.poll();
  }

  Status Listen() {
    if (stop_event_ < 0) return Status::IoError("cannot make an event descriptor");
    boost::system::error_code error;
    stop_stream_.assign(stop_event_, error);
    if (error) return Status::IoError(error.message());
    if (!shared_->options.socket_path.empty()) RECALL_TRY(ListenLocal());
    if (shared_->options.port) RECALL_TRY(ListenTcp());
    return {};
  }

  uint16_t port() const { return port_; }
  bool stopping() const { return shared_->stopping; }
  int stop_event() const { return stop_event_; }

  Status Run() {
    std::vector<std::thread> workers;
    for (size_t i = 0; i < std::max<size_t>(shared_->options.workers, 1); ++i) {
      auto worker = StartThread([this, i] { Work(i); });
      if (worker) workers.push_back(*std::move(worker));
    }
    if (workers.empty()) return Status::IoError("cannot start a thread to answer requests");
    WaitForStop();
    if (local_) local_->Accept();
    for (const auto& listener : tcp_) listener->Accept();
    shared_->io.run();
    shared_->jobs.End();
    for (std::thread& worker : workers) worker.join();
    return {};
  }

  // Only writes to a descriptor, so signal handlers may call it.
  void Stop() {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(stop_event_, &one, sizeof(one));
  }

 private:
  Status ListenLocal() {
    const std::string& path = shared_->options.socket_path;
    if (path.size() >= sizeof(sockaddr_un{}.sun_path)) {
      return Status::InvalidArgument("the path of the socket is too long: " + path,
                                     "it has at most 107 bytes");
    }
    if (IsServed(path)) {
      return Status::AlreadyExists("a server is listening on " + path, "stop it first");
    }
    if (IsSocket(path)) ::unlink(path.c_str());
    local_ = std::make_unique<Listener<Local>>(shared_, false);
    boost::system::error_code error;
    Local::acceptor& acceptor = local_->acceptor();
    acceptor.open(Local(), error);
    // The socket must never be open to others, not even for a moment.
    const mode_t mask = ::umask(0177);
    if (!error) acceptor.bind(Local::endpoint(path), error);
    ::umask(mask);
    if (!error) socket_path_ = path;
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    return error ? SocketError(path, error.message()) : Status::Ok();
  }

  Status ListenTcp() {
    uint16_t port = *shared_->options.port;
    const asio::ip::address addresses[] = {asio::ip::address_v4::loopback(),
                                           asio::ip::address_v6::loopback()};
    for (const asio::ip::address& address : addresses) {
      auto listener = std::make_unique<Listener<Tcp>>(shared_, true);
      boost::system::error_code error;
      Tcp::acceptor& acceptor = listener->acceptor();
      acceptor.open(address.is_v4() ? Tcp::v4() : Tcp::v6(), error);
      if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
      if (!error && address.is_v6()) acceptor.set_option(asio::ip::v6_only(true), error);
      if (!error) acceptor.bind({address, port}, error);
      if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
      if (error && address.is_v6()) continue;  // not every machine has it
      if (error) return SocketError("127.0.0.1:" + std::to_string(port), error.message());
      port = acceptor.local_endpoint().port();
      tcp_.push_back(std::move(listener));
    }
    port_ = port;
    return {};
  }

  void Work(size_t worker) {
    while (auto job = shared_->jobs.Pop()) {
      if (job->reply->client_is_gone()) continue;
      try {
        shared_->handler->Answer(worker, job->request, job->reply);
      } catch (const std::bad_alloc&) {
        job->reply->Send(PlainError(503, "busy", "not enough memory", "try again"));
      }
    }
  }

  void WaitForStop() {
    stop_stream_.async_wait(asio::posix::stream_descriptor::wait_read, [this](auto error) {
      if (error) return;
      uint64_t count = 0;
      [[maybe_unused]] const ssize_t got = ::read(stop_event_, &count, sizeof(count));
      if (shared_->stopping || count > 1) return End();
      Drain();
      WaitForStop();
    });
  }

  void Drain() {
    shared_->stopping = true;
    shared_->handler->Stopping();
    if (local_) local_->Close();
    for (const auto& listener : tcp_) listener->Close();
    const std::set<OpenConnection*> open = shared_->connections;
    for (OpenConnection* const connection : open) connection->CloseIfIdle();
    shared_->on_last_closed = [this] { shared_->io.stop(); };
    if (shared_->connections.empty()) return shared_->io.stop();
    stop_timer_.expires_after(shared_->options.stop_time);
    stop_timer_.async_wait([this](auto error) {
      if (!error) End();
    });
  }

  // Closes all connections, which ends the requests in flight.
  void End() {
    if (!shared_->stopping.exchange(true)) shared_->handler->Stopping();
    const std::set<OpenConnection*> late = shared_->connections;
    for (OpenConnection* const connection : late) connection->Close();
    shared_->io.stop();
  }

  std::shared_ptr<Shared> shared_;
  std::string socket_path_;  // once it is bound
  uint16_t port_ = 0;
  int stop_event_;
  asio::posix::stream_descriptor stop_stream_;  // owns stop_event_
  asio::steady_timer stop_timer_;
  std::unique_ptr<Listener<Local>> local_;
  std::vector<std::unique_ptr<Listener<Tcp>>> tcp_;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(const HttpServerOptions& options,
                                                       HttpHandler* handler) {
  auto impl = std::make_unique<Impl>(options, handler);
  RECALL_TRY(impl->Listen());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

uint16_t HttpServer::port() const { return impl_->port(); }
Status HttpServer::Run() { return impl_->Run(); }
void HttpServer::Stop() { impl_->Stop(); }
int HttpServer::stop_event() const { return impl_->stop_event(); }
bool HttpServer::stopping() const { return impl_->stopping(); }

}  // namespace recall
