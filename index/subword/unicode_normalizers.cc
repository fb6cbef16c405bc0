#include "index/subword/unicode_normalizers.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "index/base/text/utf8.h"
#include "index/subword/character_class.h"

namespace recall {
namespace {

bool IsAsciiByte(char c) { return static_cast<unsigned char>(c) < 0x80; }

utf8proc_option_t OptionsOf(UnicodeForm form) {
  switch (form) {
    case UnicodeForm::kNfc:
      return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    case UnicodeForm::kNfd:
      return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
    case UnicodeForm::kNfkc:
      return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
    case UnicodeForm::kNfkd:
      return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
  }
  return UTF8PROC_STABLE;
}

// Calls fn(character, its bytes) for each character.
template <typename Fn>
void ForEachCharacter(std::string_view text, Fn fn) {
  for (size_t position = 0; position < text.size();) {
    const size_t begin = position;
    const uint32_t c = DecodeUtf8(text, &position);
    fn(c, text.substr(begin, position - begin));
  }
}

// The end of a piece of `text` from `begin` on that can be normalised independently: before an
// ASCII character, which never combines with the preceding character. Marks are sorted by
// exchanging neighbours, which is quadratic. A run of kilobytes without ASCII is therefore cut
// before a character that is not a mark, or in the end anywhere, so that the time stays bounded.
size_t EndOfRun(std::string_view text, size_t begin, size_t position) {
  constexpr size_t kLong = size_t{2} << 10;
  constexpr size_t kTooLong = size_t{4} << 10;
  while (position < text.size() && !IsAsciiByte(text[position])) {
    const size_t size = position - begin;
    size_t next = position;
    const uint32_t c = DecodeUtf8(text, &next);
    if (size > kTooLong || (size > kLong && !IsAnyMark(c))) break;
    position = next;
  }
  return position;
}

// The replacement of a character by SentencePiece's rule: itself, a space, or nothing (0).
uint32_t CleanForNmt(uint32_t c) {
  switch (c) {
    case 0x0009:
    case 0x000A:
    case 0x000C:
    case 0x000D:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x2581:
    case 0xFEFF:
    case 0xFFFD:
      return ' ';
    case 0x007F:
    case 0x008F:
    case 0x009F:
      return 0;
    default:
      if (c >= 0x200B && c <= 0x200F) return ' ';
      return c > 0 && c < ' ' ? 0 : c;
  }
}

}  // namespace

void AppendLowercase(uint32_t c, std::string* out) {
  // The only character whose lower case is two characters.
  if (c == 0x130) return static_cast<void>(out->append("i\u0307"));
  AppendUtf8(static_cast<uint32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))), out);
}

void FormNormalizer::Append(std::string_view text, std::string* out) const {
  for (size_t begin = 0; begin < text.size();) {
    const size_t first = static_cast<size_t>(
        std::find_if_not(text.begin() + static_cast<ptrdiff_t>(begin), text.end(), IsAsciiByte) -
        text.begin());
    if (first == text.size()) return static_cast<void>(out->append(text.substr(begin)));
    // A mark may follow the last ASCII character and combine with it.
    const size_t run = first > begin ? first - 1 : first;
    out->append(text.substr(begin, run - begin));
    begin = EndOfRun(text, run, first);
    AppendForm(text.substr(run, begin - run), out);
  }
}

void FormNormalizer::AppendForm(std::string_view text, std::string* out) const {
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &mapped, OptionsOf(form_));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) throw std::bad_alloc();  // the only error, because the text is UTF-8
  out->append(reinterpret_cast<const char*>(mapped), static_cast<size_t>(size));
}

void LowercaseNormalizer::Append(std::string_view text, std::string* out) const {
  for (size_t position = 0; position < text.size();) {
    const char c = text[position];
    if (!IsAsciiByte(c)) {
      AppendLowercase(DecodeUtf8(text, &position), out);
      continue;
    }
    out->push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c);
    ++position;
  }
}

void StripAccentsNormalizer::Append(std::string_view text, std::string* out) const {
  ForEachCharacter(text, [out](uint32_t c, std::string_view bytes) {
    if (!IsAnyMark(c)) out->append(bytes);
  });
}

void StripNormalizer::Append(std::string_view text, std::string* out) const {
  size_t begin = text.size();
  size_t end = 0;
  size_t position = 0;
  ForEachCharacter(text, [&](uint32_t c, std::string_view bytes) {
    if (!IsWhiteSpace(c)) {
      begin = std::min(begin, position);
      end = position + bytes.size();
    }
    position += bytes.size();
  });
  if (!left_) begin = 0;
  if (!right_) end = text.size();
  if (begin < end) out->append(text.substr(begin, end - begin));
}

void NmtNormalizer::Append(std::string_view text, std::string* out) const {
  ForEachCharacter(text, [out](uint32_t c, std::string_view bytes) {
    const uint32_t clean = CleanForNmt(c);
    if (clean == c) {
      out->append(bytes);
    } else if (clean != 0) {
      out->push_back(static_cast<char>(clean));
    }
  });
}

}  // namespace recall
