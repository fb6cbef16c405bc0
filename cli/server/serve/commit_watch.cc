#include "cli/server/serve/commit_watch.h"

#include <sys/stat.h>

#include <array>
#include <chrono>
#include <cstdint>

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
  std::unique_ptr<CommitWatch> watch(new CommitWatch(std::move(stores), hub));
  auto thread = StartThread([at = watch.get()] { at->Run(); });
  if (!thread) return Fail(Status::IoError("cannot start a thread to watch for commits"));
  watch->thread_ = *std::move(thread);
  return watch;
}

CommitWatch::~CommitWatch() {
  hub_->Stop();
  if (thread_.joinable()) thread_.join();
}

void CommitWatch::Run() {
  std::vector<Trace> traces(stores_.size());
  EventHub::Commits commits;
  int looks = 0;
  while (hub_->WaitForClient()) {
    for (size_t i = 0; i < stores_.size(); ++i) {
      const WatchedStore& store = stores_[i];
      // Before the store is read, so that a later write is seen the next time.
      const Trace trace = TraceOf(store.path);
      if (trace == traces[i] && looks % kLooksBetweenReads != 0) continue;
      traces[i] = trace;
      commits[store.name] = NewestCommit(*store.runner);
    }
    hub_->PublishCommits(commits);
    if (++looks % kLooksBetweenKeepAlives == 0) hub_->KeepAlive();
    if (!hub_->Pause(kLookEvery)) return;
  }
}

}  // namespace recall
