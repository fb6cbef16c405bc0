#pragma once

#include <string>
#include <string_view>

#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

// The path that a link in the text of the document at `path` means by `target`, in this order:
//   1. a live document at that path of the store, or at it with ".md";
//   2. one at that path in the directory of the document;
//   3. the note with this id, or with the id of this title, in that directory or in notes/;
//   4. the first note, by path, with this title;
//   5. what 1 or 3 would be: there is no such document yet.
Result<std::string> ResolveLinkTarget(const ReadTransaction& transaction, std::string_view path,
                                      std::string_view target);

}  // namespace recall
