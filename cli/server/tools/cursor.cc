#include "cli/server/tools/cursor.h"

#include <algorithm>

#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "storage/base/checksum.h"
#include "storage/base/varint.h"

namespace recall {
namespace {

constexpr size_t kChecked = 2 * sizeof(uint32_t);  // bytes before those that the checksum covers

}  // namespace

std::string EncodeCursor(const Cursor& cursor) {
  std::string rest;
  AppendVarint(cursor.offset, &rest);
  rest += cursor.snapshot + '\0';
  for (const std::string& target : cursor.targets) rest += target + '\0';

  std::string bytes(kChecked, '\0');
  const uint32_t sum = Crc32c(AsBytes(rest), cursor.fingerprint);
  auto* const head = reinterpret_cast<uint8_t*>(bytes.data());
  StoreLittle(head, cursor.fingerprint);
  StoreLittle(head + sizeof(uint32_t), sum);
  bytes += rest;
  std::string text;
  AppendBase64(AsBytes(bytes), &text);
  text.erase(std::min(text.find('='), text.size()));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

std::optional<Cursor> DecodeCursor(std::string_view text) {
  std::string padded(text);
  if (padded.find_first_of("+/=") != std::string::npos) return std::nullopt;
  std::ranges::replace(padded, '-', '+');
  std::ranges::replace(padded, '_', '/');
  padded.append((4 - padded.size() % 4) % 4, '=');
  const auto bytes = DecodeBase64(padded);
  if (!bytes || bytes->size() <= kChecked) return std::nullopt;
  const ByteSpan all = AsBytes(*bytes);
  Cursor cursor;
  cursor.fingerprint = LoadLittle<uint32_t>(all.data());
  const ByteSpan rest = all.subspan(kChecked);
  if (Crc32c(rest, cursor.fingerprint) != LoadLittle<uint32_t>(all.data() + sizeof(uint32_t))) {
    return std::nullopt;
  }
  const uint8_t* const end = rest.data() + rest.size();
  const uint8_t* at = ReadVarint(rest.data(), end, &cursor.offset);
  if (at == nullptr || at == end || end[-1] != 0) return std::nullopt;
  std::vector<std::string> texts;
  while (at != end) {
    const uint8_t* const stop = std::find(at, end, uint8_t{0});
    texts.emplace_back(at, stop);
    at = stop + 1;
  }
  cursor.snapshot = std::move(texts.front());
  cursor.targets.assign(std::make_move_iterator(texts.begin() + 1),
                        std::make_move_iterator(texts.end()));
  return cursor;
}

}  // namespace recall
