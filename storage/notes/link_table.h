#pragma once

// The table `link` (docs/format/store.md, "Notes"): links from path to path. A row is never
// changed: a link that ends gets the commit that removed it, and a changed one is a new row, so
// that older commits can be read.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/notes/link_origin.h"

namespace recall {

class Connection;

struct LinkRow {
  int64_t id = 0;      // assigned by InsertLink
  int64_t source = 0;  // names
  int64_t target = 0;
  std::string relation;
  double weight = 1;  // 0 to 1
  std::optional<std::string> reason = {};
  std::string origin = std::string(kUserLink);
  UnixNanos at = 0;
};

enum class LinkEnd : uint8_t { kSource, kTarget };

// The live links that leave (end: kSource) or reach (kTarget) a name, by relation, other end and
// origin.
Result<std::vector<LinkRow>> LinksAt(Connection& connection, LinkEnd end, int64_t name);
// Visits all live links, by source, relation, target and origin.
Status ScanLinks(Connection& connection, const std::function<void(const LinkRow&)>& visit);

// Adds a link, in the commit `sequence`. Returns: false, and adds nothing, if the link is there
// already with this weight and reason; a link with another weight or reason is replaced. Requires:
// a write transaction.
Result<bool> PutLinkRow(Connection& connection, const LinkRow& link, int64_t sequence);
// Ends a live link, in the commit `sequence`. Requires: a write transaction.
Status EndLink(Connection& connection, int64_t id, int64_t sequence);
// Deletes the links that commit `sequence` or an earlier one ended. Requires: a write transaction.
Status DeleteEndedLinks(Connection& connection, int64_t sequence);

}  // namespace recall
