#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/search/filter/filter_expr.h"

namespace recall {

// The syntax tree of an RQL query (docs/rql.md). Positions are byte offsets in its source; equality
// ignores them.

enum class RqlTable : uint8_t { kChunk, kDoc };

struct OrderKey {
  bool is_score = false;
  FieldRef field;          // used if not is_score
  bool ascending = false;  // DESC is the default
  bool direction_given = false;
  size_t position = 0;

  bool operator==(const OrderKey& other) const;
};

struct SelectItem {
  enum class Kind : uint8_t {
    kAll,       // *: every field of documents and chunks, without the score
    kAllDoc,    // doc.*
    kAllChunk,  // chunk.*
    kScore,
    kField,
    kUnknown,  // an unknown name, which is ignored with a warning
  };
  Kind kind = Kind::kAll;
  FieldRef field;    // kField
  std::string name;  // kUnknown: as written
  size_t position = 0;

  bool operator==(const SelectItem& other) const;
};

// VIEW 'name': a bundle of settings. The parser does not know which there are.
struct ViewName {
  std::string name;
  size_t position = 0;  // of the string

  bool operator==(const ViewName& other) const { return name == other.name; }
};

struct RqlQuery {
  RqlTable from = RqlTable::kChunk;
  std::optional<ViewName> view;
  std::optional<std::string> semantic;  // USING semantic("...")
  std::optional<std::string> lexical;   // USING lexical("...")
  std::optional<FilterExpr> filter;
  std::vector<OrderKey> order_by;
  std::optional<int64_t> limit;    // at least 0
  std::optional<int64_t> offset;   // at least 0
  std::vector<SelectItem> select;  // at least one

  bool ranked() const { return semantic || lexical; }
  bool operator==(const RqlQuery& other) const = default;
};

}  // namespace recall
