#include "index/source/extract/container/zip_container.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/base/text/utf8.h"
#include "index/source/archive/archive_names.h"
#include "index/source/extract/container/container_libraries.h"
#include "index/source/extract/container/extract_failure.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

// The problem: documents refer to their parts by name and in any order, and a ZIP file is untrusted
// input: it may unpack to terabytes, and its headers may lie.
//
// The directory at the end of the file is read once. An entry is found by name and inflated when it
// is asked for. These rules bound the work:
// - Offsets and sizes are compared with the file before they are used.
// - Entries that together are larger than the file overlap each other. Such files are bombs
//   (Fifield 2019) and are refused.
// - All unpacked bytes are counted, and reading ends at the limit. An entry that does not have the
//   size or the check sum of its directory is damaged.
//
// Cost: linear in the size of the directory and of what is read.

constexpr std::string_view kEndSignature("PK\5\6", 4);
constexpr std::string_view kLocatorSignature("PK\6\7", 4);
constexpr uint32_t kEnd64 = 0x06064b50;
constexpr uint32_t kDirectoryEntry = 0x02014b50;
constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr size_t kEndBytes = 22;
constexpr size_t kLocatorBytes = 20;
constexpr size_t kMaxCommentBytes = 65535;
constexpr size_t kBlockBytes = 256 << 10;
// One byte of deflated data unpacks to at most this many.
constexpr uint64_t kMostExpansion = 1032;
// The methods of compression that are read.
constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;
constexpr uint32_t kIn64 = std::numeric_limits<uint32_t>::max();

