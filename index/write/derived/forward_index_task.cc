#include "index/write/derived/forward_index_task.h"

#include <utility>

#include "storage/base/thread_start.h"
#include "storage/postgres/postgres_address.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// With a rollback journal a commit waits until nobody reads.
Result<bool> CommitsBesideReaders(Store& store) {
  RECALL_ASSIGN(const auto transaction, store.BeginRead());
  RECALL_ASSIGN(const std::string journal,
                transaction->connection().QueryText("PRAGMA journal_mode"));
  return journal == "wal";
}

}  // namespace

ForwardIndexTask::~ForwardIndexTask() {
  if (thread_) thread_->join();
}

bool ForwardIndexTask::Begin(const Store& store) {
  if (options_.threads < 2 || store.options().lender || IsPostgresAddress(store.path()))
    return false;
  StoreOptions options = store.options();
  // These belong to the thread that opened the store.
  options.on_long_wait = nullptr;
  options.before_migration = nullptr;
  auto opened = Store::Open(store.path(), options);
  if (!opened || !CommitsBesideReaders(**opened).value_or(false)) return false;
  store_ = *std::move(opened);
  thread_ = StartThread([this] {
    failure_.Guard([this] { Build(); });
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_one();
  });
  return thread_.has_value();
}

void ForwardIndexTask::Build() {
  {
    // Texts are read and records written in order, so a small cache does as well as a large one,
    // which would add to the memory of the other connection's.
    auto transaction = store_->BeginRead();
    if (transaction) outcome_ = (*transaction)->connection().Execute("PRAGMA cache_size=-8192");
    if (!transaction) outcome_ = transaction.error();
  }
  if (!outcome_.ok()) return;
  ForwardIndexOptions options = options_;
  if (options_.progress) {
    options.progress = [this](const DerivedDataProgress& progress) {
      const std::lock_guard lock(mutex_);
      progress_ = progress;
      changed_.notify_one();
    };
  }
  outcome_ = BuildForwardIndexIfDue(*store_, cancelled_, options);
}

// Progress is told to this thread, because its receiver belongs to it.
void ForwardIndexTask::Wait() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    changed_.wait(lock, [this] { return done_ || progress_; });
    const auto progress = std::exchange(progress_, std::nullopt);
    if (!progress) continue;
    lock.unlock();
    options_.progress(*progress);
    lock.lock();
  }
}

Status ForwardIndexTask::Finish() {
  if (!thread_) return Status::Ok();
  Wait();
  thread_->join();
  thread_.reset();
  store_.reset();
  failure_.Rethrow();
  return std::exchange(outcome_, Status::Ok());
}

}  // namespace recall
