#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cli/server/http/http_server.h"
#include "cli/server/mcp/json_rpc.h"

namespace recall {

// The clients of GET /v1/events, and the events sent to them. A client that reads too slowly is
// disconnected by the server, and learns with `Last-Event-ID` that it has missed something.
// Thread-safe.
class EventHub final {
 public:
  // The token of the newest commit of each store, by the name of the store.
  using Commits = std::map<std::string, std::string>;

  // Begins a stream. `last_id`: the id of the last event that the client has seen; "": it is new.
  void Add(std::shared_ptr<HttpReply> client, std::string last_id);
  // Tells all clients of an event.
  void Publish(std::string_view event, const Json& data);
  bool has_clients() const;

  // Sends each new commit to the clients, and all of them to new clients. A client whose last
  // commit is not among them gets the event `lost` first: it may have missed something. `stores`:
  // the number of all stores, of which some may not be among `commits` yet.
  void PublishCommits(const Commits& commits, size_t stores);
  // Sends what clients ignore, so that no proxy takes the connection for dead, and forgets
  // those that are gone.
  void KeepAlive();

  // Ends all streams, and those that begin later at once.
  void Stop();
  // Waits until there is a client. Returns: false once it is stopped.
  bool WaitForClient();
  // Waits for some time, or until a client comes. Returns: false once it is stopped.
  bool Pause(std::chrono::milliseconds time);

 private:
  struct Client {
    std::shared_ptr<HttpReply> reply;
    std::string last_id;
    bool is_new = true;
  };

  mutable std::mutex mutex_;  // guards the following
  std::condition_variable changed_;
  std::vector<Client> clients_;
  Commits commits_;
  bool stopped_ = false;
};

}  // namespace recall
