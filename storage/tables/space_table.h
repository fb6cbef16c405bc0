#pragma once

// The table `space` (docs/format/store.md, "Vector spaces"): the vector spaces of a store, and
// since which commit each is active.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

class Connection;

struct SpaceRow {
  int64_t id = 0;  // from 1, never reused; 0: the only space of a store of a format before 5
  std::string embedder = {};
  std::string version = {};  // of the embedder and its weights, if any
  uint32_t dim = 0;          // components of a vector; 0: its segments only contain token counts
  int64_t model = 0;         // the embedder's LSA model, or the space's centroids; 0: neither
  std::optional<int64_t> since = {};  // first commit in which it is active; none: being filled

  bool operator==(const SpaceRow&) const = default;
};

// Stores of this format and later have the table.
inline constexpr int64_t kFirstFormatWithSpaces = 5;
Result<bool> HasSpaces(Connection& connection);

// The space active at commit `sequence`, or nothing if the table has none. Errors: Corruption.
Result<std::optional<SpaceRow>> FindSpaceAt(Connection& connection, int64_t sequence);

// All spaces, by id; none in a store of an earlier format.
Result<std::vector<SpaceRow>> ListSpaces(Connection& connection);

// The functions below require a write transaction. InsertSpace ignores `row.id` and returns the id.
Result<int64_t> InsertSpace(Connection& connection, const SpaceRow& row);
// Makes it the active space from commit `sequence` on.
Status ActivateSpace(Connection& connection, int64_t id, int64_t model, int64_t sequence);
// Removes its reference to a model. Its vectors stay, and are searched without IVF lists.
Status ClearSpaceModel(Connection& connection, int64_t id);
// Deletes the space with its segments and its delta.
Status DeleteSpace(Connection& connection, int64_t id);
// Deletes the spaces that are being filled: all, or those of one embedder. Returns: how many.
Result<int64_t> DeleteUnfinishedSpaces(Connection& connection, std::string_view embedder = {});

struct SpaceContent {
  int64_t vectors = 0;
  int64_t last_chunk = -1;  // the greatest chunk rowid with a vector
};
Result<SpaceContent> ReadSpaceContent(Connection& connection, int64_t id);

// The spaces that were active once but are used neither by commit `sequence` nor by later ones.
Result<std::vector<SpaceRow>> SpacesBefore(Connection& connection, int64_t sequence);

// The last step of the migration to format 5: inserts a row for the store's existing vectors.
Status BeginSpaces(Connection& connection);

}  // namespace recall
