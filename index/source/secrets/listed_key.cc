#include "index/source/secrets/listed_key.h"

#include <algorithm>

#include "index/source/secrets/secret_text.h"
#include "storage/base/trim.h"

namespace recall {

bool ListedKey::HasLine(bool follows_string, std::string_view text) {
  if (!follows_string) state_ = State::kOutside;
  if (text.find("-----") != text.npos) {
    const size_t head = text.find("-----BEGIN ");
    const bool begins = head != text.npos && text.find("PRIVATE KEY", head) != text.npos;
    state_ = begins ? State::kBegun : State::kOutside;
    return false;
  }
  if (state_ == State::kOutside) return false;
  text = Trim(text);
  if (text.starts_with('+') || text.starts_with('-')) text = Trim(text.substr(1));  // of a patch
  constexpr size_t kLeastLine = 40;
  const bool is_base64 = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return IsSecretAlnum(c) || c == '+' || c == '/' || c == '=';
  });
  if (!is_base64 || (state_ == State::kBegun && text.size() < kLeastLine)) return false;
  state_ = State::kInBody;
  return true;
}

}  // namespace recall
