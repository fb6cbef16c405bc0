#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "storage/base/result.h"
#include "storage/check/finding.h"

namespace recall {

class Connection;

// Number of chunks whose indexes have been compared, and of all chunks.
using CheckProgressFn = std::function<void(int64_t done, int64_t total)>;

// Whether a failure ends the whole examination, because it says nothing about the store: Cancelled,
// Busy, NotEnoughMemory.
bool EndsExamination(const Status& failure);

// One examination of a store: its connection, inside one transaction, and the findings so far.
// Checks tolerate any damage: unreadable data is a finding, and the next check continues.
class CheckRun final {
 public:
  using Tables = std::set<std::string, std::less<>>;

  // `cancel` may be null. Both must outlive the run. Once *cancel is true, statements fail, and so
  // do reads of pages, because SQLite checks a whole tree of pages in one step.
  CheckRun(Connection* connection, const std::atomic<bool>* cancel, Tables tables = {});
  ~CheckRun();
  CheckRun(const CheckRun&) = delete;
  CheckRun& operator=(const CheckRun&) = delete;

  Connection& connection() const { return *connection_; }
  const std::atomic<bool>* cancel() const { return cancel_; }
  Findings& findings() { return findings_; }
  const Findings& findings() const { return findings_; }

  // Cancelled once *cancel is true.
  Status CheckCancelled() const;

  // Turns the failure of a check into a finding. Returns only errors for which
  // EndsExamination is true.
  Status Absorb(Status failure, FindingCode code, std::string_view where);

  // The tables that have the definition of the format; others must not be read.
  void AddTable(std::string name) { tables_.insert(std::move(name)); }
  const Tables& tables() const { return tables_; }
  bool HasTable(std::string_view name) const { return tables_.contains(name); }

 private:
  Connection* connection_;
  const std::atomic<bool>* cancel_;
  Findings findings_;
  Tables tables_;
};

}  // namespace recall
