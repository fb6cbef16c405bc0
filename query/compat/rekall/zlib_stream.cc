// Decompresses DEFLATE (RFC 1951) inside a zlib stream.
//
// Problem. Rekall stores contexts compressed by zlib, and nothing else here needs that library. The
// bytes are not trusted.
//
// Idea. The canonical Huffman decoder of the RFC: the codes of each length are consecutive, so a
// count per length and the symbols in order of their codes suffice. Bits are read one at a time;
// contexts are a few kilobytes.
//
// Invariants. No read passes the end of the input, no copy reaches before the start of the output,
// and the output never exceeds its limit: each of these ends the decoding.
//
// Cost: O(bits of the input + bytes of the output).

#include "query/compat/rekall/zlib_stream.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace recall {
namespace {

constexpr size_t kMostCodeBits = 15;
constexpr size_t kLiteralSymbols = 288;
constexpr size_t kDistanceSymbols = 30;
constexpr size_t kLengthSymbols = 29;
constexpr int kEndOfBlock = 256;

constexpr std::array<uint16_t, kLengthSymbols> kLengthBase = {
    3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<uint8_t, kLengthSymbols> kLengthBits = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<uint16_t, kDistanceSymbols> kDistanceBase = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::array<uint8_t, kDistanceSymbols> kDistanceBits = {
    0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
    6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
// The order in which the lengths of the code for lengths are written.
constexpr std::array<uint8_t, 19> kCodeLengthOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                      11, 4,  12, 3, 13, 2, 14, 1, 15};

// A canonical Huffman code.
struct HuffmanCode {
  std::array<uint16_t, kMostCodeBits + 1> count{};  // symbols with codes of each length
  std::vector<uint16_t> symbols;                    // in the order of their codes
};

// Returns: false if the lengths describe more codes than there are.
bool BuildCode(std::span<const uint8_t> lengths, HuffmanCode* code) {
  code->count.fill(0);
  for (const uint8_t length : lengths) ++code->count[length];
  code->count[0] = 0;
  int left = 1;
  for (size_t bits = 1; bits <= kMostCodeBits; ++bits) {
    left = left * 2 - code->count[bits];
    if (left < 0) return false;
  }
  std::array<uint16_t, kMostCodeBits + 2> offset{};
  for (size_t bits = 1; bits <= kMostCodeBits; ++bits) {
    offset[bits + 1] = static_cast<uint16_t>(offset[bits] + code->count[bits]);
  }
  code->symbols.assign(lengths.size(), 0);
  for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    if (lengths[symbol] != 0) {
      code->symbols[offset[lengths[symbol]]++] = static_cast<uint16_t>(symbol);
    }
  }
  return true;
}

class Inflater final {
 public:
  Inflater(std::string_view in, size_t max_bytes) : in_(in), max_bytes_(max_bytes) {}

  bool Run() {
    for (bool last = false; !last;) {
      const int is_last = Bits(1);
      const int type = Bits(2);
      if (is_last < 0 || type < 0) return false;
      last = is_last == 1;
      const bool done = type == 0   ? CopyStored()
                        : type == 1 ? Decode(FixedLiterals(), FixedDistances())
                        : type == 2 ? DecodeDynamic()
                                    : false;
      if (!done) return false;
    }
    return true;
  }

  std::string TakeOutput() { return std::move(out_); }
  const std::string& output() const { return out_; }
  // The bytes after the last block.
  std::string_view Rest() const { return in_.substr(at_); }

 private:
  // The next bits, least significant first; -1 at the end of the input.
  int Bits(int count) {
    int value = 0;
    for (int bit = 0; bit < count; ++bit) {
      if (bits_left_ == 0) {
        if (at_ == in_.size()) return -1;
        byte_ = static_cast<uint8_t>(in_[at_++]);
        bits_left_ = 8;
      }
      value |= (byte_ & 1) << bit;
      byte_ = static_cast<uint8_t>(byte_ >> 1);
      --bits_left_;
    }
    return value;
  }

  // The next symbol; -1 if there is none.
  int Symbol(const HuffmanCode& code) {
    int value = 0;
    int first = 0;
    int index = 0;
    for (size_t bits = 1; bits <= kMostCodeBits; ++bits) {
      const int bit = Bits(1);
      if (bit < 0) return -1;
      value |= bit;
      const int count = code.count[bits];
      if (value - first < count) return code.symbols[static_cast<size_t>(index + value - first)];
      index += count;
      first = (first + count) * 2;
      value *= 2;
    }
    return -1;
  }

  bool CopyStored() {
    bits_left_ = 0;
    if (in_.size() - at_ < 4) return false;
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(in_[at_ + i]); };
    const size_t size = byte(0) | byte(1) << 8;
    if (size != static_cast<size_t>((~(byte(2) | byte(3) << 8)) & 0xFFFF)) return false;
    at_ += 4;
    if (in_.size() - at_ < size || max_bytes_ - out_.size() < size) return false;
    out_.append(in_.substr(at_, size));
    at_ += size;
    return true;
  }

  bool Decode(const HuffmanCode& literals, const HuffmanCode& distances) {
    for (;;) {
      const int symbol = Symbol(literals);
      if (symbol < 0) return false;
      if (symbol == kEndOfBlock) return true;
      if (symbol < kEndOfBlock) {
        if (out_.size() == max_bytes_) return false;
        out_ += static_cast<char>(symbol);
      } else if (!CopyEarlier(static_cast<size_t>(symbol - kEndOfBlock - 1), distances)) {
        return false;
      }
    }
  }

