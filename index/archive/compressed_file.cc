#include "index/archive/compressed_file.h"

#include <unistd.h>

#include <cerrno>
#include <memory>

#include "index/archive/archive_library.h"
#include "index/archive/archive_names.h"
#include "index/paths/doc_path.h"
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

}  // namespace

bool IsCompressed(std::string_view path, std::string_view first_bytes) {
  using std::string_view_literals::operator""sv;
  if (!IsCompressedName(path)) return false;
  return first_bytes.starts_with("\x1f\x8b"sv) || first_bytes.starts_with("\x28\xb5\x2f\xfd"sv) ||
         first_bytes.starts_with("\xfd\x37zXZ\0"sv);
}

Result<std::string> Unpack(int fd, uint64_t max_bytes,
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
  struct archive* const a = archive.get();
  if (a == nullptr || library.support_gzip(a) != ARCHIVE_OK ||
      library.support_zstd(a) != ARCHIVE_OK || library.support_xz(a) != ARCHIVE_OK ||
      library.support_raw(a) != ARCHIVE_OK || library.support_empty(a) != ARCHIVE_OK) {
    return Fail(
        Status::Unsupported("it is compressed, and this version of libarchive cannot unpack it"));
  }
  archive_entry* entry = nullptr;
  if (library.open_fd(a, fd, kUnpackBlockBytes) != ARCHIVE_OK) return Fail(UnpackFault(library, a));
  if (library.filter_count(a) > kMostUnpackFilters) {
    return Fail(Status::Unsupported("it is compressed more than once"));
  }
  const int header = library.next_header(a, &entry);
  if (header == ARCHIVE_EOF) return std::string();
  if (header != ARCHIVE_OK) return Fail(UnpackFault(library, a));

  std::string text;
  bool head_checked = false;
  for (;;) {
    const void* block = nullptr;
    size_t size = 0;
    int64_t offset = 0;
    const int code = library.data_block(a, &block, &size, &offset);
    if (code != ARCHIVE_OK && code != ARCHIVE_EOF) return Fail(UnpackFault(library, a));
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
    if (code == ARCHIVE_EOF) return text;
  }
}

}  // namespace recall
