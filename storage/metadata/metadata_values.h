#pragma once

// A document's metadata as filters compare it (docs/rql.md, "Comparing").

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"
#include "storage/base/number.h"

namespace recall {

// A scalar of the metadata. The values of Kind are stored (docs/format/store.md, "doc_meta").
struct MetaScalar {
  enum class Kind : uint8_t {
    kNumber = 1,
    kText = 2,  // a boolean is "true" or "false"
    kDate = 3,  // text that reads as an RFC 3339 date or date-time
  };
  Kind kind = Kind::kText;
  Number number;          // kNumber
  std::string text;       // kText, kDate
  UnixNanos instant = 0;  // kDate; a date alone is its first instant, in UTC
};

// What stands under one key: a scalar, the scalars of a list, or nothing that can be compared (an
// object, a list without scalars).
using MetaScalars = std::vector<MetaScalar>;

// The instant that `text` names, if it reads as an RFC 3339 date or date-time.
std::optional<UnixNanos> ReadInstant(std::string_view text);

// What stands in the JSON object `json` at `path`, keys from the outermost in; nothing when a key
// is missing, its value is null, or `json` is not an object at all. Of equal keys the last counts.
// Lists within lists and objects within lists are left out. Bytes of any kind are borne.
std::optional<MetaScalars> MetadataAt(std::string_view json, std::span<const std::string> path);

// Every key of the object `json` with what stands there, nulls left out, by key.
struct MetaEntry {
  std::string key;
  MetaScalars scalars;
};
std::vector<MetaEntry> MetadataEntries(std::string_view json);

}  // namespace recall
