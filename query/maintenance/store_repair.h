#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "index/write/check/index_repair.h"
#include "query/maintenance/doctor_call.h"
#include "query/maintenance/store_examination.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/writer_queue.h"
#include "storage/store/store.h"

namespace recall {

// A write transaction on the file, in the writer queue, without the checks of Store::Open.
class FileWriter final {
 public:
  static Result<std::unique_ptr<FileWriter>> Begin(const DoctorCall& call);

  Connection& connection() const { return *connection_; }

 private:
  explicit FileWriter(const std::string& file);

  WriterQueue queue_;
  std::unique_ptr<Connection> connection_;
};

// Repairs the faults that prevent the store from being opened, then all others in one commit. If
// the process is killed in between, the store is no worse than before.
class StoreRepair final {
 public:
  StoreRepair(const DoctorCall& call, const StoreExamination& found) : call_(call), found_(found) {}

  Status Run();

  // Whether Run has trained a model again, or deleted one.
  bool retrained() const { return retrained_; }

 private:
  bool Wants(Repair repair) const { return found_.Repairs(repair); }

  // The commit since which the newest model is active; 0 if there is none.
  static Result<int64_t> LastTraining(Store& store) {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    return transaction->connection().QueryInt("SELECT ifnull(max(since), 0) FROM model");
  }

  Status RepairStore(Store& store);

  // A page that was damaged is not vouched for by a repair of some of its rows.
  void KeepDamagedPages(Connection& connection) const;

  Status RepairFile();

  Status RepairRows(Store& store, WriteTransaction& transaction);

  // Deletes the models and the vectors that depend on them. Except in the active space, these
  // belong to snapshots that expire.
  static Status DropModels(Connection& connection);

  // What the vectors of the active space are computed from.
  enum class VectorOrigin : uint8_t { kTexts, kModel, kUser };
  static Result<VectorOrigin> FindOrigin(Connection& connection);

  // Rebuilds the derived data from the rows as they are under the write lock.
  Status RepairDerived(const Store& store, WriteTransaction& transaction, IndexRepair repair);

  const DoctorCall& call_;
  const StoreExamination& found_;
  bool retrained_ = false;
};

}  // namespace recall
