#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "index/source/secrets/redactor.h"

namespace recall {

// A text of which the secrets were taken out while it was whole. What cuts, joins or picks parts of
// a text for a store takes this type, because half a secret is no longer recognised.
class RedactedText final {
 public:
  // `redactor` null: the user's policy is to keep secrets. `counts`: as Redactor::Redact.
  RedactedText(const Redactor* redactor, std::string_view text,
               std::map<std::string, int64_t>* counts)
      : text_(redactor && !text.empty() ? redactor->Redact(text, counts) : std::string(text)) {}

  std::string_view view() const { return text_; }

 private:
  std::string text_;
};

}  // namespace recall
