// An HTTP server on Boost.Asio and Boost.Beast.
//
// One thread, that of Run, reads and writes all sockets; it never waits for an answer, nor for the
// disk. Requests that are complete go into a bounded queue, from which workers take them. A
// worker's answer is posted back to the thread of the sockets. Bodies that are stored are written
// by a thread of their own.
//
// Memory and descriptors may run out. A connection that cannot go on is closed (http_stream.h), and
// Serve starts everything else again.

#include "cli/server/http/http_server.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
// Asio 1.74 uses std::exchange without including it.
#include <utility>
//
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <list>
#include <new>
#include <thread>

#include "cli/server/http/error_response.h"
#include "cli/server/http/http_connection.h"
#include "cli/server/http/http_shared.h"
#include "cli/server/http/job_queue.h"
#include "cli/server/http/listening_socket.h"
#include "storage/base/heap.h"
#include "storage/base/socket_peer.h"
#include "storage/base/sockets.h"
#include "storage/base/thread_start.h"
#include "storage/base/wake_pipe.h"

namespace recall {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kAcceptPause{100};  // after an error such as too many open files
constexpr milliseconds kMemoryPause{10};
constexpr int kAcceptedAtOnce = 64;
constexpr size_t kOtherDescriptors = 128;  // for stores, models and files

// All TCP clients are one, as nothing tells them apart.
constexpr HttpClientId kTcpClient = 0;

// Identifies the process at the other end of a Unix socket. Returns: nothing if it belongs neither
// to the user of this process nor to root.
std::optional<HttpClientId> ClientOf(int socket) {
  const auto peer = PeerOfSocket(socket);
  if (!peer || (peer->user != ::geteuid() && peer->user != 0)) return std::nullopt;
  return static_cast<HttpClientId>(peer->process);
}

bool IsReadable(int descriptor) {
  pollfd polled{descriptor, POLLIN, 0};
  return ::poll(&polled, 1, 0) > 0;
}

// Returns: the number of connections that the limit on descriptors allows, at most `wanted`.
size_t MostConnections(size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const size_t descriptors = limit.rlim_cur;
  const size_t others = std::min(kOtherDescriptors, descriptors / 2);
  return std::max<size_t>(std::min(wanted, descriptors - others), 1);
}

// Accepts the connections of a socket.
class Listener final {
 public:
  Listener(const std::shared_ptr<HttpShared>& shared, ListeningSocket socket, size_t most)
      : shared_(shared),
        socket_(std::move(socket)),
        most_(most),
        origin_{.over_tcp = socket_.is_tcp(), .port = socket_.port(), .socket = socket_.path()},
        stream_(shared->io),
        pause_(shared->io) {}
  ~Listener() { Close(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const ListeningSocket& socket() const { return socket_; }

  // Waits for connections, unless it does already.
  void Accept() {
    if (waits_ || socket_.descriptor() < 0) return;
    if (!stream_.is_open()) {
      boost::system::error_code error;
      stream_.assign(socket_.descriptor(), error);
      if (!error) stream_.non_blocking(true, error);
      if (error) throw std::bad_alloc();
    }
    stream_.async_wait(asio::posix::stream_descriptor::wait_read, [this](auto error) {
      waits_ = false;
      if (!error && AcceptWaiting()) Accept();
    });
    waits_ = true;
  }

  void Close() {
    if (stream_.is_open()) stream_.release();
    socket_.Close();
    boost::system::error_code ignored;
    pause_.cancel(ignored);
  }

 private:
  // Accepts the connections that wait. Returns: false if it has to pause, because descriptors or
  // memory ran out.
  bool AcceptWaiting() {
    for (int i = 0; i < kAcceptedAtOnce; ++i) {
      const int fd = AcceptConnection(socket_.descriptor());
      if (fd >= 0) {
        Take(fd);
        continue;
      }
      if (errno == EAGAIN || errno == EWOULDBLOCK) return true;
      const bool shortage =
          errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
      if (!shortage) continue;  // an error of one connection, such as ECONNABORTED
      // The kernel looks for a free descriptor before it looks for a connection.
      if (!IsReadable(socket_.descriptor())) return true;
      // Without this, idle connections that hold the descriptors would lock everybody else out.
      shared_->CloseLongestWaiting();
      Pause();
      return false;
    }
    return true;
  }

  void Pause() {
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([this](auto stopped) {
      waits_ = false;
      if (!stopped) Accept();
    });
    waits_ = true;
  }

  // Serves the connection with this descriptor.
  void Take(int fd) {
    if (socket_.is_tcp()) return Start(fd, kTcpClient);
    const std::optional<HttpClientId> client = ClientOf(fd);
    client ? Start(fd, *client) : static_cast<void>(::close(fd));
  }

  void Start(int fd, HttpClientId client) {
    const bool full = shared_->connections() >= most_ && !shared_->CloseLongestWaiting();
    origin_.client = client;
    try {
      StartHttpConnection(shared_, fd, origin_, full);
    } catch (const std::bad_alloc&) {  // it is closed
      shared_->CloseLongestWaiting();
    }
  }

  const std::shared_ptr<HttpShared> shared_;
  ListeningSocket socket_;
  const size_t most_;
  HttpOrigin origin_;                      // of the present connection
  asio::posix::stream_descriptor stream_;  // of the descriptor of socket_
  asio::steady_timer pause_;
  bool waits_ = false;  // for a connection, or for the end of a pause
};

// Runs the thread that writes bodies to the disk, while the object exists.
class DiskThread final {
 public:
  explicit DiskThread(HttpShared& shared) : shared_(shared), work_(io_.get_executor()) {
    thread_ = StartThread([this] { io_.run(); });
    // If no thread can be started, the thread of the sockets writes.
    if (thread_) shared_.disk = &io_;
  }
  ~DiskThread() {
    shared_.disk = &shared_.io;
    work_.reset();
    if (thread_) thread_->join();
  }
  DiskThread(const DiskThread&) = delete;
  DiskThread& operator=(const DiskThread&) = delete;

 private:
  HttpShared& shared_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::optional<std::thread> thread_;
};

// Tells the queue when a job is answered.
class AnswerEnd final {
 public:
  AnswerEnd(HttpJobQueue& jobs, const std::string& waits_for)
      : jobs_(jobs), waits_for_(waits_for) {}
  ~AnswerEnd() { jobs_.Done(waits_for_); }
  AnswerEnd(const AnswerEnd&) = delete;
  AnswerEnd& operator=(const AnswerEnd&) = delete;

 private:
  HttpJobQueue& jobs_;
  const std::string waits_for_;
};

}  // namespace

class HttpServer::Impl final {
 public:
  Impl(const HttpServerOptions& options, HttpHandler* handler)
      : shared_(std::make_shared<HttpShared>(options, handler)),
        stop_stream_(shared_->io),
        stop_timer_(shared_->io),
        idle_timer_(shared_->io) {}
  ~Impl() {
    for (Listener& listener : listeners_) listener.Close();
    if (stop_stream_.is_open()) stop_stream_.release();
    // Connections that are still open refer to the io context.
    shared_->on_last_closed = nullptr;
    End();
    shared_->ended = true;
    shared_->io.restart();
    shared_->io.poll();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Status Listen() {
    if (!stop_pipe_.is_open()) return Status::IoError("cannot make a pipe");
    boost::system::error_code error;
    stop_stream_.assign(stop_pipe_.descriptor(), error);
    if (error) return Status::IoError(error.message());
    const HttpServerOptions& options = shared_->options;
    for (const int descriptor : options.adopted) {
      RECALL_ASSIGN(ListeningSocket socket, ListeningSocket::Adopt(descriptor));
      Add(std::move(socket));
    }
    for (const std::string& path : options.socket_paths) {
      RECALL_ASSIGN(ListeningSocket socket, ListeningSocket::AtPath(path));
      Add(std::move(socket));
    }
    if (options.port) {
      RECALL_ASSIGN(std::vector<ListeningSocket> sockets,
                    ListeningSocket::OnLoopback(*options.port));
      for (ListeningSocket& socket : sockets) Add(std::move(socket));
    }
    return {};
  }

  uint16_t port() const {
    const auto tcp = std::ranges::find_if(
        listeners_, [](const Listener& listener) { return listener.socket().is_tcp(); });
    return tcp == listeners_.end() ? 0 : tcp->socket().port();
  }
  std::string socket_path() const {
    const auto local = std::ranges::find_if(
        listeners_, [](const Listener& listener) { return !listener.socket().path().empty(); });
    return local == listeners_.end() ? "" : local->socket().path();
  }
  bool stopping() const { return shared_->stopping; }
  int stop_event() const { return stop_pipe_.wake_descriptor(); }

  Status Run() {
    std::vector<std::thread> workers;
    for (size_t i = 0; i < std::max<size_t>(shared_->options.workers, 1); ++i) {
      auto worker = StartThread([this, i] { Work(i); });
      if (worker) workers.push_back(*std::move(worker));
    }
    if (workers.empty()) return Status::IoError("cannot start a thread to answer requests");
    {
      const DiskThread disk(*shared_);
      Serve();
    }
    shared_->jobs.End();
    for (std::thread& worker : workers) worker.join();
    return {};
  }

  // Only writes to a descriptor, so signal handlers may call it.
  void Stop() { stop_pipe_.Wake(); }

 private:
  void Add(ListeningSocket socket) {
    listeners_.emplace_back(shared_, std::move(socket),
                            MostConnections(shared_->options.most_connections));
  }

  void Serve() {
    for (;;) {
      try {
        WaitForStop();
        WaitForIdle();
        for (Listener& listener : listeners_) listener.Accept();
        shared_->io.run();
        return;
      } catch (const std::bad_alloc&) {
        std::this_thread::sleep_for(kMemoryPause);
      }
    }
  }

  void Work(size_t worker) {
    // Otherwise memory that searches have freed stays with the process: tens of megabytes for each
    // worker.
    while (auto job = shared_->jobs.Pop(ReturnFreedMemory)) {
      const AnswerEnd end(shared_->jobs, job->waits_for);
      if (job->reply->client_is_gone()) continue;
      try {
        shared_->handler->Answer(worker, job->request, job->reply);
      } catch (const std::bad_alloc&) {
        job->request = {};
        AnswerThatMemoryLacks(*job->reply);
      }
    }
  }

  static void AnswerThatMemoryLacks(HttpReply& reply) {
    for (;;) {
      try {
        return reply.Send(ErrorResponse(503, "busy", 5, "not enough memory", "try again"));
      } catch (const std::bad_alloc&) {
        std::this_thread::sleep_for(kMemoryPause);
      }
    }
  }

  void WaitForStop() {
    if (awaits_stop_) return;
    stop_stream_.async_wait(asio::posix::stream_descriptor::wait_read, [this](auto error) {
      awaits_stop_ = false;
      if (error) return;
      if (const size_t count = stop_pipe_.Clear(); shared_->stopping || count > 1) return End();
      Drain();
      WaitForStop();
    });
    awaits_stop_ = true;
  }

  // Stops the server after idle_stop without a request.
  void WaitForIdle() {
    const milliseconds most = shared_->options.idle_stop;
    if (awaits_idle_ || most.count() == 0 || shared_->stopping) return;
    const auto now = steady_clock::now();
    idle_timer_.expires_at(shared_->requests > 0 ? now + most : shared_->last_request + most);
    idle_timer_.async_wait([this, most](auto error) {
      awaits_idle_ = false;
      if (error || shared_->stopping) return;
      const bool idle =
          shared_->requests == 0 && steady_clock::now() - shared_->last_request >= most;
      idle ? Drain() : WaitForIdle();
    });
    awaits_idle_ = true;
  }

  void Drain() {
    for (Listener& listener : listeners_) listener.Close();
    if (!shared_->stopping.exchange(true)) shared_->handler->Stopping();
    shared_->on_last_closed = [this] { shared_->io.stop(); };
    for (auto at = shared_->waiting.begin(); at != shared_->waiting.end();) {
      HttpConnection* const connection = *at++;
      if (connection->idle()) connection->Close();
    }
    if (shared_->connections() == 0) return shared_->io.stop();
    stop_timer_.expires_after(shared_->options.stop_time);
    stop_timer_.async_wait([this](auto error) {
      if (!error) End();
    });
  }

  // Closes all connections, which ends the requests in flight.
  void End() {
    if (!shared_->stopping.exchange(true)) shared_->handler->Stopping();
    while (shared_->CloseLongestWaiting()) {
    }
    for (auto at = shared_->active.begin(); at != shared_->active.end();) {
      HttpConnection* const connection = *at++;
      connection->Close();
    }
    shared_->io.stop();
  }

  const std::shared_ptr<HttpShared> shared_;
  const WakePipe stop_pipe_;
  asio::posix::stream_descriptor stop_stream_;  // on stop_pipe_, which owns the descriptor
  asio::steady_timer stop_timer_;
  asio::steady_timer idle_timer_;
  bool awaits_stop_ = false;
  bool awaits_idle_ = false;
  std::list<Listener> listeners_;
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
std::string HttpServer::socket_path() const { return impl_->socket_path(); }
Status HttpServer::Run() { return impl_->Run(); }
void HttpServer::Stop() { impl_->Stop(); }
int HttpServer::stop_event() const { return impl_->stop_event(); }
bool HttpServer::stopping() const { return impl_->stopping(); }

}  // namespace recall
