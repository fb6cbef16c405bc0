#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A name of code that a question has: the question asks where it is defined, or what it is.
struct AskedName {
  std::string name;    // one word: of Store::Add and store.add() it is Add and add
  bool alone = false;  // the question asks for nothing else
  bool operator==(const AskedName&) const = default;
};

// The names of a question, each once, at most 8, in its order.
//   EINVAL · Store::Commit · struct stat · what is fuse_candidates      the name alone
//   what does EINVAL mean · why does fooBar() wait · where is `add` set  names in a sentence
// In a sentence a word is a name if it looks like one: it has `_` or a capital inside, consists of
// capitals (unless the whole question does), follows :: or ->, stands before (), or in backticks.
std::vector<AskedName> FindAskedNames(std::string_view question);

}  // namespace recall
