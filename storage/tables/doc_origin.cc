#include "storage/tables/doc_origin.h"

#include "storage/sqlite/user_version.h"

namespace recall {

bool IsNameOfOrigin(std::string_view name) {
  return name == kFileOrigin || name == kLineOrigin || name == kMemberOrigin ||
         name == kSavedOrigin || name == kCaptureOrigin || name == kImportOrigin;
}

Result<bool> RecordsOrigins(Connection& connection) {
  constexpr int64_t kFirstFormatOfOrigins = 12;
  return FormatIsAtLeast(connection, kFirstFormatOfOrigins);
}

}  // namespace recall
