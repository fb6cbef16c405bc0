#include "index/source/extract/notebook/notebook_extract.h"

#include <algorithm>
#include <string>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/notebook/notebook_reader.h"

namespace recall {
namespace {

// Moves `*at` past the escape sequence of a terminal that starts there (ECMA-48: CSI, OSC, others).
void SkipTerminalEscape(std::string_view text, size_t* at) {
  size_t i = *at + 1;
  if (i < text.size() && text[i] == '[') {
    for (++i; i < text.size() && text[i] >= 0x20 && text[i] < 0x40;) ++i;
    if (i < text.size() && text[i] >= 0x40) ++i;
  } else if (i < text.size() && text[i] == ']') {
    const size_t end = text.find_first_of("\a\x1B\n", i);
    i = end == text.npos ? text.size() : end;
    if (i < text.size() && text[i] == '\a') ++i;
    if (i + 1 < text.size() && text[i] == '\x1B' && text[i + 1] == '\\') i += 2;
  } else if (i < text.size() && text[i] > 0x20) {
    ++i;
  }
  *at = i;
}

// The source of a cell with "\n" as line ends, and U+FFFD in place of NUL.
std::string CleanNotebookSource(std::string_view source) {
  std::string text;
  text.reserve(source.size() + 1);
  for (size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (c == '\r') {
      if (i + 1 < source.size() && source[i + 1] == '\n') continue;
      text.push_back('\n');
    } else if (c == '\0') {
      AppendUtf8(0xFFFD, &text);
    } else {
      text.push_back(c);
    }
  }
  return text;
}

// An output as a terminal shows it: without escape sequences and control characters. After a
// carriage return the line is overwritten, as progress bars do.
std::string CleanNotebookOutput(std::string_view output) {
  std::string text;
  text.reserve(output.size() + 1);
  size_t line = 0;
  bool returned = false;
  for (size_t i = 0; i < output.size();) {
    const char c = output[i];
    if (c == '\x1B') {
      SkipTerminalEscape(output, &i);
      continue;
    }
    ++i;
    if (c == '\r') {
      returned = true;
      continue;
    }
    if (c == '\n') {
      text.push_back(c);
      line = text.size();
      returned = false;
      continue;
    }
    if ((c >= 0 && c < 0x20 && c != '\t') || c == 0x7F) continue;
    if (returned) text.resize(line);
    returned = false;
    text.push_back(c);
  }
  return text;
}

// The lower-case name of a tag, with "/" before it if it is an end tag: at most 10 characters from
// `at`.
std::string NotebookTagName(std::string_view html, size_t at, size_t end) {
  std::string name;
  for (; at < end && name.size() < 10; ++at) {
    const char c = html[at];
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if (lower != '/' && (lower < 'a' || lower > 'z')) break;
    name.push_back(lower);
  }
  return name;
}

// HTML without its tags, and without styles and scripts. A tag that ends a block becomes a line
// break, any other a space.
std::string WithoutNotebookTags(std::string_view html) {
  static constexpr std::string_view kBlocks[] = {"br",  "p",  "/p",     "/div", "/tr",
                                                 "/li", "/h", "/table", "/pre"};
  std::string text;
  for (size_t i = 0; i < html.size();) {
    if (html[i] != '<') {
      const size_t end = std::min(html.find('<', i), html.size());
      text += html.substr(i, end - i);
      i = end;
      continue;
    }
    const size_t end = html.find('>', i);
    if (end == html.npos) break;
    const std::string name = NotebookTagName(html, i + 1, end);
    i = end + 1;
    if (name == "style" || name == "script") {
      const size_t close = html.find("</" + name, i);
      const size_t past = close == html.npos ? html.npos : html.find('>', close);
      i = past == html.npos ? html.size() : past + 1;
    }
    text.push_back(std::ranges::find(kBlocks, name) != std::end(kBlocks) ? '\n' : ' ');
  }
  return text;
}

// If a known entity is at `*at`, appends its character to `plain` and moves `*at` behind it.
bool TakeNotebookEntity(std::string_view text, size_t* at, std::string* plain) {
  static constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&lt;", "<"},  {"&gt;", ">"},   {"&quot;", "\""},
      {"&#39;", "'"}, {"&nbsp;", " "}, {"&amp;", "&"}};
  for (const auto& [entity, character] : kEntities) {
    if (text.compare(*at, entity.size(), entity) != 0) continue;
    *plain += character;
    *at += entity.size();
    return true;
  }
  return false;
}

