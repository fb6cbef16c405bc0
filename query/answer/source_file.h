#pragma once

#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Returns: the text of the file, or of the member of an archive, that a document was added from, as
// it is now. `doc_path` as in DocRow, `store_root`: the directory of the store. Errors: NotFound if
// it does not exist; those of ReadTextFile and ReadArchiveMember.
Result<std::string> ReadSourceText(std::string_view doc_path, const std::string& store_root);

}  // namespace recall
