// Rows of a conversation, made of a part of the text of a session.
//
// The text is that of the store, so bytes of the document are bytes of the text, and the marks of a
// hit are where they are in any document. A line is the heading of a turn, a use of a tool, or what
// was said; each says which of them it is (ReadSessionLine), so a part of the text is enough. Who
// spoke is told by the word and by a sign, not by colour alone.

#include "cli/show/browse/session_rows.h"

#include <algorithm>
#include <utility>

#include "cli/show/output/text_output.h"

namespace recall {
namespace {

constexpr size_t kMostFactRows = 2;
constexpr size_t kCommitDigits = 12;

std::string TimeText(std::string_view at) {
  std::string text(at.substr(0, 19));
  std::ranges::replace(text, 'T', ' ');
  return text;
}

std::string TimeText(std::optional<UnixNanos> at) {
  return at ? TimeText(FormatRfc3339(*at)) : std::string();
}

std::string JoinedFacts(const std::vector<std::string>& facts) {
  std::string text;
  for (const std::string& fact : facts) {
    if (fact.empty()) continue;
    text += (text.empty() ? "" : "  ") + EscapeLine(fact);
  }
  return text;
}

ScreenRow TurnHead(uint32_t number, std::string_view role, std::string_view at, bool utf8) {
  const bool human = role == "human";
  const std::string_view sign = utf8 ? (human ? "▸ " : "◂ ") : (human ? "> " : "< ");
  ScreenRow row = {{std::string(sign) + EscapeLine(role), human ? Paint::kStrong : Paint::kPath}};
  row.push_back({" " + std::to_string(number), Paint::kPlain});
  if (!at.empty()) row.push_back({"  " + EscapeLine(TimeText(at)), Paint::kDim});
  return row;
}

// Rows are added line by line.
class Conversation final {
 public:
  Conversation(const MarkedText& marked, const ChunkView& chunk, size_t columns, bool utf8)
      : marked_(marked), hit_(TurnOfHeading(chunk.heading)), columns_(columns), utf8_(utf8) {
    // Without the document, the heading of the hit is all that there is.
    if (hit_ && marked.start_byte == chunk.start_byte) AddHead(hit_->turn, hit_->role, hit_->at);
  }

  TurnRows Finish() && {
    for (size_t begin = 0; begin < marked_.text.size();) {
      const size_t newline = std::min(marked_.text.find('\n', begin), marked_.text.size());
      byte_ = marked_.start_byte + begin;
      AddLine(begin, newline);
      begin = newline + 1;
    }
    if (most_marked_ == 0) out_.best = out_.turn;
    return std::move(out_);
  }

 private:
  void AddLine(size_t begin, size_t end) {
    if (end > begin && marked_.text[end - 1] == '\r') --end;
    const std::string_view whole = marked_.text.substr(begin, end - begin);
    const SessionLine line = ReadSessionLine(whole);
    if (line.kind == SessionLine::Kind::kTurn) {
      AddHead(line.turn.turn, line.turn.role, line.turn.at);
    } else if (line.kind == SessionLine::Kind::kTool) {
      AddRow(Cut({{"  " + EscapeLine(line.text), Paint::kDim}}, columns_));
    } else if (!whole.empty() || !below_head_) {
      AddSaid(end - line.text.size(), end);
    }
    below_head_ = line.kind == SessionLine::Kind::kTurn;
  }

  void AddHead(uint32_t number, std::string_view role, std::string_view at) {
    const bool is_hit = hit_ && hit_->turn == number;
    if (is_hit) out_.turn = out_.rows.size();
    ScreenRow row = TurnHead(number, role, at, utf8_);
    AddRow(is_hit ? Chosen(std::move(row), columns_) : Cut(std::move(row), columns_));
  }

  void AddSaid(size_t begin, size_t end) {
    const std::vector<Glyph> glyphs = GlyphsOf(marked_.text, marked_.marks, begin, end);
    for (const std::span<const Glyph> shown : WrapGlyphs(glyphs, columns_)) {
      ScreenRow row;
      const size_t marked_glyphs = AppendGlyphs(row, shown);
      if (marked_glyphs > most_marked_) {
        most_marked_ = marked_glyphs;
        out_.best = out_.rows.size();
      }
      AddRow(std::move(row));
    }
  }

  void AddRow(ScreenRow row) {
    out_.rows.push_back(std::move(row));
    out_.bytes.push_back(byte_);
  }

  const MarkedText& marked_;
  const std::optional<TurnLabel> hit_;
  const size_t columns_;
  const bool utf8_;
  TurnRows out_;
  uint64_t byte_ = marked_.start_byte;  // of the line
  bool below_head_ = false;             // an empty line there is not shown
  size_t most_marked_ = 0;
};

}  // namespace

std::string SessionLabel(const SessionMeta& meta) {
  return JoinedFacts({meta.agent, meta.branch, TimeText(meta.captured_at).substr(0, 10)});
}

std::vector<ScreenRow> SessionCardRows(const DocView& doc, size_t columns) {
  const SessionMeta meta = SessionMetaOf(doc);
  std::vector<ScreenRow> rows;
  if (!meta.title.empty()) rows.push_back({{EscapeLine(meta.title), Paint::kStrong}});
  const std::string started = TimeText(meta.started_at);
  const std::string ended = TimeText(meta.captured_at);
  const std::string facts = JoinedFacts(
      {meta.agent, meta.branch,
       meta.commit.empty() ? "" : "commit " + meta.commit.substr(0, kCommitDigits),
       started.empty() || started == ended ? ended : started + " to " + ended,
       Plural(meta.turns, "turn"), Plural(meta.tool_calls, "use") + " of tools",
       meta.files.empty() ? "" : Plural(static_cast<int64_t>(meta.files.size()), "file"),
       meta.model, meta.author});
  std::vector<ScreenRow> wrapped = WrapText(facts, columns, Paint::kDim);
  wrapped.resize(std::min(wrapped.size(), kMostFactRows));
  std::ranges::move(wrapped, std::back_inserter(rows));
  if (const std::string command = ResumeCommandOf(doc); !command.empty()) {
    rows.push_back({{"$ " + EscapeLine(command), Paint::kDim}});
  }
  return rows;
}

TurnRows RowsOfTurns(const MarkedText& marked, const ChunkView& chunk, size_t columns, bool utf8) {
  return Conversation(marked, chunk, columns, utf8).Finish();
}

}  // namespace recall
