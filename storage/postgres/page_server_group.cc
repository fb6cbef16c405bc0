#include "storage/postgres/page_server_group.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "storage/base/clock.h"
#include "storage/base/fixed_tasks.h"

namespace recall {

Result<std::unique_ptr<PageServerGroup>> PageServerGroup::Connect(const PostgresStore& store) {
  std::vector<std::unique_ptr<PageServer>> servers;
  for (const PostgresAddress& address : store.servers) {
    RECALL_ASSIGN(auto server, PageServer::Connect(address));
    servers.push_back(std::move(server));
  }
  return std::unique_ptr<PageServerGroup>(new PageServerGroup(std::move(servers)));
}

bool PageServerGroup::broken() const {
  return std::ranges::any_of(servers_, [](const auto& server) { return server->broken(); });
}

std::vector<std::vector<uint32_t>> PageServerGroup::Split(
    const std::vector<uint32_t>& numbers) const {
  std::vector<std::vector<uint32_t>> parts(servers_.size());
  for (const uint32_t number : numbers) {
    parts[ServerOf(number, servers_.size())].push_back(number);
  }
  return parts;
}

template <typename Write>
Status PageServerGroup::OnAll(Write write) {
  const size_t count = servers_.size();
  std::vector<Status> written(count);
  RunFixedTasks(static_cast<uint32_t>(count), count, nullptr, [&](size_t i) {
    written[i] = servers_[i]->Begin();
    if (written[i].ok()) written[i] = write(i);
  });
  const auto failed = std::ranges::find_if(written, [](const Status& one) { return !one.ok(); });
  Status done = failed == written.end() ? Status::Ok() : *failed;
  for (size_t i = count; i-- > 0;) done = servers_[i]->End(done);
  return done;
}

Status PageServerGroup::Create(const std::string& id, const PageEpoch& first,
                               const PageServer::PageReader& read) {
  std::vector<uint32_t> numbers(first.pages);
  std::iota(numbers.begin(), numbers.end(), 1);
  const auto parts = Split(numbers);
  return OnAll([&](size_t i) -> Status {
    RECALL_TRY(servers_[i]->CreateTables({id, i + 1, servers_.size()}));
    return servers_[i]->InsertEpoch(first, parts[i], read);
  });
}

Result<std::string> PageServerGroup::ReadId() {
  RECALL_ASSIGN(const PageServer::Identity first, servers_[0]->ReadIdentity());
  for (size_t i = 0; i < servers_.size(); ++i) {
    PageServer::Identity found = first;
    if (i > 0) {
      RECALL_ASSIGN(found, servers_[i]->ReadIdentity());
    }
    const PageServer::Identity expected{first.id, i + 1, servers_.size()};
    if (found == expected) continue;
    const std::string is = found.id == first.id
                               ? "server " + std::to_string(found.position) + " of the " +
                                     std::to_string(found.servers) + " servers of the store"
                               : "a server of another store";
    return Fail(Status::InvalidArgument(
        servers_[i]->name() + ": this is " + is + ", not server " + std::to_string(i + 1) + " of " +
            std::to_string(servers_.size()),
        "name all servers of the store in the order in which `recall init` named them"));
  }
  return first.id;
}

Status PageServerGroup::CheckTimelines(SeenHistory& history) const {
  for (const auto& server : servers_) {
    if (!server->timeline()) continue;
    const std::optional<int64_t> newer = history.FindNewer(*server->timeline());
    if (!newer) continue;
    return Status::IoError(
        server->name() + ": the server is on timeline " +
            std::to_string(server->timeline()->number) + ", but this machine has seen timeline " +
            std::to_string(*newer) + " of it: a standby took over, and this is the old primary",
        "name the new primary, or make the old one a standby of it; if the new one is given up, "
        "delete " +
            history.path());
  }
  return Status::Ok();
}

Result<std::vector<uint32_t>> PageServerGroup::ChangedPages(int64_t after, int64_t until) {
  std::vector<uint32_t> all;
  for (const auto& server : servers_) {
    RECALL_ASSIGN(const std::vector<uint32_t> changed, server->ChangedPages(after, until));
    all.insert(all.end(), changed.begin(), changed.end());
  }
  return all;
}

Result<bool> PageServerGroup::IsOurTurn() {
  if (has_right()) return true;
  RECALL_ASSIGN(const bool ours, TryOurTurn());
  if (ours) return true;
  const int64_t now = SteadyMicros();
  if (!watch_.IsDue(now)) return false;
  // A server may hide these views from the role: then nobody knows whether the writer has stopped.
  const auto writer = servers_[0]->FindWriter();
  if (!writer && servers_[0]->broken()) return Fail(writer.error());
  if (watch_.HasStopped(writer.value_or(std::nullopt), now)) {
    servers_[0]->EndWriter(**writer).IgnoreError();
  }
  return false;
}

// Behind a pooler nobody joins the queue: its pool may then have no session left for the writer.
Result<bool> PageServerGroup::TryOurTurn() {
  constexpr int64_t kTryEveryMicros = 50'000;
  if (!waiting_) {
    if (SteadyMicros() - tried_ < kTryEveryMicros) return false;
    RECALL_ASSIGN(const bool locked, TryLock());
    tried_ = SteadyMicros();
    if (locked) return true;
    if (!pooled_) {
      RECALL_ASSIGN(pooled_, servers_[0]->IsPooled());
    }
    return *pooled_ ? Result<bool>(false) : JoinQueue();
  }
  RECALL_TRY(waiting_->PollLock());
  if (!waiting_->has_right()) return false;
  servers_[0] = std::move(waiting_);
  return true;
}

// A session that waits for a lock can run no other statement, but the session that gets the lock
// must be the one that commits. So a second session waits, and then replaces the first, which
// meanwhile watches the writer.
Result<bool> PageServerGroup::JoinQueue() {
  RECALL_ASSIGN(waiting_, PageServer::Connect(servers_[0]->address()));
  RECALL_TRY(waiting_->BeginLock());
  return false;
}

Status PageServerGroup::Unlock() {
  waiting_ = nullptr;
  tried_ = 0;
  return has_right() ? servers_[0]->Unlock() : Status::Ok();
}

Status PageServerGroup::Commit(const PageEpoch& next, const std::vector<uint32_t>& numbers,
                               const PageServer::PageReader& read) {
  if (!has_right()) {
    return Status::Busy(servers_[0]->name() + ": the connection with the right to write was lost",
                        "run the command again");
  }
  const auto parts = Split(numbers);
  int64_t writer = 0;
  if (servers_.size() > 1) {
    // In a transaction of its own: the number stays taken if the commit fails.
    RECALL_ASSIGN(const auto numbering, PageServer::Connect(servers_[0]->address()));
    RECALL_ASSIGN(writer, numbering->NextWriter());
  }
  return OnAll([&](size_t i) -> Status {
    if (i > 0) RECALL_TRY(servers_[i]->Fence(writer, next.number));
    return servers_[i]->InsertEpoch(next, parts[i], read);
  });
}

Status PageServerGroup::DeleteSuperseded(int64_t seconds) {
  RECALL_ASSIGN(const int64_t horizon, servers_[0]->EpochBefore(seconds));
  if (horizon == 0) return Status::Ok();
  Status done;
  for (const auto& server : servers_) {
    if (Status deleted = server->DeleteSuperseded(horizon); !deleted.ok()) done = deleted;
  }
  return done;
}

}  // namespace recall
