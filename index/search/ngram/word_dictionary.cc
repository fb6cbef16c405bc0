#include "index/search/ngram/word_dictionary.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "index/search/ngram/forward_format.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

constexpr size_t kChecksumBytes = sizeof(forward_format::Header::checksum);

uint32_t DictionaryChecksum(ByteSpan bytes) {
  const uint32_t fields = Crc32c(bytes.first(sizeof(forward_format::Header) - kChecksumBytes));
  return Crc32c(bytes.subspan(sizeof(forward_format::Header)), fields);
}

Status DamagedDictionary(const char* what) {
  return Status::Corruption(std::string("the dictionary of the forward index is damaged: ") + what,
                            "run `recall doctor --fix`");
}

}  // namespace

Result<WordDictionary> WordDictionary::Decode(std::string bytes) {
  forward_format::Header header;
  if (bytes.size() < sizeof(header)) return Fail(DamagedDictionary("it is too short"));
  std::memcpy(&header, bytes.data(), sizeof(header));
  const bool known = std::ranges::equal(header.magic, forward_format::kMagic) &&
                     header.version == forward_format::kVersion && header.reserved == 0;
  if (!known) return Fail(DamagedDictionary("its header"));
  const uint64_t size = sizeof(header) + uint64_t{header.words} + header.text_bytes;
  if (header.words > kMostWords || bytes.size() != size) {
    return Fail(DamagedDictionary("its size"));
  }
  if (header.checksum != DictionaryChecksum(AsBytes(bytes))) {
    return Fail(DamagedDictionary("its checksum"));
  }
  WordDictionary dictionary;
  const ByteSpan lengths = AsBytes(bytes).subspan(sizeof(header), header.words);
  const bool valid = std::ranges::all_of(lengths, [](uint8_t length) {
    return length > 0 && length <= forward_format::kMostWordBytes;
  });
  dictionary.ends_.resize(header.words + 1);
  auto end = static_cast<uint32_t>(sizeof(header) + header.words);
  dictionary.ends_[0] = end;
  for (uint32_t i = 0; i < header.words; ++i) dictionary.ends_[i + 1] = end += lengths[i];
  if (!valid || end != bytes.size()) return Fail(DamagedDictionary("the lengths of its words"));
  dictionary.bytes_ = std::move(bytes);
  return dictionary;
}

std::string WordDictionary::Encode(std::span<const std::string> words) {
  RECALL_CHECK(words.size() <= kMostWords);
  std::string lengths;
  std::string text;
  for (const std::string& word : words) {
    RECALL_CHECK(!word.empty() && word.size() <= forward_format::kMostWordBytes);
    lengths.push_back(static_cast<char>(word.size()));
    text += word;
  }
  forward_format::Header header{};
  std::ranges::copy(forward_format::kMagic, header.magic);
  header.version = forward_format::kVersion;
  header.words = static_cast<uint32_t>(words.size());
  header.text_bytes = static_cast<uint32_t>(text.size());
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes += lengths + text;
  const uint32_t checksum = DictionaryChecksum(AsBytes(bytes));
  std::memcpy(bytes.data() + offsetof(forward_format::Header, checksum), &checksum,
              sizeof(checksum));
  return bytes;
}

void WordCounter::AddChunk(std::string_view heading, std::string_view text) {
  ++chunk_;
  const auto count = [&](std::string_view marked) {
    const std::string_view word = marked.substr(1, marked.size() - 2);
    auto found = counts_.find(word);
    if (found == counts_.end()) found = counts_.emplace(word, Count()).first;
    if (std::exchange(found->second.last, chunk_) != chunk_) ++found->second.chunks;
  };
  scanner_.ForEach(heading, count);
  scanner_.ForEach(text, count);
}

std::vector<std::string> WordCounter::MostFrequent(size_t most) const {
  using Entry = std::pair<std::string_view, uint32_t>;
  std::vector<Entry> entries;
  for (const auto& [word, count] : counts_) {
    if (count.chunks >= 2) entries.emplace_back(word, count.chunks);
  }
  // The order of the hash table has no influence: words differ.
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  entries.resize(std::min(entries.size(), most));
  std::vector<std::string> words;
  words.reserve(entries.size());
  for (const Entry& entry : entries) words.emplace_back(entry.first);
  return words;
}

}  // namespace recall
