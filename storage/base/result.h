#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "storage/base/status.h"

namespace recall {

// A value, or the Status that describes why it is missing.
//   Result<int> n = Parse(text);
//   if (!n) return n.error();
template <typename T>
using Result = tl::expected<T, Status>;

// Builds the failed side of any Result: `return Fail(Status::NotFound(...));`
inline tl::unexpected<Status> Fail(Status status) {
  return tl::unexpected<Status>(std::move(status));
}

namespace internal {
inline Status ToStatus(Status status) { return status; }
template <typename T>
Status ToStatus(Result<T>&& result) {
  return result ? Status() : std::move(result).error();
}
// Converts to Status and to any Result<T>, so that one macro serves functions of either kind.
struct Propagate {
  Status status;
  operator Status() && { return std::move(status); }  // NOLINT
  template <typename T>
  operator tl::expected<T, Status>() && {  // NOLINT
    return tl::unexpected<Status>(std::move(status));
  }
};
}  // namespace internal

}  // namespace recall

#define RECALL_CONCAT_INNER(a, b) a##b
#define RECALL_CONCAT(a, b) RECALL_CONCAT_INNER(a, b)

// Returns from the enclosing function (Status or Result<T>) when `expr` failed.
#define RECALL_TRY(expr)                                                                       \
  do {                                                                                         \
    ::recall::Status recall_status_ = ::recall::internal::ToStatus((expr));                    \
    if (!recall_status_.ok()) return ::recall::internal::Propagate{std::move(recall_status_)}; \
  } while (false)

// Declares `lhs` from the value of a Result, or returns its error:
//   RECALL_ASSIGN(auto doc, store.FindDoc(path));
#define RECALL_ASSIGN(lhs, expr) \
  RECALL_ASSIGN_IMPL(RECALL_CONCAT(recall_result_, __LINE__), lhs, expr)
#define RECALL_ASSIGN_IMPL(result, lhs, expr)                                   \
  auto result = (expr);                                                         \
  if (!result) return ::recall::internal::Propagate{std::move(result).error()}; \
  lhs = std::move(result).value()
