// ReadHookEvent: any bytes are refused, or give an event whose paths are absolute. HintLine: any
// bytes become one line of UTF-8 that is as short as asked for, ends no element of a markup, and
// stays the same when it is made again. The first byte chooses the event and the length.

#include "cli/setup/hooks/hook_event.h"
#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "query/memory/hints/asked_words.h"
#include "query/memory/hints/hint_text.h"

namespace recall {
namespace {

constexpr std::string_view kEllipsisOfLine = "\xE2\x80\xA6";

void CheckLine(std::string_view text, size_t most) {
  const std::string line = HintLine(text, most);
  RECALL_CHECK(IsValidUtf8(line));
  RECALL_CHECK(line.find_first_of("\n\r\t") == line.npos);
  RECALL_CHECK(line.find("</") == line.npos);
  RECALL_CHECK(line.size() <= most + kEllipsisOfLine.size());
  RECALL_CHECK(HintLine(line, line.size()) == line);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  const std::string_view text = AsText(input);
  if (text.empty()) return;
  const auto first = static_cast<uint8_t>(text.front());
  const std::string_view rest = text.substr(1);
  const auto event = ReadHookEvent(rest, static_cast<HookEventKind>(first % 7));
  if (event) {
    for (const std::string& path : {event->directory, event->file}) {
      RECALL_CHECK(path.empty() || path.starts_with('/'));
    }
    CheckLine(event->prompt, first);
  }
  CheckLine(rest, first);
  RECALL_CHECK(SearchedPart(rest).size() <= 2004);
  RECALL_CHECK(ErrorLinesOf(rest).size() <= 6 * 201);
}

}  // namespace recall
