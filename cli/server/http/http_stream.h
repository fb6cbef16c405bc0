#pragma once

// The socket of a connection.
//
// Memory may run out in any operation. A completion handler that throws, and one that the library
// destroys without calling it, closes the connection; otherwise its client would wait for ever.
//
// Used on the thread of the sockets, except Post.

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
// Asio 1.74 uses std::exchange without including it.
#include <utility>
//
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <vector>

#include "cli/server/http/http_shared.h"

namespace recall {

class HttpStream : public std::enable_shared_from_this<HttpStream> {
 public:
  using Protocol = boost::asio::generic::stream_protocol;
  using Socket = boost::asio::basic_stream_socket<Protocol>;

  HttpStream(std::shared_ptr<HttpShared> shared, Socket socket)
      : shared_(std::move(shared)), stream_(std::move(socket)) {}
  virtual ~HttpStream() = default;
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;

  virtual void Close() noexcept = 0;

  boost::beast::basic_stream<Protocol>& stream() { return stream_; }
  bool is_open() const { return stream_.socket().is_open(); }

  // The completion handler of an operation: calls `action` with its results. It keeps the
  // connection alive, and closes it if `action` throws or is never called.
  template <typename Action>
  auto Then(Action action) {
    return [pending = Pending(shared_from_this()),
            action = std::move(action)](auto... results) mutable {
      const std::shared_ptr<HttpStream> at = pending.Take();
      at->Safely([&] { action(results...); });
    };
  }

  // Calls `action`, and closes the connection if it throws std::bad_alloc.
  template <typename Action>
  void Safely(Action action) noexcept {
    try {
      action();
    } catch (...) {
      Close();
    }
  }

  // Calls `action` with the connection on the thread of the sockets. May be called on any thread;
  // waits until there is memory for the call. The caller gives up its reference, because the
  // connection must be destroyed on the thread of the sockets.
  template <typename Connection, typename Action>
  static void Post(std::shared_ptr<Connection> at, Action action) {
    struct Call {
      std::shared_ptr<Connection> at;
      std::optional<Action> action;
    };
    boost::asio::io_context& io = at->shared_->io;
    std::shared_ptr<Call> call;
    for (;;) {
      try {
        if (!call) {
          call = std::make_shared<Call>();
          call->at = std::move(at);
          call->action.emplace(std::move(action));
        }
        return boost::asio::post(io, [call] {
          const std::shared_ptr<Connection> on = std::move(call->at);
          on->Safely([&] { (*call->action)(*on); });
        });
      } catch (const std::bad_alloc&) {
        std::this_thread::sleep_for(kMemoryPause);
      }
    }
  }

  // Sends bytes after those that are not sent yet. Closes the connection if its client reads too
  // slowly (kMostUnsentBytes).
  void Send(std::string bytes);
  bool all_sent() const { return unsent_.empty(); }
  // Closes the connection after a while in which it discards what the client still sends. Closing
  // at once would make the system of the client throw the response away.
  void Linger();
  // Whether the client has closed its end. Requires: the socket is readable.
  bool PeerHasClosed();

 protected:
  // Called when everything is sent.
  virtual void Sent() = 0;
  // Closes the socket.
  void CloseSocket() noexcept;

  const std::shared_ptr<HttpShared> shared_;

 private:
  static constexpr std::chrono::milliseconds kMemoryPause{10};

  // Keeps the connection alive for an operation, and closes it if that is never completed.
  class Pending final {
   public:
    explicit Pending(std::shared_ptr<HttpStream> at) : at_(std::move(at)) {}
    ~Pending() {
      if (at_ && !at_->shared_->ended) at_->Close();
    }
    Pending(Pending&&) noexcept = default;
    Pending& operator=(Pending&&) = delete;
    std::shared_ptr<HttpStream> Take() { return std::move(at_); }

   private:
    std::shared_ptr<HttpStream> at_;
  };

  void SendNext();
  void Discard();

  boost::beast::basic_stream<Protocol> stream_;
  std::deque<std::string> unsent_;
  size_t unsent_bytes_ = 0;
  std::vector<char> discarded_;
};

}  // namespace recall
