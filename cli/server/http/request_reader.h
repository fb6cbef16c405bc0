#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cli/server/http/body_file.h"
#include "cli/server/http/http_shared.h"
#include "cli/server/http/http_stream.h"

namespace recall {

// Receives what RequestReader reads.
class RequestSink {
 public:
  virtual ~RequestSink() = default;
  // The head is complete, without what only the connection knows (HttpOrigin). Its body is read
  // when ReadBody or StoreBody is called.
  virtual void TakeHead(HttpHead head) = 0;
  virtual void TakeBody(std::string body) = 0;
  virtual void TakeStoredBody(std::shared_ptr<BodyFile> body) = 0;
  // The rest of the request is not read: this is the response, after which the connection must be
  // closed.
  virtual void SendAndClose(HttpResponse response) = 0;
};

// Reads the requests of a connection, one after the other. Memory for a request is bounded by the
// limits of HttpServerOptions. Used on the thread of the sockets.
class RequestReader final {
 public:
  // All must outlive the reader, and belong to one connection.
  RequestReader(HttpShared& shared, HttpStream& stream, RequestSink& sink);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Reads the head of the next request: waits for its first byte for idle_time, and then for the
  // rest for head_time.
  void ReadHead();
  // Whether bytes of the next request were received together with the last one.
  bool has_bytes() const;
  // Whether it waits for the first byte of a request.
  bool idle() const { return idle_; }

  // Of the head that was read last. The size of a chunked body is not known: `if_chunked`.
  uint64_t BodySize(uint64_t if_chunked) const;
  bool keep_alive() const;

  // Reads the body that follows the head, into memory or into a file.
  void ReadBody();
  void StoreBody();
  // Ends the reading of the body, because the time for the answer has passed.
  void Interrupt();

 private:
  struct State;

  void ReadRestOfHead();
  void ReadPart();
  void StorePart();
  void TakeStoredPart(bool stored);
  void Fail(boost::system::error_code error);
  // Answers with 400.
  void Refuse(const std::string& why);

  HttpShared& shared_;
  HttpStream& stream_;
  RequestSink& sink_;
  const std::unique_ptr<State> state_;
  bool idle_ = false;
  bool interrupted_ = false;
};

}  // namespace recall
