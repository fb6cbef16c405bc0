#include "index/source/archive/compressed_file.h"

#include <unistd.h>

#include <cerrno>
#include <memory>

#include "index/base/paths/doc_path.h"
#include "index/source/archive/archive_library.h"
#include "index/source/archive/archive_names.h"
#include "storage/base/status.h"

namespace recall {
namespace {

constexpr size_t kUnpackBlockBytes = 64 << 10;
constexpr size_t kUnpackHeadBytes = 8 << 10;
// The filter "none" and one that decompresses. With more, a few bytes can expand enormously.
constexpr int kMostUnpackFilters = 2;

Status UnpackFault(const ArchiveLibrary& library, struct archive* archive) {
  const char* const text = library.error_string(archive);
  return Status::Corruption("it is damaged: " + (text != nullptr && *text != '\0'
                                                     ? PrintablePath(text)
                                                     : std::string("it cannot be unpacked")));
}

// Returns: the bytes of the file from `end` on; 0 if all of them are zero, which is padding.
Result<uint64_t> BytesAfter(int fd, uint64_t end) {
  std::string block(kUnpackBlockBytes, '\0');
  bool padding = true;
  uint64_t at = end;
  for (;;) {
    const ssize_t count = ::pread(fd, block.data(), block.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Fail(Status::IoError(SystemErrorText(errno)));
    if (count == 0) return padding ? 0 : at - end;
    at += static_cast<uint64_t>(count);
    const std::string_view read = std::string_view(block).substr(0, static_cast<size_t>(count));
    padding = padding && read.find_first_not_of('\0') == read.npos;
  }
}

// Lets `archive` read the file as one compressed stream.
Status OpenUnpacker(const ArchiveLibrary& library, struct archive* archive, int fd) {
  if (archive == nullptr || library.support_gzip(archive) != ARCHIVE_OK ||
      library.support_zstd(archive) != ARCHIVE_OK || library.support_xz(archive) != ARCHIVE_OK ||
      library.support_bzip2(archive) != ARCHIVE_OK || library.support_raw(archive) != ARCHIVE_OK ||
      library.support_empty(archive) != ARCHIVE_OK) {
    return Status::Unsupported("it is compressed, and this version of libarchive cannot unpack it");
  }
  if (library.open_fd(archive, fd, kUnpackBlockBytes) != ARCHIVE_OK) {
    return UnpackFault(library, archive);
  }
  if (library.filter_count(archive) > kMostUnpackFilters) {
    return Status::Unsupported("it is compressed more than once");
  }
  return {};
}

// Errors: LimitExceeded beyond `max_bytes`; Corruption; those of check_head, which gets the first
// kUnpackHeadBytes as soon as they are known.
Result<std::string> UnpackText(const ArchiveLibrary& library, struct archive* archive,
                               uint64_t max_bytes,
                               const std::function<Status(std::string_view head)>& check_head) {
  archive_entry* entry = nullptr;
  const int header = library.next_header(archive, &entry);
  if (header != ARCHIVE_OK && header != ARCHIVE_EOF) return Fail(UnpackFault(library, archive));
  std::string text;
  bool head_checked = false;
  for (bool more = header == ARCHIVE_OK; more;) {
    const void* block = nullptr;
    size_t size = 0;
    int64_t offset = 0;
    const int code = library.data_block(archive, &block, &size, &offset);
    if (code != ARCHIVE_OK && code != ARCHIVE_EOF) return Fail(UnpackFault(library, archive));
    if (size > max_bytes - text.size()) {
      return Fail(Status::LimitExceeded(
          "its unpacked text exceeds the limit of " + std::to_string(max_bytes) + " bytes",
          "raise the limit, or exclude the file with --ignore"));
    }
    text.append(static_cast<const char*>(block), size);
    if (!head_checked && (text.size() >= kUnpackHeadBytes || code == ARCHIVE_EOF)) {
      head_checked = true;
      RECALL_TRY(check_head(text));
    }
    more = code != ARCHIVE_EOF;
  }
  return text;
}

}  // namespace

bool IsCompressed(std::string_view path, std::string_view first_bytes) {
  using std::string_view_literals::operator""sv;
  if (!IsCompressedName(path)) return false;
  return first_bytes.starts_with("\x1f\x8b"sv) || first_bytes.starts_with("\x28\xb5\x2f\xfd"sv) ||
         first_bytes.starts_with("\xfd\x37zXZ\0"sv) || first_bytes.starts_with("BZh"sv);
}

Result<UnpackedFile> Unpack(int fd, uint64_t max_bytes,
                            const std::function<Status(std::string_view head)>& check_head) {
  const ArchiveLibrary* const loaded = ArchiveLibrary::Get();
  if (loaded == nullptr) {
    return Fail(
        Status::Unsupported("it is compressed, and libarchive, which unpacks it, cannot be loaded",
                            "install it: apt install libarchive13"));
  }
  const ArchiveLibrary& library = *loaded;
  if (::lseek(fd, 0, SEEK_SET) != 0) return Fail(Status::IoError(SystemErrorText(errno)));
  const std::unique_ptr<struct archive, decltype(library.read_free)> archive(library.read_new(),
                                                                             library.read_free);
  RECALL_TRY(OpenUnpacker(library, archive.get(), fd));
  UnpackedFile file;
  RECALL_ASSIGN(file.text, UnpackText(library, archive.get(), max_bytes, check_head));
  // The last filter reads the file; its position is the end of what the decompressor took.
  RECALL_ASSIGN(file.ignored_bytes,
                BytesAfter(fd, static_cast<uint64_t>(library.filter_bytes(archive.get(), -1))));
  return file;
}

}  // namespace recall