char LowerAsciiByte(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string FoldedName(std::string_view name) {
  std::string folded(name);
  std::ranges::transform(folded, folded.begin(), LowerAsciiByte);
  return folded;
}

// Where the directory is, according to the end of the file.
struct DirectoryPlace {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  uint64_t entries = 0;
  uint64_t shift = 0;  // the bytes before the container, which no offset of the file counts
};

Status NoDirectory() { return Status::Corruption("it is no ZIP file, or its end is missing"); }

std::optional<size_t> FindEnd(std::string_view bytes) {
  if (bytes.size() < kEndBytes) return std::nullopt;
  const size_t lowest = bytes.size() - std::min(bytes.size(), kEndBytes + kMaxCommentBytes);
  for (size_t at = bytes.size() - kEndBytes;; --at) {
    at = bytes.rfind(kEndSignature, at);
    if (at == bytes.npos || at < lowest) return std::nullopt;
    const auto comment = LoadLittle<uint16_t>(AsBytes(bytes).data() + at + 20);
    if (at + kEndBytes + comment <= bytes.size()) return at;
    if (at == 0) return std::nullopt;
  }
}

Result<DirectoryPlace> FindDirectory(std::string_view bytes) {
  const std::optional<size_t> end = FindEnd(bytes);
  if (!end) return Fail(NoDirectory());
  ByteReader reader(AsBytes(bytes).subspan(*end));
  (void)reader.Read<uint32_t>();
  const auto disk = reader.Read<uint16_t>();
  const auto first_disk = reader.Read<uint16_t>();
  (void)reader.Read<uint16_t>();
  DirectoryPlace place;
  place.entries = reader.Read<uint16_t>();
  place.bytes = reader.Read<uint32_t>();
  place.begin = reader.Read<uint32_t>();
  uint64_t directory_end = *end;
  const bool in_64 = place.entries == 0xffff || place.bytes == kIn64 || place.begin == kIn64;
  if (!in_64 && (disk != 0 || first_disk != 0)) {
    return Fail(Status::Unsupported("it is one part of several of a ZIP file"));
  }
  if (in_64 && *end >= kLocatorBytes &&
      bytes.substr(*end - kLocatorBytes).starts_with(kLocatorSignature)) {
    ByteReader locator(AsBytes(bytes).subspan(*end - kLocatorBytes + 8));
    const auto at = locator.Read<uint64_t>();
    if (at > *end - kLocatorBytes) return Fail(NoDirectory());
    ByteReader end64(AsBytes(bytes).subspan(at));
    if (end64.Read<uint32_t>() != kEnd64) return Fail(NoDirectory());
    (void)end64.ReadBytes(28);
    place.entries = end64.Read<uint64_t>();
    place.bytes = end64.Read<uint64_t>();
    place.begin = end64.Read<uint64_t>();
    if (!end64.ok()) return Fail(NoDirectory());
    directory_end = at;
  }
  if (place.bytes > directory_end || place.begin > directory_end - place.bytes) {
    return Fail(NoDirectory());
  }
  place.shift = directory_end - place.bytes - place.begin;
  place.begin += place.shift;
  return place;
}

// Replaces values that are too large for the fields of an entry by those of its extra field 1.
void ReadZip64(ByteSpan extra, uint64_t* unpacked, uint64_t* packed, uint64_t* header) {
  ByteReader reader(extra);
  while (reader.ok() && reader.remaining() >= 4) {
    const auto id = reader.Read<uint16_t>();
    const ByteSpan field = reader.ReadBytes(reader.Read<uint16_t>());
    if (id != 1) continue;
    ByteReader values(field);
    for (uint64_t* const value : {unpacked, packed, header}) {
      if (*value != kIn64) continue;
      const auto wide = values.Read<uint64_t>();
      if (values.ok()) *value = wide;
    }
    return;
  }
}

Status DamagedDirectory() { return Status::Corruption("its directory of members is damaged"); }

// An entry of the directory, as the file says it.
struct DirectoryEntry {
  ZipEntry entry;
  ZipPlace place;
};

Result<DirectoryEntry> ReadDirectoryEntry(ByteReader* reader) {
  if (reader->Read<uint32_t>() != kDirectoryEntry) return Fail(DamagedDirectory());
  DirectoryEntry found;
  ZipEntry& entry = found.entry;
  (void)reader->Read<uint32_t>();  // versions
  entry.encrypted = (reader->Read<uint16_t>() & 1) != 0;
  found.place.method = reader->Read<uint16_t>();
  (void)reader->Read<uint32_t>();  // time and date
  found.place.crc = reader->Read<uint32_t>();
  entry.packed_bytes = reader->Read<uint32_t>();
  entry.unpacked_bytes = reader->Read<uint32_t>();
  const auto name_bytes = reader->Read<uint16_t>();
  const auto extra_bytes = reader->Read<uint16_t>();
  const auto comment_bytes = reader->Read<uint16_t>();
  (void)reader->ReadBytes(8);  // disk, attributes
  found.place.header = reader->Read<uint32_t>();
  entry.name = AsText(reader->ReadBytes(name_bytes));
  const ByteSpan extra = reader->ReadBytes(extra_bytes);
  (void)reader->ReadBytes(comment_bytes);
  if (!reader->ok()) return Fail(DamagedDirectory());
  ReadZip64(extra, &entry.unpacked_bytes, &entry.packed_bytes, &found.place.header);
  return found;
}

std::string ShownName(std::string_view name) { return PrintablePath(name.substr(0, 200)); }

// Frees the state of an inflater.
struct InflateEnd {
  const InflateLibrary* library;
  void operator()(z_stream* stream) const { library->end(stream); }
};

Status DamagedEntry(const ZipEntry& entry, std::string_view what) {
  return Status::Corruption("its member " + ShownName(entry.name) + " " + std::string(what));
}

// Receives a block of unpacked bytes. Returns whether it wants more.
using ZipSink = std::function<bool(std::string_view)>;

// Passes stored bytes on. Returns false if the sink wanted no more.
bool CopyStored(ByteSpan packed, const ZipSink& sink) {
  for (std::string_view rest = AsText(packed); !rest.empty();) {
    const std::string_view block = rest.substr(0, kBlockBytes);
    rest.remove_prefix(block.size());
    if (!sink(block)) return false;
  }
  return true;
}

// Passes deflated bytes on, unpacked. Returns false if the sink wanted no more. Errors: Corruption,
// also for more bytes than the directory says; Unsupported.
Result<bool> Inflate(const ZipEntry& entry, ByteSpan packed, const ZipSink& sink) {
  const InflateLibrary& zlib = *InflateLibrary::Get();
  z_stream state = {};
  constexpr int kRawDeflate = -15;
  if (zlib.init(&state, kRawDeflate, ZLIB_VERSION, static_cast<int>(sizeof(z_stream))) != Z_OK) {
    return Fail(Status::Unsupported("this version of zlib cannot unpack it"));
  }
  const std::unique_ptr<z_stream, InflateEnd> guard(&state, InflateEnd{&zlib});
  std::string block(std::min<uint64_t>(kBlockBytes, std::max<uint64_t>(entry.unpacked_bytes, 1)),
                    '\0');
  uint64_t done = 0;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    if (state.avail_in == 0 && !packed.empty()) {
      const ByteSpan next = packed.first(std::min<size_t>(packed.size(), 1u << 30));
      packed = packed.subspan(next.size());
      state.next_in = const_cast<Bytef*>(next.data());
      state.avail_in = static_cast<uInt>(next.size());
    }
    state.next_out = reinterpret_cast<Bytef*>(block.data());
    state.avail_out = static_cast<uInt>(block.size());
    code = zlib.inflate(&state, Z_NO_FLUSH);
    const size_t made = block.size() - state.avail_out;
    if (code != Z_OK && code != Z_STREAM_END)
      return Fail(DamagedEntry(entry, "cannot be unpacked"));
    if (made > entry.unpacked_bytes - done)
      return Fail(DamagedEntry(entry, "is larger than it says"));
    done += made;
    if (made != 0 && !sink(std::string_view(block).substr(0, made))) return false;
    if (made == 0 && code == Z_OK && state.avail_in == 0 && packed.empty()) {
      return Fail(DamagedEntry(entry, "is truncated"));
    }
  }
  return true;
}

int HexDigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = LowerAsciiByte(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// A reference without its percent escapes, and with "/" in place of "\".
std::string DecodedReference(std::string_view reference) {
  std::string decoded;
  for (size_t i = 0; i < reference.size(); ++i) {
    if (reference[i] == '%' && i + 2 < reference.size() && HexDigitOf(reference[i + 1]) >= 0 &&
        HexDigitOf(reference[i + 2]) >= 0) {
      decoded +=
          static_cast<char>(HexDigitOf(reference[i + 1]) * 16 + HexDigitOf(reference[i + 2]));
      i += 2;
    } else {
      decoded += reference[i] == '\\' ? '/' : reference[i];
    }
  }
  return decoded;
}

// Follows a path from `parts`, which are the folders so far. Returns false if it leads out of the
// container.
bool AppendPathParts(std::string_view path, std::vector<std::string_view>* parts) {
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (parts->empty()) return false;
      parts->pop_back();
    } else {
      parts->push_back(part);
    }
  }
  return true;
}

}  // namespace

bool LooksLikeZip(std::string_view bytes) {
  return bytes.starts_with("PK\3\4") || bytes.starts_with(kEndSignature);
}

Result<ZipContainer> ZipContainer::Open(std::string_view bytes, const ExtractLimits& limits) {
  if (InflateLibrary::Get() == nullptr) {
    return Fail(Status::Unsupported("zlib, which unpacks it, cannot be loaded: install zlib1g"));
  }
  const uint64_t size = bytes.size();
  const uint64_t by_ratio =
      size > std::numeric_limits<uint64_t>::max() / std::max<uint64_t>(limits.max_unpacked_ratio, 1)
          ? std::numeric_limits<uint64_t>::max()
          : size * limits.max_unpacked_ratio;
  ZipContainer container(
      bytes, std::min(limits.max_unpacked_bytes, std::max(limits.free_unpacked_bytes, by_ratio)));
  RECALL_TRY(container.ReadDirectory(limits));
  return container;
}

Status ZipContainer::ReadDirectory(const ExtractLimits& limits) {
  RECALL_ASSIGN(const DirectoryPlace place, FindDirectory(bytes_));
  const uint64_t most = limits.max_members < 0 ? 0 : static_cast<uint64_t>(limits.max_members);
  if (place.entries > most) {
    return Status::LimitExceeded("it has more than " + std::to_string(most) + " members");
  }
  ByteReader reader(AsBytes(bytes_).subspan(place.begin, place.bytes));
  uint64_t packed_total = 0;
  for (uint64_t i = 0; i < place.entries; ++i) {
    RECALL_ASSIGN(DirectoryEntry found, ReadDirectoryEntry(&reader));
    if (found.entry.packed_bytes > bytes_.size() - packed_total) {
      return Status::Corruption("its members overlap, or its end is missing");
    }
    packed_total += found.entry.packed_bytes;
    if (found.place.header > bytes_.size() - place.shift) return DamagedDirectory();
    found.place.header += place.shift;
    AddEntry(std::move(found.entry), found.place);
  }
  return {};
}

void ZipContainer::AddEntry(ZipEntry entry, const ZipPlace& place) {
  std::ranges::replace(entry.name, '\\', '/');
  if (entry.name.ends_with('/') || entry.name.find('\0') != entry.name.npos) return;
  Result<std::string> normal = NormalMemberName(entry.name);
  if (!normal) return;
  entry.name = *std::move(normal);
  by_name_[entry.name] = entries_.size();
  by_folded_name_[FoldedName(entry.name)] = entries_.size();
  entries_.push_back(std::move(entry));
  places_.push_back(place);
}

std::optional<size_t> ZipContainer::IndexOf(std::string_view name) const {
  while (name.starts_with('/')) name.remove_prefix(1);
  if (const auto found = by_name_.find(std::string(name)); found != by_name_.end()) {
    return found->second;
  }
  const auto found = by_folded_name_.find(FoldedName(name));
  if (found == by_folded_name_.end()) return std::nullopt;
  return found->second;
}

