// MCP over standard input and output.
//
// The calling thread reads lines. It answers what must keep its order or must not wait, and puts
// the other requests into a queue, from which the workers take them. One mutex guards the queue,
// the table of running requests and the state of the connection; another one the output, so that a
// line is never mixed with another.
//
// Cancellation: a waiting request is taken out of the queue. A request that a worker answers is
// marked, and its service is asked to end it. The mark is read under the same mutex before the
// answer is sent, so no answer follows a cancellation that was read before it.

#include "cli/server/mcp/stdio_server.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/server/mcp/client_requests.h"
#include "cli/server/mcp/dispatcher.h"
#include "storage/base/thread_start.h"

namespace recall {
namespace {

constexpr size_t kMostWaitingBytes = size_t{64} << 20;

// Writes messages, a line each.
class LineOutput final {
 public:
  explicit LineOutput(int fd) : fd_(fd) {}

  void Write(const Json& message) {
    const std::string line = PrintJson(message) + "\n";
    const std::lock_guard lock(mutex_);
    std::string_view rest = line;
    while (!rest.empty() && error_ == 0) {
      const ssize_t written = ::write(fd_, rest.data(), rest.size());
      if (written >= 0) {
        rest.remove_prefix(static_cast<size_t>(written));
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
  }
  // Returns: errno of the first failure; 0 if there was none.
  int error() {
    const std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  const int fd_;
  std::mutex mutex_;
  int error_ = 0;
};

// Reads messages, a line each.
class LineInput final {
 public:
  explicit LineInput(int fd) : fd_(fd) {}

  struct Line {
    std::string text;
    bool too_long = false;  // the line was skipped
  };
  // Returns: the next line; nullopt at the end of the input, or if reading failed (error()).
  std::optional<Line> Next() {
    Line line;
    for (;;) {
      const size_t end = buffer_.find('\n', searched_);
      if (end != std::string::npos) {
        if (!line.too_long) line.text = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        searched_ = 0;
        return line;
      }
      searched_ = buffer_.size();
      if (buffer_.size() > kMostMessageBytes) {
        line.too_long = true;
        buffer_.clear();
        searched_ = 0;
      }
      if (!ReadMore()) {
        if (buffer_.empty() && !line.too_long) return std::nullopt;
        if (!line.too_long) line.text = std::move(buffer_);
        buffer_.clear();
        searched_ = 0;
        return line;
      }
    }
  }
  int error() const { return error_; }

 private:
  bool ReadMore() {
    constexpr size_t kBlock = 1 << 16;
    const size_t size = buffer_.size();
    buffer_.resize(size + kBlock);
    ssize_t got = 0;
    do {
      got = ::read(fd_, buffer_.data() + size, kBlock);
    } while (got < 0 && errno == EINTR);
    buffer_.resize(size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) error_ = errno;
    return got > 0;
  }

  const int fd_;
  std::string buffer_;
  size_t searched_ = 0;
  int error_ = 0;
};

// The responses of a batch. They are sent together.
struct Batch {
  std::mutex mutex;
  Json responses = Json::array();
  size_t expected = 0;  // responses still to come
};

struct Request {
  RpcMessage message;
  McpContext context;
  size_t bytes = 0;
  std::shared_ptr<Batch> batch;  // null: answered alone
};

class StdioServer final {
 public:
  StdioServer(const std::function<std::unique_ptr<McpService>()>& make_service,
              const StdioServerOptions& options)
      : input_(options.in), output_(options.out) {
    for (size_t i = 0; i < std::max<size_t>(options.workers, 1); ++i) {
      workers_.push_back(std::make_unique<Worker>());
      workers_.back()->service = make_service();
    }
    order_ = make_service();
  }

  Status Run() {
    std::vector<std::thread> threads;
    for (const auto& worker : workers_) {
      auto thread = StartThread([this, at = worker.get()] { Work(*at); });
      if (thread) threads.push_back(*std::move(thread));
    }
    if (threads.empty()) return Status::IoError("cannot start a thread to answer requests");
    while (output_.error() == 0) {
      auto line = input_.Next();
      if (!line) break;
      line->too_long ? RefuseLine() : Take(line->text);
    }
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    client_requests_.End();
    changed_.notify_all();
    for (std::thread& thread : threads) thread.join();
    if (input_.error() != 0) {
      return Status::IoError(std::string("cannot read requests: ") + std::strerror(input_.error()));
    }
    const int error = output_.error();
    if (error == 0 || error == EPIPE) return {};
    return Status::IoError(std::string("cannot write answers: ") + std::strerror(error));
  }

 private:
  struct Worker {
    std::unique_ptr<McpService> service;
    std::optional<Json> id;  // of the request that it answers
    std::atomic<bool> cancelled = false;
  };

  class Exchange final : public McpExchange {
   public:
    Exchange(const McpContext& context, const std::atomic<bool>* cancelled, LineOutput* output,
             ClientRequests* requests)
        : context_(context), cancelled_(cancelled), output_(output), requests_(requests) {}
    const McpContext& context() const override { return context_; }
    void Notify(std::string_view method, Json params) override {
      if (!cancelled()) output_->Write(RpcNotification(method, std::move(params)));
    }
    RpcAnswer Request(std::string_view method, Json params) override {
      if (requests_ == nullptr) return McpExchange::Request(method, std::move(params));
      return requests_->Ask(*this, method, std::move(params),
                            [this](const Json& request) { output_->Write(request); });
    }
    bool cancelled() const override { return cancelled_ != nullptr && cancelled_->load(); }

   private:
    const McpContext& context_;
    const std::atomic<bool>* cancelled_;
    LineOutput* output_;
    ClientRequests* requests_;  // null on the reading thread, which must not wait for a response
  };

  void RefuseLine() {
    output_.Write(RpcResponse(
        nullptr, RpcFailure(RpcCode::kInvalidRequest, "the message is longer than 4 MiB")));
  }

  void Take(const std::string& line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return;
    RpcMessages parsed = ParseRpcMessages(line);
    std::shared_ptr<Batch> batch;
    if (parsed.batch && agreed_ != "2025-03-26") {
      output_.Write(RpcResponse(
          nullptr, RpcFailure(RpcCode::kInvalidRequest, "this revision has no batches")));
      return;
    }
    if (parsed.batch) {
      batch = std::make_shared<Batch>();
      batch->expected = static_cast<size_t>(
          std::ranges::count_if(parsed.messages, [](const ParsedRpcMessage& message) {
            return !message || message->kind == RpcMessage::Kind::kRequest;
          }));
    }
    for (ParsedRpcMessage& message : parsed.messages) {
      if (!message) {
        Send(RpcResponse(message.error().id, tl::unexpected(message.error().error)), batch);
      } else if (message->kind == RpcMessage::Kind::kRequest) {
        TakeRequest({*std::move(message), {}, line.size(), batch});
      } else if (message->kind == RpcMessage::Kind::kResponse) {
        client_requests_.Take(*std::move(message));
      } else if (message->method == "notifications/cancelled") {
        Cancel(JsonMember(message->params, "requestId"));
      }
    }
  }

  void TakeRequest(Request request) {
    auto context = ContextOf(request.message, agreed_);
    if (!context) {
      Send(RpcResponse(request.message.id, tl::unexpected(context.error())), request.batch);
      return;
    }
    request.context = *std::move(context);
    const std::string& method = request.message.method;
    if (method == "initialize" || method == "ping") {
      const bool agrees = method == "initialize" && request.context.era == McpEra::kLegacy;
      if (agrees) agreed_ = request.context.revision;
      Exchange exchange(request.context, nullptr, &output_, nullptr);
      Send(RpcResponse(request.message.id, Dispatch(*order_, request.message, exchange)),
           request.batch);
      return;
    }
    std::unique_lock lock(mutex_);
    if (IsKnown(request.message.id)) {
      lock.unlock();
      Send(RpcResponse(request.message.id,
                       RpcFailure(RpcCode::kInvalidRequest, "a request with this id is running")),
           request.batch);
      return;
    }
    changed_.wait(lock, [&] { return waiting_bytes_ < kMostWaitingBytes; });
    waiting_bytes_ += request.bytes;
    waiting_.push_back(std::move(request));
    lock.unlock();
    changed_.notify_all();
  }

  // Requires: mutex_ is held.
  bool IsKnown(const Json& id) const {
    return std::ranges::any_of(waiting_,
                               [&](const Request& request) { return request.message.id == id; }) ||
           std::ranges::any_of(workers_, [&](const auto& worker) { return worker->id == id; });
  }

  void Cancel(const Json& id) {
    if (id.is_null()) return;
    std::unique_lock lock(mutex_);
    const auto waiting = std::ranges::find_if(
        waiting_, [&](const Request& request) { return request.message.id == id; });
    if (waiting != waiting_.end()) {
      waiting_bytes_ -= waiting->bytes;
      const std::shared_ptr<Batch> batch = std::move(waiting->batch);
      waiting_.erase(waiting);
      lock.unlock();
      if (batch) Send(nullptr, batch);
      return;
    }
    for (const auto& worker : workers_) {
      if (worker->id != id) continue;
      worker->cancelled = true;
      worker->service->Cancel();
    }
    client_requests_.Wake();
  }

  void Work(Worker& worker) {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const Request request = std::move(waiting_.front());
      waiting_.pop_front();
      waiting_bytes_ -= request.bytes;
      worker.id = request.message.id;
      worker.cancelled = false;
      worker.service->Begin();
      lock.unlock();
      changed_.notify_all();

      Exchange exchange(request.context, &worker.cancelled, &output_, &client_requests_);
      const RpcAnswer answer = AnswerSafely(*worker.service, request.message, exchange);
      lock.lock();
      worker.id.reset();
      const bool cancelled = worker.cancelled;
      lock.unlock();
      if (!cancelled) {
        Send(RpcResponse(request.message.id, answer), request.batch);
      } else if (request.batch) {
        Send(nullptr, request.batch);
      }
    }
  }

  static RpcAnswer AnswerSafely(McpService& service, const RpcMessage& message,
                                McpExchange& exchange) {
    try {
      return Dispatch(service, message, exchange);
    } catch (const std::bad_alloc&) {
      return RpcFailure(RpcCode::kInternalError, "not enough memory");
    }
  }

  // Sends a response, at once or when its batch is complete. null stands for a cancelled request.
  void Send(const Json& response, const std::shared_ptr<Batch>& batch) {
    if (!batch) return output_.Write(response);
    const std::lock_guard lock(batch->mutex);
    if (!response.is_null()) batch->responses.push_back(response);
    if (--batch->expected == 0 && !batch->responses.empty()) output_.Write(batch->responses);
  }

  LineInput input_;
  LineOutput output_;
  std::unique_ptr<McpService> order_;  // for what the reading thread answers
  std::string agreed_;                 // the revision; used by the reading thread only
  ClientRequests client_requests_;

  std::mutex mutex_;  // guards the following, and Worker::id
  std::condition_variable changed_;
  std::deque<Request> waiting_;
  size_t waiting_bytes_ = 0;
  bool ended_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

Status ServeStdio(const std::function<std::unique_ptr<McpService>()>& make_service,
                  const StdioServerOptions& options) {
  return StdioServer(make_service, options).Run();
}

}  // namespace recall
