#pragma once

// The table `space` (docs/format/store.md, "Vector spaces"): which vectors a store has, and which
// of them are in force at a commit.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"
#include "storage/sqlite/connection.h"

namespace recall {

struct SpaceRow {
  int64_t id = 0;  // from 1, never reused; 0: the only one of a store from before spaces
  std::string embedder = {};
  std::string version = {};  // of the embedder and, where it has weights, of these
  uint32_t dim = 0;          // components of a vector; 0: its segments hold token counts alone
  int64_t model = 0;         // what the embedder learnt, or the cells of the space; 0: neither
  std::optional<int64_t> since = {};  // the commit it came into force with; none: being filled

  bool operator==(const SpaceRow&) const = default;
};

// Stores of this format and later have the table.
inline constexpr int64_t kFirstFormatWithSpaces = 5;
Result<bool> HasSpaces(Connection& connection);

// The space in force at commit `sequence`, or none when the table says nothing of it.
// Errors: Corruption.
Result<std::optional<SpaceRow>> FindSpaceAt(Connection& connection, int64_t sequence);

// All there are, by id; none in a store from before spaces.
Result<std::vector<SpaceRow>> ListSpaces(Connection& connection);

// Each needs a write transaction. Insert ignores `row.id`. Returns: the id.
Result<int64_t> InsertSpace(Connection& connection, const SpaceRow& row);
// From commit `sequence` on searches use it.
Status ActivateSpace(Connection& connection, int64_t id, int64_t model, int64_t sequence);
// It has no model any more; its vectors stay, and are found without cells.
Status ForgetCoarseQuantizer(Connection& connection, int64_t id);
// With its segments and its tail.
Status DeleteSpace(Connection& connection, int64_t id);
// All that are being filled, or those of one embedder. Returns: how many.
Result<int64_t> DeleteUnfinishedSpaces(Connection& connection, std::string_view embedder = {});

struct SpaceContent {
  int64_t vectors = 0;
  int64_t last_chunk = -1;  // the greatest row with a vector
};
Result<SpaceContent> ReadSpaceContent(Connection& connection, int64_t id);

// Those that no commit from `sequence` on uses and that are not being filled.
Result<std::vector<SpaceRow>> SpacesBefore(Connection& connection, int64_t sequence);

// The last step of the migration to the first format with spaces: gives what the store has a row.
Status BeginSpaces(Connection& connection);

}  // namespace recall
