// A lean hit is what a reader needs in order to choose: which document, what it is about, how good
// the match is. Its text follows in a second step, by `recall get`.

#include "cli/show/output/payload.h"

#include <algorithm>
#include <vector>

#include "cli/show/output/ask_json.h"
#include "cli/show/output/card_text.h"
#include "cli/show/output/explain_text.h"
#include "cli/show/output/metadata_tree.h"
#include "cli/show/output/number_text.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/wrap.h"
#include "query/memory/sessions/session_view.h"

namespace recall {
namespace {

bool BeginsCharacter(char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }

// The text with every run of white space as one space, and none at its ends.
std::string OnOneLine(std::string_view text) {
  std::string line;
  bool space = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      space = !line.empty();
      continue;
    }
    if (space) line += ' ';
    space = false;
    line += c;
  }
  return line;
}

std::optional<std::string> TextAt(const MetadataTree& card, const std::string& key) {
  std::string text = card.Text({&key, 1});
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

// The turn of a session that a hit is; nothing for other hits. Its score is a share of the best, so
// it has no band.
std::optional<TurnLabel> TurnOf(const SearchHit& hit) {
  return IsSession(hit.doc) ? TurnOfHeading(hit.chunk.heading) : std::nullopt;
}

// The number of characters of a summary or snippet.
size_t RoomForText(const CardSummary& card, LeanForm form, size_t most) {
  if (form == LeanForm::kResult) return most;
  const auto title =
      static_cast<size_t>(card.title ? std::ranges::count_if(*card.title, BeginsCharacter) : 0);
  const size_t room = kLeanLineCharacters - std::min(title, kLeanLineCharacters);
  return std::min(std::max(room, kLeanLineLeast), most);
}

void WriteDocOfHit(const DocView& doc, const CardSummary& card, LeanForm form, JsonWriter& json) {
  const bool line = form == LeanForm::kLine;
  if (!line) json.Field("id", doc.id);
  json.Field("path", doc.path);
  if (!line || card.kind != "note") json.Field("kind", card.kind);
  if (card.type) json.Field("type", *card.type);
  if (card.title) json.Field("title", *card.title);
  if (card.scope) json.Field("scope", *card.scope);
  if (card.summary) {
    const size_t most = RoomForText(card, form, kLeanSummaryCharacters);
    json.Field("summary", ShortenText(*card.summary, most));
  }
  WriteSourceState(doc, json);
}

}  // namespace

Bands BandsOf(const View* view) {
  Bands bands;
  if (view == nullptr) return bands;
  bands.read = view->min_score.value_or(bands.read);
  bands.strong = view->strong.value_or(std::max(bands.strong, bands.read));
  bands.read = std::min(bands.read, bands.strong);
  return bands;
}

std::string_view BandOf(double score, const Bands& bands) {
  if (score >= bands.strong) return "strong";
  return score >= bands.read ? "read" : "noise";
}

std::string ShortenText(std::string_view text, size_t most) {
  size_t characters = 0;
  size_t cut = text.size();    // before the last character that has room beside the ellipsis
  size_t space = text.size();  // the last space before it
  size_t space_at = 0;         // the number of characters before that space
  for (size_t i = 0; i < text.size(); ++i) {
    if (!BeginsCharacter(text[i])) continue;
    if (++characters == most) cut = i;
    if (characters > most) break;
    if (text[i] == ' ' && characters < most) {
      space = i;
      space_at = characters - 1;
    }
  }
  if (characters <= most) return std::string(text);
  if (10 * space_at > 6 * (most - 1)) cut = space;
  std::string_view head = text.substr(0, cut);
  while (!head.empty() && (head.back() == ' ' || head.back() == '\n' || head.back() == '\t')) {
    head.remove_suffix(1);
  }
  return std::string(head) + "\xE2\x80\xA6";
}

CardSummary CardOf(const DocView& doc) {
  const MetadataTree card(doc.meta_json);
  CardSummary summary;
  summary.kind = doc.parser == "note" || IsSession(doc) ? doc.parser : "file";
  summary.type = TextAt(card, "type");
  summary.title = TextAt(card, "title");
  summary.scope = TextAt(card, "scope");
  summary.summary = TextAt(card, "summary");
  return summary;
}

std::string ShortSnippet(const SearchHit& hit, size_t most) {
  // Text that is too large for one chunk may have its card in several; those have no other text.
  const size_t card = hit.chunk.start_byte == 0 ? CardLength(hit.chunk.text) : 0;
  const bool of_card = card > 0 && (!hit.snippet || hit.snippet->start_byte < card);
  if (hit.snippet && !of_card) return ShortenText(OnOneLine(hit.snippet->text), most);
  return ShortenText(OnOneLine(std::string_view(hit.chunk.text).substr(card)), most);
}

