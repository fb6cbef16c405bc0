#pragma once

#include <string_view>

namespace recall {

// The part of a question that says what it is about: of several lines the first one with a letter
// or digit, as the title of an issue or the first line of a message is; else the whole.
std::string_view TopicOf(std::string_view question);

}  // namespace recall
