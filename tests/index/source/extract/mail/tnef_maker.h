#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/index/source/extract/zip_maker.h"

namespace recall {

// Makes messages as MS-OXTNEF says.

inline std::string TnefAttributeBytes(int level, uint32_t id, std::string_view value) {
  std::string bytes;
  AppendLittle(static_cast<uint64_t>(level), 1, &bytes);
  AppendLittle(id, 4, &bytes);
  AppendLittle(value.size(), 4, &bytes);
  bytes += value;
  uint16_t sum = 0;
  for (const char c : value) sum = static_cast<uint16_t>(sum + static_cast<uint8_t>(c));
  AppendLittle(sum, 2, &bytes);
  return bytes;
}

inline std::string PaddedTnef(std::string_view value) {
  std::string bytes;
  AppendLittle(value.size(), 4, &bytes);
  bytes += value;
  bytes.append((4 - value.size() % 4) % 4, '\0');
  return bytes;
}

// A property whose value has a size of its own: a text (0x1E, 0x1F), bytes (0x102), an object (13).
inline std::string TnefPropertyBytes(uint16_t type, uint16_t id, std::string_view value) {
  std::string bytes;
  AppendLittle(type, 2, &bytes);
  AppendLittle(id, 2, &bytes);
  if (id >= 0x8000) {  // named by a text
    bytes.append(16, 'G');
    AppendLittle(1, 4, &bytes);
    bytes += PaddedTnef("n\0a\0m\0\0");
  }
  AppendLittle(1, 4, &bytes);
  return bytes + PaddedTnef(value);
}

inline std::string TnefNumberBytes(uint16_t type, uint16_t id, uint64_t value, int size) {
  std::string bytes;
  AppendLittle(type, 2, &bytes);
  AppendLittle(id, 2, &bytes);
  AppendLittle(value, size, &bytes);
  return bytes;
}

inline std::string TnefUtf16(std::string_view ascii) {
  std::string bytes;
  for (const char c : ascii) bytes += std::string(1, c) + '\0';
  return bytes + std::string(2, '\0');
}

inline std::string TnefPropertyList(const std::vector<std::string>& properties) {
  std::string bytes;
  AppendLittle(properties.size(), 4, &bytes);
  for (const std::string& property : properties) bytes += property;
  return bytes;
}

// A message with these attributes, of Windows code page `code_page`.
inline std::string MakeTnef(const std::string& attributes, uint32_t code_page = 1252) {
  std::string pages;
  AppendLittle(code_page, 4, &pages);
  AppendLittle(0, 4, &pages);
  return std::string("\x78\x9F\x3E\x22\x01\x00", 6) +
         TnefAttributeBytes(1, 0x00089006, std::string("\0\0\1\0", 4)) +
         TnefAttributeBytes(1, 0x00069007, pages) + attributes;
}

// An attachment: its beginning, its name and its bytes.
inline std::string TnefFileBytes(const std::string& title, const std::string& bytes,
                                 const std::vector<std::string>& properties = {}) {
  return TnefAttributeBytes(2, 0x00069002, std::string(14, '\0')) +
         TnefAttributeBytes(2, 0x00018010, title + '\0') +
         (bytes.empty() ? "" : TnefAttributeBytes(2, 0x0006800F, bytes)) +
         (properties.empty() ? ""
                             : TnefAttributeBytes(2, 0x00069005, TnefPropertyList(properties)));
}

inline std::string TnefPropertiesOfMessage(const std::vector<std::string>& properties) {
  return TnefAttributeBytes(1, 0x00069003, TnefPropertyList(properties));
}

// RTF as it is packed, without references to what was before.
inline std::string PackedRtf(std::string_view rtf) {
  std::string packed;
  for (size_t at = 0; at < rtf.size(); at += 8) packed += '\0' + std::string(rtf.substr(at, 8));
  std::string bytes;
  AppendLittle(packed.size() + 12, 4, &bytes);
  AppendLittle(rtf.size(), 4, &bytes);
  AppendLittle(0x75465A4C, 4, &bytes);
  AppendLittle(0, 4, &bytes);
  return bytes + packed;
}

}  // namespace recall
