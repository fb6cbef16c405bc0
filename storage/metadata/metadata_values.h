#pragma once

// A document's metadata in the form that filters compare (docs/rql.md, "Comparing").

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
    kDate = 3,  // text that is an RFC 3339 date or date-time
  };
  Kind kind = Kind::kText;
  Number number;          // kNumber
  std::string text;       // kText, kDate
  UnixNanos instant = 0;  // kDate; of a date without time its first instant, in UTC
};

// The value of one key: a scalar, the scalars of a list, or empty if nothing can be compared (an
// object, a list without scalars).
using MetaScalars = std::vector<MetaScalar>;

// The instant of `text` if it is an RFC 3339 date or date-time.
std::optional<UnixNanos> ReadInstant(std::string_view text);

// Whether `json`, which may be any bytes, is a JSON object.
bool IsMetadataObject(std::string_view json);

// The value in the JSON object `json` at `path`, which lists keys from the outermost in. Returns
// nothing if a key is missing, its value is null, or `json` is not an object. If a key occurs
// twice, the last one counts. Nested lists and objects are left out. `json` may be any bytes.
std::optional<MetaScalars> MetadataAt(std::string_view json, std::span<const std::string> path);

// Every key of the object `json` with its value, without nulls, sorted by key.
struct MetaEntry {
  std::string key;
  MetaScalars scalars;
};
std::vector<MetaEntry> MetadataEntries(std::string_view json);

}  // namespace recall