void WriteLeanDoc(const DocView& doc, JsonWriter& json) {
  WriteDocOfHit(doc, CardOf(doc), LeanForm::kResult, json);
}

void WriteLeanReply(const TurnReply& reply, LeanForm form, JsonWriter& json) {
  const bool line = form == LeanForm::kLine;
  json.Object("answer", [&] {
    json.Field("turn", reply.turn);
    if (!line) json.Field("role", "assistant");
    json.Field("text", ShortenText(OnOneLine(reply.text),
                                   line ? kLeanLineReplyCharacters : kLeanReplyCharacters));
    if (line) return;
    json.Field("start_line", reply.start_line);
    json.Field("end_line", reply.end_line);
  });
}

void WriteLeanHit(const SearchHit& hit, const Bands& bands, LeanForm form, JsonWriter& json) {
  const CardSummary card = CardOf(hit.doc);
  const auto turn = TurnOf(hit);
  const double score = form == LeanForm::kLine ? LeanScore(hit.score) : hit.score;
  if (turn) {
    if (hit.score > 0) json.Field("score", score);
  } else {
    json.Field("score", score);
    json.Field("band", BandOf(hit.score, bands));
  }
  json.Object("doc", [&] { WriteDocOfHit(hit.doc, card, form, json); });
  if (turn) {
    json.Field("turn", turn->turn);
    json.Field("role", turn->role);
    if (!turn->at.empty()) json.Field("at", turn->at);
  }
  WriteCitation(hit.doc, &hit.chunk, json);
  if (!card.summary && hit.snippet) {
    // What was said in a session is all that its title does not say.
    const size_t most =
        turn ? kLeanSnippetCharacters : RoomForText(card, form, kLeanSnippetCharacters);
    json.Field("snippet", ShortSnippet(hit, most));
  }
  if (hit.reply) WriteLeanReply(*hit.reply, form, json);
  if (hit.identical_sessions) WriteFolded(hit, json);
  WriteToolUses(hit, json);
}

void WriteFullHit(const SearchHit& hit, const Bands& bands, JsonWriter& json) {
  WriteFields(hit, json);
  json.Field("band", BandOf(hit.score, bands));
  json.Field("mode", ModeName(hit.found_by));
  json.Field("matched_terms", hit.matched_terms);
  json.Field("hop", "direct");
  const MetadataTree card(hit.doc.meta_json);
  json.Key("topics");
  const std::string key = "topic_path";
  card.WriteList({&key, 1}, json);
}

std::string FormatLeanHit(const SearchHit& hit, const Bands& bands, const TextStyle& style,
                          double calibration) {
  const CardSummary card = CardOf(hit.doc);
  const auto turn = TurnOf(hit);
  std::string block;
  if (!turn || hit.score > 0) block += style.Score(FormatNumber("%.3f", hit.score)) + " ";
  if (!turn) block += std::string(BandOf(hit.score, bands)) + "  ";
  block += style.DocPath(hit.doc.path) + SourceMark(hit.doc, style);
  if (card.title) block += "  " + style.Bold(EscapeLine(*card.title));
  block += "\n";
  if (turn) block += FoldedText(hit, style);
  if (hit.explain) block += FormatHitExplain(*hit.explain, calibration, style);
  if (turn) {
    block += "    turn " + std::to_string(turn->turn) + ", " + turn->role;
    if (!turn->at.empty()) block += ", " + turn->at;
    block += "\n";
  }
  const std::string about = card.summary
                                ? ShortenText(OnOneLine(*card.summary), kLeanSummaryCharacters)
                                : ShortSnippet(hit, kLeanSnippetCharacters);
  if (about.empty()) return block;
  return block + WrapLines("    " + EscapeLine(about) + "\n", style.columns);
}

std::string FormatReply(const SearchHit& hit, const TextStyle& style) {
  if (!hit.reply) return {};
  const std::string begins = ShortenText(OnOneLine(hit.reply->text), kLeanReplyCharacters);
  return WrapLines("    answered: " + EscapeLine(begins) + "\n", style.columns);
}

std::string FormatToolUses(const SearchHit& hit, const TextStyle& style) {
  std::string lines;
  const auto add = [&](const std::string& where, const std::string& text) {
    const std::string line =
        "    " + where + ": " + EscapeLine(ShortenText(OnOneLine(text), kLeanReplyCharacters));
    lines += WrapLines(line + "\n", style.columns);
  };
  for (const CommandRun& run : hit.ran) {
    add("ran in turn " + std::to_string(run.turn), run.command);
  }
  for (const ToolOutput& output : hit.outputs) {
    add(output.turn ? "output in turn " + std::to_string(*output.turn) : "output", output.text);
  }
  return lines;
}

}  // namespace recall