// The text of HTML in a simple way: entities are replaced, white space is reduced.
std::string TextOfNotebookHtml(std::string_view html) {
  const std::string text = WithoutNotebookTags(html);
  std::string plain;
  for (size_t i = 0; i < text.size();) {
    if (TakeNotebookEntity(text, &i, &plain)) continue;
    const char c = text[i++];
    if (c == ' ' || c == '\t') {
      if (!plain.empty() && plain.back() != ' ' && plain.back() != '\n') plain.push_back(' ');
    } else if (c == '\n' || c == '\r') {
      while (!plain.empty() && plain.back() == ' ') plain.pop_back();
      if (!plain.empty() && plain.back() != '\n') plain.push_back('\n');
    } else {
      plain.push_back(c);
    }
  }
  return plain;
}

std::string TextOfNotebookOutput(const NotebookOutput& output) {
  std::string text = CleanNotebookOutput(output.plain);
  if (output.is_error && text.empty() &&
      !(output.error_name.empty() && output.error_value.empty())) {
    return CleanNotebookOutput(output.error_name + ": " + output.error_value);
  }
  // Python prints this for an object whose other forms are what a person sees.
  const bool only_name = text.starts_with("<IPython.core.display.");
  if (!text.empty() && !only_name) return text;
  if (!output.markdown.empty()) return CleanNotebookOutput(output.markdown);
  if (!output.html.empty()) return CleanNotebookOutput(TextOfNotebookHtml(output.html));
  return "";
}

bool IsNotebookBlank(std::string_view text) { return text.find_first_not_of(" \t\n") == text.npos; }

// The name of a language as a fenced block has it: one word in lower case, or "" if it is none.
std::string FenceLanguage(std::string_view language) {
  std::string word;
  for (const char c : language) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      std::string_view("+#-_.").find(c) != std::string_view::npos;
    if (!fits || word.size() == 32) return "";
    word.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  }
  return word;
}

// The language of a magic such as "%%bash" in the first line; "" if it names no language.
std::string MagicLanguage(std::string_view source) {
  static constexpr std::string_view kLanguages[] = {"bash", "html", "javascript", "js",  "latex",
                                                    "perl", "r",    "ruby",       "sh",  "sql",
                                                    "svg",  "cpp",  "julia",      "rust"};
  if (!source.starts_with("%%")) return "";
  const size_t end = std::min(source.find_first_of(" \t\n", 2), source.size());
  const std::string word = FenceLanguage(source.substr(2, end - 2));
  return std::find(std::begin(kLanguages), std::end(kLanguages), word) == std::end(kLanguages)
             ? ""
             : word;
}

// Appends the text as a fenced block whose fence is longer than any in it.
void AppendFenced(std::string_view text, std::string_view language, std::string* out) {
  size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<size_t>(3, longest + 1), '`');
  *out += fence;
  *out += language;
  *out += '\n';
  *out += text;
  if (!text.ends_with('\n')) *out += '\n';
  *out += fence;
  *out += '\n';
}

// The text of the first heading ("# Title") outside of fenced blocks; "" if there is none.
std::string FirstNotebookHeading(std::string_view markdown) {
  bool fenced = false;
  for (size_t start = 0; start < markdown.size();) {
    const size_t end = std::min(markdown.find('\n', start), markdown.size());
    std::string_view line = markdown.substr(start, end - start);
    start = end + 1;
    if (line.starts_with("```") || line.starts_with("~~~")) fenced = !fenced;
    if (fenced) continue;
    const size_t level = std::min(line.find_first_not_of('#'), line.size());
    if (level == 0 || level > 6 || level == line.size() || line[level] != ' ') continue;
    line.remove_prefix(level);
    const size_t first = line.find_first_not_of(" #");
    if (first == line.npos) continue;
    const size_t last = line.find_last_not_of(" \t#");
    return std::string(line.substr(first, last + 1 - first));
  }
  return "";
}

class NotebookWriter {
 public:
  NotebookWriter(const Notebook& notebook, const ExtractLimits& limits)
      : notebook_(notebook), limits_(limits) {}

