// SessionBodyReader, ReadSessionLine, ReadSessionText, UniteVersions: what other people push is any
// bytes. Every frame that is read has lines within the limit; a line is refused, or is a session
// that is unchanged by writing and reading; two versions are united in either order to the same,
// and again to the same.
// Input: a byte for the kind; then a body, a line, or two texts of a session with an empty line of
// "~" between them.

#include <string>

#include "fuzz/fuzz_target.h"
#include "index/source/session/session_text.h"
#include "index/source/session/session_version.h"
#include "query/memory/sessions/session_documents.h"
#include "query/memory/sharing/session_line.h"
#include "storage/sessions/session_body.h"

namespace recall {
namespace {

void CheckLine(std::string_view line) {
  const auto session = ReadSessionLine({"branch", 1, line});
  if (!session) return;
  const std::string written = WriteSessionLine(*session);
  RECALL_CHECK(written.find('\n') == written.size() - 1);
  const auto again = ReadSessionLine({"branch", 1, written});
  RECALL_CHECK(again && again->path == session->path && again->text == session->text);
  RECALL_CHECK(WriteSessionLine(*again) == written);
}

void CheckBody(std::string_view body) {
  auto reader = SessionBodyReader::Open(body);
  if (!reader) return;
  int64_t number = 0;
  while (const auto frame = reader->Next()) {
    RECALL_CHECK(frame->number == ++number);
    RECALL_CHECK(!frame->lines || frame->lines->size() <= kMostFrameBytes);
  }
}

// A body whose frame has these bytes is read back.
void CheckFrame(std::string_view lines) {
  std::string body(kSessionBodyHeader);
  AppendSessionFrame(lines, &body);
  auto reader = SessionBodyReader::Open(body);
  RECALL_CHECK(reader.has_value());
  const auto frame = reader->Next();
  RECALL_CHECK(frame && frame->lines == lines);
}

std::string TextOf(const SessionVersion& version) {
  return WriteSessionText(version.turns.turns, version.turns.tool_calls);
}

// What a text says once it is written by this program: a line break in a path is a space.
SessionVersion Normal(std::string_view text) {
  const SessionVersion read = ReadSessionVersion(text, "{}");
  return ReadSessionVersion(TextOf(read), "{}");
}

void CheckUnion(std::string_view text) {
  const size_t middle = text.find("\n~\n");
  const std::string_view a_text = text.substr(0, middle);
  const std::string_view b_text = middle == text.npos ? "" : text.substr(middle + 3);
  const SessionVersion a = Normal(a_text);
  const SessionVersion b = Normal(b_text);
  RECALL_CHECK(Normal(TextOf(a)).turns == a.turns);
  const SessionVersion united = UniteVersions(a, b);
  RECALL_CHECK(TextOf(UniteVersions(b, a)) == TextOf(united));
  RECALL_CHECK(TextOf(UniteVersions(united, a)) == TextOf(united));
  RECALL_CHECK(united.turns.turns.size() <= a.turns.turns.size() + b.turns.turns.size());
}

}  // namespace

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  const auto kind = reader.Read<uint8_t>() % 3;
  const std::string_view text = AsText(TakeRest(reader));
  if (kind == 0) {
    CheckBody(text);
    CheckFrame(text);
  } else if (kind == 1) {
    CheckLine(text);
  } else {
    CheckUnion(text);
  }
}

}  // namespace recall
