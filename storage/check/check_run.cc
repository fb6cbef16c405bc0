#include "storage/check/check_run.h"

#include <sqlite3.h>

#include <utility>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/page_vfs.h"

namespace recall {
namespace {

// The interval between two tests of the flag: a few microseconds of work.
constexpr int kInstructionsBetweenTests = 10'000;

int ReadFlag(void* flag) {
  return static_cast<const std::atomic<bool>*>(flag)->load(std::memory_order_relaxed) ? 1 : 0;
}

}  // namespace

bool EndsExamination(const Status& failure) {
  return failure.code() == StatusCode::kCancelled || failure.code() == StatusCode::kBusy ||
         failure.code() == StatusCode::kNotEnoughMemory;
}

CheckRun::CheckRun(Connection* connection, const std::atomic<bool>* cancel, Tables tables)
    : connection_(connection), cancel_(cancel), tables_(std::move(tables)) {
  if (cancel_ == nullptr) return;
  sqlite3_progress_handler(connection_->handle(), kInstructionsBetweenTests, &ReadFlag,
                           const_cast<std::atomic<bool>*>(cancel_));
  if (PageFile* const file = connection_->page_file()) file->StopReading(cancel_);
}

CheckRun::~CheckRun() {
  sqlite3_progress_handler(connection_->handle(), 0, nullptr, nullptr);
  if (PageFile* const file = connection_->page_file()) file->StopReading(nullptr);
}

Status CheckRun::CheckCancelled() const {
  if (cancel_ == nullptr || !cancel_->load(std::memory_order_relaxed)) return Status::Ok();
  return Status::Cancelled("interrupted");
}

Status CheckRun::Absorb(Status failure, FindingCode code, std::string_view where) {
  if (failure.ok()) return failure;
  if (EndsExamination(failure)) return failure;
  findings_.Add(code, std::string(where), std::string(failure.message()));
  return Status::Ok();
}

}  // namespace recall
