#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace recall {

// Whether a folded word is one of conversation ("thanks", "ok", "continue"), which says nothing of
// a subject. English function words are others (stop_words.h).
bool IsWordOfConversation(std::string_view word);

// What is searched for: of a long text its beginning and its end, because people ask before what
// they paste, or behind it; without words of conversation, which no text has, so that each would
// lower the score of the answer. A word that is a part of a name ("go.mod") stays.
std::string SearchedPart(std::string_view prompt);

// The number of different words that say something of a subject: no function words, no words of
// conversation, no single letters and no numbers.
size_t CountSubjectWords(std::string_view text);

// Whether a prompt is a command of the assistant, "/compact keep the plan": what follows is no
// question to a memory.
bool IsCommandOfAssistant(std::string_view prompt);

// The lines of the output of a command that say what failed, at most some hundred bytes; without
// any, its last lines.
std::string ErrorLinesOf(std::string_view output);

}  // namespace recall
