#include "index/subword/charsmap_normalizer.h"

#include <utf8proc.h>

#include "index/base/text/utf8.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

// SentencePiece compiles its normalisation rules (NFKC with changes, or custom ones) into a map
// from byte strings to byte strings, and Hugging Face stores the map in tokenizer.json as base64:
//
//   u32 size of the trie | trie: u32 units of Darts-clone | values: strings, each ended by NUL
//
// The trie is a double array (Aoe, 1989) in the layout of the library Darts-clone. A node is an
// index; the child for byte b is at offset(node) XOR b, and it exists if the label of that unit is
// b:
//
//   unit: bits 0..7 label | 8 has a leaf | 9 and 10..30 offset | 31 set in a leaf
//   leaf: bits 0..30 index of the value
//
// Text is divided into grapheme clusters, because the reference implementation looks up a whole
// cluster first (up to five bytes) and its code points only if that fails. Between two ASCII
// characters there is always a cluster boundary, except in CR LF, so ASCII text skips the
// segmentation.
//
// The array comes from a file: every index is compared with its size, values must be valid UTF-8,
// begin at a character boundary and have at most 256 bytes, so a hostile file can neither read out
// of bounds nor expand a text without limit.

// Fields of a unit of the double array, in the layout of Darts-clone.
bool HasLeaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
uint32_t ValueOf(uint32_t unit) { return unit & 0x7FFFFFFF; }
uint32_t LabelOf(uint32_t unit) { return unit & 0x800000FF; }
uint32_t OffsetOf(uint32_t unit) { return unit >> 10 << ((unit & 1u << 9) >> 6); }

// Longer clusters are not looked up as a whole.
constexpr size_t kMostKeyBytes = 5;
// The longest replacement of Unicode's own rules, that of U+FDFA, has 33 bytes. The limit bounds
// the growth of a text.
constexpr size_t kMostValueBytes = 256;

bool IsAsciiAt(std::string_view text, size_t position) {
  return position >= text.size() || static_cast<unsigned char>(text[position]) < 0x80;
}

}  // namespace

Result<CharsmapNormalizer> CharsmapNormalizer::Parse(std::string_view bytes) {
  ByteReader reader(AsBytes(bytes));
  const uint32_t trie_bytes = reader.Read<uint32_t>();
  const ByteSpan trie = reader.ReadBytes(trie_bytes);
  if (!reader.ok() || trie_bytes % sizeof(uint32_t) != 0 || trie_bytes == 0) {
    return Fail(BadTokenizerField("precompiled_charsmap"));
  }
  CharsmapNormalizer made;
  ByteReader units(trie);
  made.units_.resize(trie.size() / sizeof(uint32_t));
  for (uint32_t& unit : made.units_) unit = units.Read<uint32_t>();
  made.values_ = AsText(reader.ReadBytes(reader.remaining()));
  if (!IsValidUtf8(made.values_)) return Fail(BadTokenizerField("precompiled_charsmap"));
  return made;
}

std::optional<std::string_view> CharsmapNormalizer::Find(std::string_view text) const {
  // Every index is compared with the size, because the array comes from a file.
  size_t node = OffsetOf(units_[0]);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) return std::nullopt;
    node ^= byte;
    if (node >= units_.size() || LabelOf(units_[node]) != byte) return std::nullopt;
    const bool has_leaf = HasLeaf(units_[node]);
    node ^= OffsetOf(units_[node]);
    if (!has_leaf) continue;
    if (node >= units_.size()) return std::nullopt;
    const size_t value = ValueOf(units_[node]);
    // A value cannot begin inside a character.
    if (value > values_.size() || FloorToCharacter(values_, value) != value) return std::nullopt;
    const size_t end = values_.find('\0', value);
    if (end == values_.npos || end - value > kMostValueBytes) return std::nullopt;
    return std::string_view(values_).substr(value, end - value);
  }
  return std::nullopt;
}

void CharsmapNormalizer::AppendPart(std::string_view part, std::string* out) const {
  out->append(Find(part).value_or(part));
}

void CharsmapNormalizer::AppendCluster(std::string_view cluster, std::string* out) const {
  if (cluster.size() <= kMostKeyBytes) {
    if (const auto found = Find(cluster)) return static_cast<void>(out->append(*found));
  }
  for (size_t position = 0; position < cluster.size();) {
    const size_t begin = position;
    DecodeUtf8(cluster, &position);
    AppendPart(cluster.substr(begin, position - begin), out);
  }
}

void CharsmapNormalizer::Append(std::string_view text, std::string* out) const {
  for (size_t begin = 0; begin < text.size();) {
    // Only CR LF forms a cluster of two ASCII characters.
    if (IsAsciiAt(text, begin) && IsAsciiAt(text, begin + 1) && text[begin] != '\r') {
      AppendPart(text.substr(begin, 1), out);
      ++begin;
      continue;
    }
    size_t end = begin;
    utf8proc_int32_t state = 0;
    auto previous = static_cast<utf8proc_int32_t>(DecodeUtf8(text, &end));
    while (end < text.size()) {
      size_t next = end;
      const auto c = static_cast<utf8proc_int32_t>(DecodeUtf8(text, &next));
      if (utf8proc_grapheme_break_stateful(previous, c, &state)) break;
      previous = c;
      end = next;
    }
    AppendCluster(text.substr(begin, end - begin), out);
    begin = end;
  }
}

}  // namespace recall
