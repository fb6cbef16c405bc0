#pragma once

// Models trained on the store's own texts (docs/format/model.md), each consisting of named parts. A
// model is active from the commit that wrote it until the one that wrote the next; the parts are
// opaque here.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/base/result.h"
#include "storage/tables/model_reader.h"

namespace recall {

class Connection;

struct ModelRow {
  int64_t id = 0;      // from 1; never reused
  int64_t since = 0;   // the first commit in which it is active
  int64_t chunks = 0;  // live chunks when it was trained
};

struct ModelPart {
  std::string kind;  // for example "grams"
  std::string data;
};

// The model active at `commit`; nothing before the first one, and in stores of formats without
// models.
Result<std::optional<ModelRow>> FindModelAt(Connection& connection, int64_t commit);

// The kinds of the parts of a model, in the order in which they were written.
Result<std::vector<std::string>> ListModelParts(Connection& connection, int64_t model);

// The models of a SQLite store. The connection must outlive it, and a transaction must be open.
class StoredModels final : public ModelReader {
 public:
  explicit StoredModels(Connection& connection) : connection_(connection) {}
  Result<std::optional<std::string>> ReadPart(int64_t model, std::string_view kind) const override;

 private:
  Connection& connection_;
};

// Adds a model; `model.id` is ignored. Returns: its id. Requires: a write transaction.
Result<int64_t> InsertModel(Connection& connection, const ModelRow& model,
                            const std::vector<ModelPart>& parts);

// Deletes the models that neither commit `sequence` nor a later one uses.
Status DropModelsBefore(Connection& connection, int64_t sequence);

}  // namespace recall
