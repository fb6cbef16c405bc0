#include "index/search/bitmap/roaring_format.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace recall {
namespace {

constexpr uint32_t kCookieWithoutRuns = 12346;
constexpr uint32_t kCookieWithRuns = 12347;
constexpr uint32_t kMaxContainers = 1 << 16;
constexpr uint32_t kFewContainers = 4;  // with fewer containers a set with runs has no offsets
constexpr uint32_t kMaxArrayMembers = 4096;
constexpr size_t kBitsetBytes = 8192;

Status DamagedBitmap(std::string_view what) {
  return Status::Corruption("a stored set of chunks is damaged: " + std::string(what));
}

struct Container {
  uint16_t key = 0;
  uint32_t cardinality = 0;
  bool run = false;
};

// Reads the headers up to and including the cardinalities.
Status ReadContainers(ByteReader& reader, std::vector<Container>* containers, bool* has_offsets) {
  const auto cookie = reader.Read<uint32_t>();
  uint32_t count = 0;
  ByteSpan run_flags;
  if (cookie == kCookieWithoutRuns) {
    count = reader.Read<uint32_t>();
  } else if ((cookie & 0xffff) == kCookieWithRuns) {
    count = (cookie >> 16) + 1;
    run_flags = reader.ReadBytes((count + 7) / 8);
  } else {
    return DamagedBitmap("it does not start with a Roaring cookie");
  }
  if (count > kMaxContainers) return DamagedBitmap("it has too many containers");
  if (!reader.ok() || count > reader.remaining() / 4)
    return DamagedBitmap("its header is truncated");
  *has_offsets = run_flags.empty() || count >= kFewContainers;
  containers->resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    Container& container = (*containers)[i];
    container.key = reader.Read<uint16_t>();
    container.cardinality = reader.Read<uint16_t>() + 1u;
    container.run = !run_flags.empty() && (run_flags[i / 8] >> (i % 8) & 1) != 0;
    if (i > 0 && container.key <= (*containers)[i - 1].key) {
      return DamagedBitmap("its containers are out of order");
    }
  }
  return Status::Ok();
}

bool CheckRuns(ByteReader& reader, uint32_t cardinality) {
  const auto runs = reader.Read<uint16_t>();
  uint32_t next = 0;  // the smallest value at which the next run may begin
  uint32_t members = 0;
  for (uint32_t i = 0; i < runs; ++i) {
    const uint32_t first = reader.Read<uint16_t>();
    const uint32_t last = first + reader.Read<uint16_t>();
    if (!reader.ok() || first < next || last > 0xffff) return false;
    members += last - first + 1;
    next = last + 2;
  }
  return reader.ok() && members == cardinality;
}

bool CheckArray(ByteReader& reader, uint32_t cardinality) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < cardinality; ++i) {
    const uint32_t value = reader.Read<uint16_t>();
    if (!reader.ok() || value < next) return false;
    next = value + 1;
  }
  return true;
}

bool CheckBitset(ByteReader& reader, uint32_t cardinality) {
  const ByteSpan words = reader.ReadBytes(kBitsetBytes);
  uint32_t members = 0;
  for (size_t i = 0; i < words.size(); i += 8) {
    members += static_cast<uint32_t>(std::popcount(LoadLittle<uint64_t>(words.data() + i)));
  }
  return reader.ok() && members == cardinality;
}

}  // namespace

Status CheckRoaringFormat(ByteSpan bytes) {
  ByteReader reader(bytes);
  std::vector<Container> containers;
  bool has_offsets = false;
  RECALL_TRY(ReadContainers(reader, &containers, &has_offsets));
  const ByteSpan offsets = has_offsets ? reader.ReadBytes(containers.size() * 4) : ByteSpan();
  if (!reader.ok()) return DamagedBitmap("its header is truncated");
  for (size_t i = 0; i < containers.size(); ++i) {
    const Container& container = containers[i];
    if (has_offsets && LoadLittle<uint32_t>(offsets.data() + i * 4) != reader.position()) {
      return DamagedBitmap("a container is not at the offset in the header");
    }
    const bool good = container.run ? CheckRuns(reader, container.cardinality)
                      : container.cardinality <= kMaxArrayMembers
                          ? CheckArray(reader, container.cardinality)
                          : CheckBitset(reader, container.cardinality);
    if (!good) return DamagedBitmap("container " + std::to_string(i) + " contradicts its header");
  }
  if (reader.remaining() != 0) return DamagedBitmap("bytes follow the last container");
  return Status::Ok();
}

std::string EncodeRoaring(uint32_t first, std::span<const uint64_t> words) {
  constexpr size_t kContainerWords = kBitsetBytes / 8;
  std::string headers;
  std::string offsets;
  std::string data;
  const auto append = [](std::string* to, auto value) {
    uint8_t bytes[sizeof(value)];
    StoreLittle(bytes, value);
    to->append(reinterpret_cast<const char*>(bytes), sizeof(value));
  };
  for (size_t begin = 0; begin < words.size();) {
    const uint32_t word = first / 64 + static_cast<uint32_t>(begin);
    const size_t before = word % kContainerWords;  // words of the container that are not given
    const std::span<const uint64_t> part =
        words.subspan(begin, std::min(kContainerWords - before, words.size() - begin));
    begin += part.size();
    uint32_t members = 0;
    for (const uint64_t bits : part) members += static_cast<uint32_t>(std::popcount(bits));
    if (members == 0) continue;
    append(&headers, static_cast<uint16_t>(word / kContainerWords));
    append(&headers, static_cast<uint16_t>(members - 1));
    append(&offsets, static_cast<uint32_t>(data.size()));  // completed below
    if (members > kMaxArrayMembers) {
      data.append(before * 8, '\0');
      for (const uint64_t bits : part) append(&data, bits);
      data.append((kContainerWords - before - part.size()) * 8, '\0');
      continue;
    }
    for (size_t i = 0; i < part.size(); ++i) {
      for (uint64_t left = part[i]; left != 0; left &= left - 1) {
        append(&data, static_cast<uint16_t>((before + i) * 64 +
                                            static_cast<size_t>(std::countr_zero(left))));
      }
    }
  }
  const size_t containers = headers.size() / 4;
  const size_t data_begins = 8 + 8 * containers;
  std::string bytes;
  bytes.reserve(data_begins + data.size());
  append(&bytes, kCookieWithoutRuns);
  append(&bytes, static_cast<uint32_t>(containers));
  bytes += headers;
  for (size_t i = 0; i < containers; ++i) {
    append(&bytes, static_cast<uint32_t>(data_begins +
                                         LoadLittle<uint32_t>(AsBytes(offsets).data() + 4 * i)));
  }
  return bytes + data;
}

}  // namespace recall
