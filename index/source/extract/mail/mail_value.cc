#include "index/source/extract/mail/mail_value.h"

#include <algorithm>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/mail/mail_transfer.h"
#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

// Appends bytes of a header that are outside of encoded words.
void AppendRawMailText(std::string_view bytes, std::string_view charset, std::string* out,
                       MailNotes* notes) {
  if (IsValidUtf8(bytes)) {
    out->append(bytes);
  } else {
    NoteCharsetFit(AppendInCharset(bytes, charset, out), notes);
  }
}

struct EncodedMailWord {
  std::string_view charset;
  char encoding = 'q';  // or 'b'
  std::string_view text;
  size_t end = 0;  // the offset after it
};

// Reads "=?charset?encoding?text?=" at `at`. Returns whether there is one.
bool ReadEncodedMailWord(std::string_view value, size_t at, EncodedMailWord* word) {
  if (value.substr(at, 2) != "=?") return false;
  const size_t charset_end = value.substr(0, std::min(at + 80, value.size())).find('?', at + 2);
  if (charset_end == value.npos || charset_end + 2 >= value.size()) return false;
  word->charset = value.substr(at + 2, charset_end - at - 2);
  word->encoding = LowerMailChar(value[charset_end + 1]);
  if (word->charset.empty() || (word->encoding != 'q' && word->encoding != 'b')) return false;
  if (value[charset_end + 2] != '?') return false;
  const size_t start = charset_end + 3;
  // Some programs write a "?" in the text of a Q word, which is not allowed.
  size_t end = value.find('?', start);
  while (end != value.npos && end + 1 < value.size() && value[end + 1] != '=' &&
         word->encoding == 'q' && value[end + 1] != ' ' && end - start < 200) {
    end = value.find('?', end + 1);
  }
  if (end == value.npos || end + 1 >= value.size() || value[end + 1] != '=') return false;
  word->text = value.substr(start, end - start);
  word->end = end + 2;
  return true;
}

// Decodes the encoded words of an unfolded value. Words of one charset that follow each other are
// decoded as one, because some programs divide a character.
std::string DecodeMailWords(std::string_view value, std::string_view charset, MailNotes* notes) {
  std::string out;
  size_t plain = 0;  // the start of the text that is not decoded yet
  for (size_t at = 0; (at = value.find("=?", at)) != value.npos;) {
    EncodedMailWord word;
    if (!ReadEncodedMailWord(value, at, &word)) {
      at += 2;
      continue;
    }
    AppendRawMailText(value.substr(plain, at - plain), charset, &out, notes);
    const std::string_view word_charset = word.charset;
    std::string bytes;
    for (;;) {
      bytes += word.encoding == 'b' ? DecodeMailBase64(word.text) : DecodeQWord(word.text);
      at = plain = word.end;
      // White space between two encoded words is not part of the text.
      const size_t next = value.find_first_not_of(' ', at);
      EncodedMailWord following;
      if (next == value.npos || !ReadEncodedMailWord(value, next, &following)) break;
      at = plain = next;
      if (following.charset != word_charset) break;
      word = following;
    }
    NoteCharsetFit(AppendInCharset(bytes, word_charset, &out), notes);
  }
  AppendRawMailText(value.substr(plain), charset, &out, notes);
  return out;
}

// Puts a decoded value into one line with single spaces.
std::string OneMailLine(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const bool space = c >= 0 && c <= ' ';
    if (!space && c != 0x7F) {
      line.push_back(c);
    } else if (!line.empty() && line.back() != ' ') {
      line.push_back(' ');
    }
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

std::string_view CutMailValue(std::string_view raw, MailNotes* notes) {
  if (raw.size() <= kLongestMailValue) return raw;
  notes->cut_header = true;
  return raw.substr(0, FloorToCharacter(raw, kLongestMailValue));
}

}  // namespace

void NoteCharsetFit(CharsetFit fit, MailNotes* notes) {
  if (fit == CharsetFit::kUnknown) notes->unknown_charset = true;
  if (fit == CharsetFit::kWrong) notes->wrong_charset = true;
}

std::string UnfoldMailValue(std::string_view raw, MailNotes* notes) {
  std::string value;
  raw = CutMailValue(raw, notes);
  value.reserve(raw.size());
  for (const char c : raw) {
    if (c == '\r' || c == '\n') continue;
    value.push_back(c == '\0' || c == '\t' ? ' ' : c);
  }
  return value;
}

std::string CleanMailLine(std::string_view text) {
  std::string clean;
  AppendRepairedUtf8(OneMailLine(text), &clean);
  return clean;
}

std::string DecodeMailValue(std::string_view raw, std::string_view charset, MailNotes* notes) {
  return CleanMailLine(DecodeMailWords(UnfoldMailValue(raw, notes), charset, notes));
}

std::vector<std::string> MailIds(std::string_view raw, size_t most) {
  MailNotes ignored;
  const std::string value = UnfoldMailValue(raw, &ignored);
  std::vector<std::string> ids;
  const auto add = [&](std::string_view id) {
    std::string clean = CleanMailLine(id);
    std::erase(clean, ' ');
    if (!clean.empty()) ids.push_back(std::move(clean));
  };
  for (size_t at = 0; ids.size() < most;) {
    const size_t start = value.find('<', at);
    const size_t end = start == value.npos ? value.npos : value.find('>', start);
    if (end == value.npos) break;
    add(std::string_view(value).substr(start + 1, end - start - 1));
    at = end + 1;
  }
  if (ids.empty() && most > 0) {
    const std::string_view word = TrimMail(value);
    add(word.substr(0, word.find_first_of(" <>")));
  }
  return ids;
}

}  // namespace recall
