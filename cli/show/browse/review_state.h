#pragma once

// Reviews in the terminal view: what is due, one document after the other. As with BrowseState,
// nothing here knows a terminal, a store or a clock.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/show/browse/key_press.h"
#include "cli/show/browse/list_view.h"
#include "query/types/get_types.h"
#include "query/types/note_types.h"
#include "storage/base/result.h"

namespace recall {

struct ReviewRound {
  std::vector<DueDocument> due;  // the most urgent first
  size_t at = 0;                 // of `due`; its size: none is left
  size_t rated = 0;
  size_t skipped = 0;
  // The text of the document at `at`. Null until the user asks to see it.
  std::shared_ptr<const GetResponse> text;
  ListView view;
  std::string said;   // of the last rating
  std::string error;  // of the last action; "" if none
  std::string hint;

  const DueDocument* document() const { return at < due.size() ? &due[at] : nullptr; }
};

// What a key asks the shell to do.
struct ReviewActions {
  bool show = false;                 // read the text of the document
  std::optional<int64_t> rate = {};  // record this rating of the document
  bool leave = false;

  bool operator==(const ReviewActions&) const = default;
};

ReviewActions OnReviewKey(ReviewRound& round, const KeyPress& press);
// The actions have ended so. After an error the document stays.
void OnReviewText(ReviewRound& round, Result<GetResponse> text);
void OnReviewed(ReviewRound& round, const Result<ReviewReport>& report);

}  // namespace recall
