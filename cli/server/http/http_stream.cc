#include "cli/server/http/http_stream.h"

#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>

namespace recall {
namespace {

constexpr size_t kMostUnsentBytes = size_t{4} << 20;
constexpr std::chrono::milliseconds kLingerTime{2'000};
constexpr size_t kDiscardedAtOnce = 4096;

}  // namespace

void HttpStream::Send(std::string bytes) {
  if (!is_open()) return;
  unsent_bytes_ += bytes.size();
  unsent_.push_back(std::move(bytes));
  if (unsent_.size() == 1) return SendNext();
  if (unsent_bytes_ > kMostUnsentBytes) Close();
}

void HttpStream::SendNext() {
  boost::asio::async_write(stream_, boost::asio::buffer(unsent_.front()),
                           Then([this](boost::system::error_code error, size_t) {
                             if (error) return Close();
                             unsent_bytes_ -= unsent_.front().size();
                             unsent_.pop_front();
                             unsent_.empty() ? Sent() : SendNext();
                           }));
}

void HttpStream::Linger() {
  boost::system::error_code ignored;
  stream_.socket().shutdown(Socket::shutdown_send, ignored);
  stream_.expires_after(kLingerTime);
  discarded_.resize(kDiscardedAtOnce);
  Discard();
}

void HttpStream::Discard() {
  stream_.async_read_some(
      boost::asio::buffer(discarded_),
      Then([this](boost::system::error_code error, size_t) { error ? Close() : Discard(); }));
}

bool HttpStream::PeerHasClosed() {
  char byte = 0;
  const ssize_t got = ::recv(stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

void HttpStream::CloseSocket() noexcept {
  boost::system::error_code ignored;
  stream_.socket().shutdown(Socket::shutdown_both, ignored);
  try {
    stream_.close();
  } catch (...) {  // it is closed with the last operation that refers to it
  }
}

}  // namespace recall
