#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/server/serve/event_hub.h"
#include "cli/server/tools/command_runner.h"

namespace recall {

// A store whose commits are watched.
struct WatchedStore {
  std::string name;
  std::string path;
  std::unique_ptr<CommandRunner> runner;  // used on the thread of the watch only
};

// Tells the clients of a hub of the commits of all processes, on a thread of its own. While there
// is a client it looks at the write-ahead log ten times a second, and otherwise does nothing.
class CommitWatch final {
 public:
  // The hub must outlive it. Errors: IoError if no thread can be started.
  static Result<std::unique_ptr<CommitWatch>> Start(std::vector<WatchedStore> stores,
                                                    EventHub* hub);
  // Stops the hub.
  ~CommitWatch();

 private:
  CommitWatch(std::vector<WatchedStore> stores, EventHub* hub)
      : stores_(std::move(stores)), hub_(hub) {}
  void Run();

  std::vector<WatchedStore> stores_;
  EventHub* hub_;
  std::thread thread_;
};

// The token of the newest commit; "" if the store cannot be read.
std::string NewestCommit(CommandRunner& runner);

}  // namespace recall
