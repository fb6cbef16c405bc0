#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// An entry of a ZIP file to be made. It is stored, unless `packed` has its deflated bytes.
struct MadeZipEntry {
  std::string name;
  std::string text;
  std::string packed = {};
  uint16_t flags = 0;        // bit 0: encrypted
  uint64_t claimed = ~0ull;  // unpacked size to be told; by default that of `text`
};

inline uint32_t ZipCheckSum(std::string_view text) {
  uint32_t crc = ~0u;
  for (const char c : text) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

inline void AppendLittle(uint64_t value, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i) *out += static_cast<char>(i < 8 ? value >> (8 * i) : 0);
}

// Makes a ZIP file as APPNOTE says; names may have any bytes.
inline std::string MakeZip(const std::vector<MadeZipEntry>& entries) {
  std::string bytes;
  std::string directory;
  for (const MadeZipEntry& entry : entries) {
    const bool stored = entry.packed.empty();
    const std::string& data = stored ? entry.text : entry.packed;
    std::string common;
    AppendLittle(20, 2, &common);
    AppendLittle(entry.flags, 2, &common);
    AppendLittle(stored ? 0 : 8, 2, &common);
    AppendLittle(0, 4, &common);
    AppendLittle(ZipCheckSum(entry.text), 4, &common);
    AppendLittle(data.size(), 4, &common);
    AppendLittle(entry.claimed == ~0ull ? entry.text.size() : entry.claimed, 4, &common);
    AppendLittle(entry.name.size(), 2, &common);
    AppendLittle(0, 2, &common);
    AppendLittle(0x02014b50, 4, &directory);
    AppendLittle(20, 2, &directory);
    directory += common;
    AppendLittle(0, 10, &directory);
    AppendLittle(bytes.size(), 4, &directory);
    directory += entry.name;
    AppendLittle(0x04034b50, 4, &bytes);
    bytes += common + entry.name + data;
  }
  const size_t begin = bytes.size();
  bytes += directory;
  AppendLittle(0x06054b50, 4, &bytes);
  AppendLittle(0, 4, &bytes);
  AppendLittle(entries.size(), 2, &bytes);
  AppendLittle(entries.size(), 2, &bytes);
  AppendLittle(directory.size(), 4, &bytes);
  AppendLittle(begin, 4, &bytes);
  AppendLittle(0, 2, &bytes);
  return bytes;
}

}  // namespace recall