  bool CopyEarlier(size_t length_symbol, const HuffmanCode& distances) {
    if (length_symbol >= kLengthSymbols) return false;
    const int more_length = Bits(kLengthBits[length_symbol]);
    const int symbol = Symbol(distances);
    if (more_length < 0 || symbol < 0 || symbol >= int{kDistanceSymbols}) return false;
    const auto distance_symbol = static_cast<size_t>(symbol);
    const int more_distance = Bits(kDistanceBits[distance_symbol]);
    if (more_distance < 0) return false;
    const size_t length = kLengthBase[length_symbol] + static_cast<size_t>(more_length);
    const size_t distance = kDistanceBase[distance_symbol] + static_cast<size_t>(more_distance);
    if (distance > out_.size() || max_bytes_ - out_.size() < length) return false;
    for (size_t i = 0; i < length; ++i) out_ += out_[out_.size() - distance];
    return true;
  }

  bool DecodeDynamic() {
    const int literal_count = Bits(5) + 257;
    const int distance_count = Bits(5) + 1;
    const int code_count = Bits(4) + 4;
    if (literal_count < 257 || distance_count < 1 || code_count < 4) return false;
    if (literal_count > 286 || distance_count > int{kDistanceSymbols}) return false;
    std::array<uint8_t, kCodeLengthOrder.size()> code_lengths{};
    for (int i = 0; i < code_count; ++i) {
      const int length = Bits(3);
      if (length < 0) return false;
      code_lengths[kCodeLengthOrder[static_cast<size_t>(i)]] = static_cast<uint8_t>(length);
    }
    HuffmanCode code;
    if (!BuildCode(code_lengths, &code)) return false;
    std::vector<uint8_t> lengths;
    const auto wanted = static_cast<size_t>(literal_count + distance_count);
    while (lengths.size() < wanted) {
      if (!ReadLengths(code, wanted, &lengths)) return false;
    }
    const std::span<const uint8_t> all = lengths;
    HuffmanCode literals;
    HuffmanCode distances;
    return BuildCode(all.first(static_cast<size_t>(literal_count)), &literals) &&
           BuildCode(all.subspan(static_cast<size_t>(literal_count)), &distances) &&
           Decode(literals, distances);
  }

  // Reads one length or one run of equal lengths.
  bool ReadLengths(const HuffmanCode& code, size_t wanted, std::vector<uint8_t>* lengths) {
    const int symbol = Symbol(code);
    if (symbol < 0) return false;
    if (symbol < 16) {
      lengths->push_back(static_cast<uint8_t>(symbol));
      return true;
    }
    if (symbol == 16 && lengths->empty()) return false;
    const uint8_t repeated = symbol == 16 ? lengths->back() : uint8_t{0};
    const int more = Bits(symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
    if (more < 0) return false;
    const auto run = static_cast<size_t>(more + (symbol == 18 ? 11 : 3));
    if (wanted - lengths->size() < run) return false;
    lengths->insert(lengths->end(), run, repeated);
    return true;
  }

  static const HuffmanCode& FixedLiterals() {
    static const HuffmanCode code = [] {
      std::array<uint8_t, kLiteralSymbols> lengths{};
      for (size_t i = 0; i < lengths.size(); ++i) {
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
      }
      HuffmanCode built;
      BuildCode(lengths, &built);
      return built;
    }();
    return code;
  }
  static const HuffmanCode& FixedDistances() {
    static const HuffmanCode code = [] {
      std::array<uint8_t, kDistanceSymbols> lengths{};
      lengths.fill(5);
      HuffmanCode built;
      BuildCode(lengths, &built);
      return built;
    }();
    return code;
  }

  std::string_view in_;
  size_t at_ = 0;
  uint8_t byte_ = 0;
  int bits_left_ = 0;
  size_t max_bytes_;
  std::string out_;
};

uint32_t Adler32(std::string_view text) {
  constexpr uint32_t kModulus = 65521;
  uint32_t a = 1;
  uint32_t b = 0;
  for (const char c : text) {
    a = (a + static_cast<uint8_t>(c)) % kModulus;
    b = (b + a) % kModulus;
  }
  return b << 16 | a;
}

}  // namespace

std::optional<std::string> InflateZlib(std::string_view bytes, size_t max_bytes) {
  if (bytes.size() < 2) return std::nullopt;
  const auto header = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const bool is_zlib =
      (header(0) & 15) == 8 && (header(0) * 256 + header(1)) % 31 == 0 && (header(1) & 32) == 0;
  if (!is_zlib) return std::nullopt;
  Inflater inflater(bytes.substr(2), max_bytes);
  if (!inflater.Run()) return std::nullopt;
  const std::string_view rest = inflater.Rest();
  if (rest.size() < 4) return std::nullopt;
  uint32_t checksum = 0;
  for (size_t i = 0; i < 4; ++i) checksum = checksum << 8 | static_cast<uint8_t>(rest[i]);
  if (checksum != Adler32(inflater.output())) return std::nullopt;
  return inflater.TakeOutput();
}

}  // namespace recall
