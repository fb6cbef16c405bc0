#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "index/base/text/card_field.h"

namespace recall {

// Bytes begin .. end-1 of a text, which belong to the value of a field.
struct CardSpan {
  CardField field;
  size_t begin;
  size_t end;
  bool operator==(const CardSpan&) const = default;
};

// Finds the values of recall_when (kTrigger), title, tags, topic_path (kTopic) and summary in the
// front matter of a text. Keys are compared as ExtractMetadata normalises them, so "Recall-When" is
// recall_when; a key that occurs twice has two values. Marks of YAML such as quotes, brackets and
// dashes may be within the spans, comments are not. Never fails: front matter that is no valid YAML
// is read line by line, too. Returns: the spans, ascending; none without front matter.
std::vector<CardSpan> FindCardFields(std::string_view text);

}  // namespace recall