const ZipEntry* ZipContainer::Find(std::string_view name) const {
  const std::optional<size_t> index = IndexOf(name);
  return index ? &entries_[*index] : nullptr;
}

Result<ByteSpan> ZipContainer::PackedBytes(size_t index) const {
  const ZipEntry& entry = entries_[index];
  const ZipPlace& place = places_[index];
  if (entry.encrypted) {
    return Fail(NeedsPassword("its member " + ShownName(entry.name) + " is encrypted"));
  }
  if (place.method != kStored && place.method != kDeflated) {
    return Fail(Status::Unsupported("its member " + ShownName(entry.name) +
                                    " has a compression that is not read: method " +
                                    std::to_string(place.method)));
  }
  ByteReader header(AsBytes(bytes_).subspan(place.header));
  if (header.Read<uint32_t>() != kLocalHeader) return Fail(DamagedEntry(entry, "has no header"));
  (void)header.ReadBytes(22);
  const auto name_bytes = header.Read<uint16_t>();
  const auto extra_bytes = header.Read<uint16_t>();
  (void)header.ReadBytes(name_bytes);
  (void)header.ReadBytes(extra_bytes);
  const ByteSpan packed = header.ReadBytes(entry.packed_bytes);
  if (!header.ok()) return Fail(DamagedEntry(entry, "is truncated"));
  if (entry.unpacked_bytes > allowed_ - spent_) {
    return Fail(Status::LimitExceeded("unpacked it has more than the " + std::to_string(allowed_) +
                                      " bytes that the limits allow for a file of its size"));
  }
  return packed;
}

Status ZipContainer::ReadEntry(size_t index, const std::function<bool(std::string_view)>& sink) {
  RECALL_ASSIGN(const ByteSpan packed, PackedBytes(index));
  const ZipEntry& entry = entries_[index];
  const bool stored = places_[index].method == kStored;
  if (stored && entry.packed_bytes != entry.unpacked_bytes) {
    return DamagedEntry(entry, "has two sizes");
  }
  const InflateLibrary& zlib = *InflateLibrary::Get();
  uLong crc = 0;
  uint64_t done = 0;
  const auto take = [&](std::string_view block) {
    crc = zlib.crc32(crc, reinterpret_cast<const Bytef*>(block.data()),
                     static_cast<uInt>(block.size()));
    done += block.size();
    spent_ += block.size();
    return sink(block);
  };
  bool complete = true;
  if (stored) {
    complete = CopyStored(packed, take);
  } else {
    RECALL_ASSIGN(complete, Inflate(entry, packed, take));
  }
  if (!complete) return {};
  if (done != entry.unpacked_bytes) return DamagedEntry(entry, "is smaller than it says");
  if (static_cast<uint32_t>(crc) != places_[index].crc) {
    return DamagedEntry(entry, "has another check sum");
  }
  return {};
}

Status ZipContainer::ReadBlocks(std::string_view name,
                                const std::function<bool(std::string_view)>& sink) {
  const std::optional<size_t> index = IndexOf(name);
  if (!index) return Status::NotFound("it has no member " + ShownName(name));
  return ReadEntry(*index, sink);
}

Result<std::string> ZipContainer::Read(std::string_view name) {
  const std::optional<size_t> index = IndexOf(name);
  if (!index) return Fail(Status::NotFound("it has no member " + ShownName(name)));
  const ZipEntry& entry = entries_[*index];
  std::string bytes;
  // The size in the directory may be a lie: no more is reserved than the packed bytes can hold.
  if (entry.unpacked_bytes <= allowed_ - spent_) {
    bytes.reserve(std::min(entry.unpacked_bytes, entry.packed_bytes * kMostExpansion));
  }
  RECALL_TRY(ReadEntry(*index, [&bytes](std::string_view block) {
    bytes.append(block);
    return true;
  }));
  return bytes;
}

std::string ResolveEntryName(std::string_view base, std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  if (target.find(':') < target.find('/')) return {};  // it has a scheme
  const std::string decoded = DecodedReference(target);
  if (decoded.find('\0') != decoded.npos || !IsValidUtf8(decoded)) return {};
  std::vector<std::string_view> parts;
  const size_t folder = base.rfind('/');
  if (!decoded.starts_with('/') && folder != base.npos &&
      !AppendPathParts(base.substr(0, folder), &parts)) {
    return {};
  }
  // A reference that is only a fragment names the entry that contains it.
  if (decoded.empty()) return std::string(base);
  if (!AppendPathParts(decoded, &parts)) return {};
  std::string name;
  for (const std::string_view part : parts) {
    if (!name.empty()) name += '/';
    name += part;
  }
  return name;
}

}  // namespace recall
