#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace recall {

// Reads the words of a text one by one, folded as for the index but not stemmed: runs of letters,
// digits and `_`, or of characters of a script without spaces. Identifiers stay whole:
//   "User_ID: Köln, 山田"  ->  user_id  koln  山田
// Invalid UTF-8 separates words. Reuse the object: it keeps its memory. Not thread-safe.
class FoldedWordReader final {
 public:
  // Starts at the beginning of `text`, which must live as long as it is read.
  void Read(std::string_view text);
  // Moves to the next word. Returns: false at the end.
  bool Next();
  // The word; valid until the next call.
  std::string_view word() const { return word_; }

 private:
  bool NextFolded();

  std::string_view text_;
  size_t at_ = 0;
  std::string word_;
  std::u32string folded_;  // the segment that words are taken from, unless it is ASCII
  size_t folded_at_ = 0;
};

}  // namespace recall
