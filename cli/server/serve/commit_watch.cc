#include "cli/server/serve/commit_watch.h"

#include <sys/stat.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

#include "cli/server/mcp/json_rpc.h"
#include "storage/base/file_times.h"
#include "storage/base/thread_start.h"

namespace recall {
namespace {

constexpr std::chrono::milliseconds kLookEvery{100};
constexpr int kLooksBetweenKeepAlives = 150;
constexpr int kLooksBetweenReads = 10;  // in case a change of the files cannot be seen

// What each write to a file changes, of the store and its write-ahead log.
using Trace = std::array<int64_t, 6>;

Trace TraceOf(const std::string& path) {
  Trace trace{};
  size_t at = 0;
  for (const std::string& file : {path, path + "-wal"}) {
    struct stat info {};
    if (::stat(file.c_str(), &info) == 0) {
      trace[at] = static_cast<int64_t>(info.st_ino);
      trace[at + 1] = info.st_size;
      trace[at + 2] = ModifiedNanos(info);
    }
    at += 3;
  }
  return trace;
}

}  // namespace

std::string NewestCommit(CommandRunner& runner) {
  runner.Renew();
  const CommandOutput list = runner.Run("ls", {"--json", "-k", "1"});
  if (!list.ok()) return "";
  const std::optional<Json> answer = ParseJson(list.text);
  return answer ? JsonText(JsonMember(*answer, "query"), "snapshot") : "";
}

Result<std::unique_ptr<CommitWatch>> CommitWatch::Start(std::vector<WatchedStore> stores,
                                                        EventHub* hub) {
  std::unique_ptr<CommitWatch> watch(new CommitWatch(hub));
  watch->stores_ = stores.size();
  std::vector<WatchedStore> files;
  for (WatchedStore& store : stores) {
    if (!store.on_server) {
      files.push_back(std::move(store));
      continue;
    }
    std::vector<WatchedStore> one;
    one.push_back(std::move(store));
    RECALL_TRY(watch->StartThreadFor(std::move(one), false));
  }
  RECALL_TRY(watch->StartThreadFor(std::move(files), true));
  return watch;
}

Status CommitWatch::StartThreadFor(std::vector<WatchedStore> stores, bool keeps_alive) {
  const auto shared = std::make_shared<const std::vector<WatchedStore>>(std::move(stores));
  auto thread = StartThread([this, shared, keeps_alive] { Run(*shared, keeps_alive); });
  if (!thread) return Status::IoError("cannot start a thread to watch for commits");
  threads_.push_back(*std::move(thread));
  return Status::Ok();
}

CommitWatch::~CommitWatch() {
  hub_->Stop();
  for (std::thread& thread : threads_) thread.join();
}

void CommitWatch::Run(const std::vector<WatchedStore>& stores, bool keeps_alive) {
  std::vector<Trace> traces(stores.size());
  int looks = 0;
  while (hub_->WaitForClient()) {
    for (size_t i = 0; i < stores.size(); ++i) {
      const WatchedStore& store = stores[i];
      // Before the store is read, so that a later write is seen the next time.
      const Trace trace = TraceOf(store.path);
      if (trace == traces[i] && looks % kLooksBetweenReads != 0) continue;
      traces[i] = trace;
      std::string newest = NewestCommit(*store.runner);
      const std::lock_guard lock(mutex_);
      commits_[store.name] = std::move(newest);
    }
    if (!stores.empty()) {
      const std::lock_guard lock(mutex_);
      hub_->PublishCommits(commits_, stores_);
    }
    ++looks;
    if (keeps_alive && looks % kLooksBetweenKeepAlives == 0) hub_->KeepAlive();
    if (!hub_->Pause(kLookEvery)) return;
  }
}

}  // namespace recall