  Extraction Write() && {
    for (const NotebookCell& cell : notebook_.cells) {
      WriteCell(cell);
      if (out_.text.size() > limits_.max_text_bytes) {
        return FailedExtraction(
            ExtractOutcome::kTooLarge,
            "its text exceeds the limit of " + std::to_string(limits_.max_text_bytes) + " bytes");
      }
    }
    SetMeta("title", notebook_.title.empty() ? heading_ : notebook_.title);
    SetMeta("language", notebook_.language);
    SetMeta("kernel", notebook_.kernel);
    for (const std::string& author : notebook_.authors) SetMeta("authors", author);
    if (truncated_) out_.warnings = {"truncated_output"};
    if (out_.text.empty()) {
      out_.outcome = ExtractOutcome::kNoText;
      out_.reason = "its cells have no text";
    }
    return std::move(out_);
  }

 private:
  void SetMeta(const char* key, std::string_view value) {
    std::string clean = CleanNotebookSource(value);
    std::replace(clean.begin(), clean.end(), '\n', ' ');
    if (!clean.empty()) out_.meta[key].push_back(std::move(clean));
  }

  // Starts a block after an empty line.
  size_t StartBlock() {
    if (!out_.text.empty()) out_.text += '\n';
    return out_.text.size();
  }
  void EndBlock(size_t start, const NotebookCell& cell, std::string range) {
    if (!out_.text.ends_with('\n')) out_.text += '\n';
    out_.spans.push_back(
        {start,
         out_.text.size(),
         {LocatorKind::kCell, cell.number, CleanNotebookSource(cell.id), std::move(range)}});
  }

  void WriteCell(const NotebookCell& cell) {
    const std::string source = CleanNotebookSource(cell.source);
    if (!IsNotebookBlank(source)) {
      const size_t start = StartBlock();
      if (cell.kind == NotebookCellKind::kCode) {
        std::string language = MagicLanguage(source);
        if (language.empty()) language = FenceLanguage(notebook_.language);
        if (language.empty()) language = FenceLanguage(cell.language);
        AppendFenced(source, language, &out_.text);
      } else if (cell.kind == NotebookCellKind::kHeading) {
        WriteHeading(source, cell.level);
      } else {
        if (heading_.empty() && cell.kind == NotebookCellKind::kMarkdown) {
          heading_ = FirstNotebookHeading(source);
        }
        out_.text += source;
      }
      EndBlock(start, cell, "source");
    }
    if (cell.kind == NotebookCellKind::kCode) WriteOutputs(cell);
  }

  void WriteHeading(std::string line, int64_t level) {
    while (line.ends_with('\n')) line.pop_back();
    std::replace(line.begin(), line.end(), '\n', ' ');
    out_.text.append(static_cast<size_t>(std::clamp<int64_t>(level, 1, 6)), '#');
    out_.text += ' ' + line;
    if (heading_.empty()) heading_ = line;
  }

  void WriteOutputs(const NotebookCell& cell) {
    size_t room = kMostNotebookCellOutput;
    truncated_ = truncated_ || cell.outputs_truncated;
    for (const NotebookOutput& output : cell.outputs) {
      std::string raw = TextOfNotebookOutput(output);
      // A text that was cut may end within a character.
      std::string text;
      AppendRepairedUtf8(raw, &text);
      if (IsNotebookBlank(text)) continue;
      if (text.size() > room) {
        truncated_ = true;
        text.resize(FloorToCharacter(text, room));
        if (IsNotebookBlank(text)) return;
      }
      room -= text.size();
      const size_t start = StartBlock();
      AppendFenced(text, "text", &out_.text);
      EndBlock(start, cell, "output " + std::to_string(output.number));
    }
  }

  const Notebook& notebook_;
  const ExtractLimits& limits_;
  Extraction out_;
  std::string heading_;
  bool truncated_ = false;
};

}  // namespace

Extraction ExtractNotebook(std::string_view bytes, const ExtractLimits& limits) {
  Notebook notebook;
  std::string reason;
  const ExtractOutcome outcome = ReadNotebook(bytes, limits, &notebook, &reason);
  if (outcome != ExtractOutcome::kText) return FailedExtraction(outcome, std::move(reason));
  return NotebookWriter(notebook, limits).Write();
}

}  // namespace recall
