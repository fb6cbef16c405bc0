#include "index/source/archive/archive_library.h"

#include "storage/base/dynamic_library.h"

namespace recall {
namespace {

const ArchiveLibrary* LoadArchiveLibrary() {
  void* const library = OpenLibrary("libarchive.so.13");
  if (library == nullptr) return nullptr;
  static ArchiveLibrary archive;
  const bool all =
      LoadSymbol(library, "archive_read_new", &archive.read_new) &&
      LoadSymbol(library, "archive_read_free", &archive.read_free) &&
      LoadSymbol(library, "archive_read_support_filter_gzip", &archive.support_gzip) &&
      LoadSymbol(library, "archive_read_support_filter_zstd", &archive.support_zstd) &&
      LoadSymbol(library, "archive_read_support_filter_xz", &archive.support_xz) &&
      LoadSymbol(library, "archive_read_support_filter_bzip2", &archive.support_bzip2) &&
      LoadSymbol(library, "archive_read_support_format_raw", &archive.support_raw) &&
      LoadSymbol(library, "archive_read_support_format_empty", &archive.support_empty) &&
      LoadSymbol(library, "archive_read_support_format_tar", &archive.support_tar) &&
      LoadSymbol(library, "archive_read_support_format_zip_seekable", &archive.support_zip) &&
      LoadSymbol(library, "archive_read_open_fd", &archive.open_fd) &&
      LoadSymbol(library, "archive_read_next_header", &archive.next_header) &&
      LoadSymbol(library, "archive_read_data_block", &archive.data_block) &&
      LoadSymbol(library, "archive_read_data_skip", &archive.data_skip) &&
      LoadSymbol(library, "archive_filter_count", &archive.filter_count) &&
      LoadSymbol(library, "archive_filter_bytes", &archive.filter_bytes) &&
      LoadSymbol(library, "archive_error_string", &archive.error_string) &&
      LoadSymbol(library, "archive_entry_pathname", &archive.pathname) &&
      LoadSymbol(library, "archive_entry_pathname_utf8", &archive.pathname_utf8) &&
      LoadSymbol(library, "archive_entry_filetype", &archive.filetype) &&
      LoadSymbol(library, "archive_entry_hardlink", &archive.hardlink) &&
      LoadSymbol(library, "archive_entry_size", &archive.size) &&
      LoadSymbol(library, "archive_entry_size_is_set", &archive.size_is_set) &&
      LoadSymbol(library, "archive_entry_mtime", &archive.mtime) &&
      LoadSymbol(library, "archive_entry_mtime_nsec", &archive.mtime_nsec) &&
      LoadSymbol(library, "archive_entry_mtime_is_set", &archive.mtime_is_set) &&
      LoadSymbol(library, "archive_entry_is_data_encrypted", &archive.is_encrypted);
  return all ? &archive : nullptr;
}

}  // namespace

const ArchiveLibrary* ArchiveLibrary::Get() {
  static const ArchiveLibrary* const archive = LoadArchiveLibrary();
  return archive;
}

}  // namespace recall
