// AppendNoteFrame, ReadNoteLine, NoteVersions, DecideNote: a branch is any bytes. Lines of notes in
// a frame are read back; a line is refused, passed over, or a version that is unchanged by writing
// and reading; versions in either order have the same heads, and once a store has taken what the
// branch says, it takes nothing more.
// Input: a byte for the kind; then a frame of notes, or lines.

#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "query/memory/sharing/note_versions.h"
#include "query/memory/sharing/session_branch.h"
#include "storage/sessions/session_body.h"

namespace recall {
namespace {

void CheckFrame(std::string_view lines) {
  std::string body(kSessionBodyHeader);
  AppendNoteFrame(lines, &body);
  auto reader = SessionBodyReader::Open(body);
  RECALL_CHECK(reader.has_value());
  const auto frame = reader->Next();
  RECALL_CHECK(frame && frame->lines && frame->lines->empty() && frame->notes == lines);
}

// A skippable frame with these bytes, and a right checksum.
void CheckFrameWith(std::string_view data) {
  std::string sizes;
  for (int shift = 0; shift < 32; shift += 8) {
    sizes += static_cast<char>((data.size() >> shift) & 0xFF);
  }
  sizes += std::string(4, '\0');
  const Digest sum = Sha256(sizes + std::string(data));
  std::string body(kSessionBodyHeader);
  body += "RBFR" + sizes + std::string(sum.begin(), sum.end()) + std::string(data);
  auto reader = SessionBodyReader::Open(body);
  RECALL_CHECK(reader.has_value());
  const auto frame = reader->Next();
  RECALL_CHECK(frame && (frame->lines || frame->notes.empty()));
}

void CheckLine(std::string_view line, std::vector<SharedNoteVersion>* versions) {
  auto version = ReadNoteLine({"branch", 1, line});
  if (!version || !*version) return;
  const std::string written = WriteNoteLine(**version);
  RECALL_CHECK(written.find('\n') == written.size() - 1);
  const auto again = ReadNoteLine({"branch", 1, written});
  RECALL_CHECK(again && *again && (*again)->Id() == (*version)->Id());
  RECALL_CHECK(WriteNoteLine(**again) == written);
  versions->push_back(**std::move(version));
}

void CheckHistory(const NoteVersions& history, const NoteVersions& other) {
  const auto heads = history.Heads();
  const auto same = other.Heads();
  RECALL_CHECK(heads.size() == same.size());
  for (size_t i = 0; i < heads.size(); ++i) RECALL_CHECK(heads[i].id == same[i].id);
  const auto never = [](const Digest&) { return false; };
  const NoteDecision decision = DecideNote(history, {}, {}, never);
  RECALL_CHECK(heads.empty() || decision.known);
  if (!decision.known) return;
  std::optional<LocalNote> local;
  if (decision.taken) local = LocalNote{decision.taken->hash, decision.taken->changed};
  const NoteDecision again = DecideNote(history, local, *decision.known, never);
  // A store knows the latest of very many heads.
  RECALL_CHECK(heads.size() > 16 || again.kind == NoteDecision::Kind::kKeep);
}

void CheckLines(std::string_view lines) {
  std::vector<SharedNoteVersion> versions;
  ForEachLine(lines, [&](std::string_view line) { CheckLine(line, &versions); });
  BranchNotes forwards;
  BranchNotes backwards;
  for (size_t i = 0; i < versions.size(); ++i) {
    forwards[versions[i].path].Add(versions[i]);
    const SharedNoteVersion& last = versions[versions.size() - 1 - i];
    backwards[last.path].Add(last);
  }
  for (const auto& [path, history] : forwards) CheckHistory(history, backwards[path]);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  const auto kind = reader.Read<uint8_t>() % 3;
  const std::string_view text = AsText(TakeRest(reader));
  if (kind == 0) {
    CheckFrame(text);
  } else if (kind == 1) {
    CheckFrameWith(text);
  } else {
    CheckLines(text);
  }
}

}  // namespace recall
