#pragma once

#include <memory>
#include <mutex>
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
  std::unique_ptr<CommandRunner> runner;  // used on one thread of the watch only
  bool on_server = false;                 // a look may wait for another server
};

// Tells the clients of a hub of the commits of all processes, on threads of its own: one for all
// files, and one for each store on a server, so that nobody waits for a server that is silent.
// While there is a client they look ten times a second, at the write-ahead log of a file, and
// otherwise do nothing.
class CommitWatch final {
 public:
  // The hub must outlive it. Errors: IoError if no thread can be started.
  static Result<std::unique_ptr<CommitWatch>> Start(std::vector<WatchedStore> stores,
                                                    EventHub* hub);
  // Stops the hub.
  ~CommitWatch();

 private:
  explicit CommitWatch(EventHub* hub) : hub_(hub) {}
  Status StartThreadFor(std::vector<WatchedStore> stores, bool keeps_alive);
  // Looks at these stores, in turn. `keeps_alive`: this thread also calls EventHub::KeepAlive.
  void Run(const std::vector<WatchedStore>& stores, bool keeps_alive);

  EventHub* hub_;
  size_t stores_ = 0;
  std::mutex mutex_;
  EventHub::Commits commits_;  // of the stores that could be read; guarded by mutex_
  std::vector<std::thread> threads_;
};

// The token of the newest commit; "" if the store cannot be read.
std::string NewestCommit(CommandRunner& runner);

}  // namespace recall
