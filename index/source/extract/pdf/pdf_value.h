#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A value as the syntax of PDF has it (ISO 32000-1, 7.3). Texts are parts of the bytes that were
// parsed, which must outlive the value.
struct PdfValue {
  enum class Kind : uint8_t {
    kNull,  // also what is no value; `text` is the keyword: "null", "true", "false"
    kNumber,
    kLiteral,  // (text): `text` is what stands between the brackets, with its escapes
    kHex,      // <text>
    kName,     // /text
    kArray,
    kDictionary,  // `items`: keys, which are names, and their values in turn
    kReference,   // `number` is that of the object
  };

  Kind kind = Kind::kNull;
  int64_t number = 0;     // of a real number its whole part
  std::string_view text;  // of numbers and references as they stand there
  std::vector<PdfValue> items;

  bool IsString() const { return kind == Kind::kLiteral || kind == Kind::kHex; }
  bool IsName(std::string_view name) const { return kind == Kind::kName && text == name; }
  // The value of a key of a dictionary; null if there is none. Of equal keys the last one counts.
  const PdfValue& At(std::string_view key) const;
};

// Reads values and keywords from any bytes. Cost: linear in what is read. A value of more than
// 1,000,000 parts or 100 levels ends early.
class PdfParser final {
 public:
  PdfParser(std::string_view bytes, size_t at) : bytes_(bytes), at_(at) {}

  size_t at() const { return at_; }
  void MoveTo(size_t at) { at_ = at; }
  bool at_end() const { return at_ >= bytes_.size(); }
  void SkipSpace();
  // Moves past `word` and returns true if it is next.
  bool Take(std::string_view word);
  // Reads digits; false if none are next, or more than 10.
  bool TakeNumber(int64_t* number);
  // Moves past a value or keyword; at least one byte.
  PdfValue Value();

 private:
  PdfValue ValueAt(int depth);
  PdfValue NumberOrReference();
  PdfValue Literal();
  void Items(std::string_view end, int depth, PdfValue* value);

  std::string_view bytes_;
  size_t at_;
  size_t parts_ = 0;
};

// The bytes of a string: without escapes, or from hexadecimal digits.
std::string PdfStringBytes(const PdfValue& string);

// A text string (ISO 32000-1, 7.9.2.2) as UTF-8 without NUL: UTF-16, UTF-8 or PDFDocEncoding. Line
// ends are "\n", other control characters spaces.
std::string PdfTextOf(const PdfValue& string);

}  // namespace recall
