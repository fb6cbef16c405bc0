#include "index/archive/archive_library.h"

#include <dlfcn.h>

namespace recall {
namespace {

template <typename Function>
bool LoadArchiveFunction(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(::dlsym(library, name));
  return *function != nullptr;
}

const ArchiveLibrary* LoadArchiveLibrary() {
  void* const library = ::dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  static ArchiveLibrary archive;
  const bool all =
      LoadArchiveFunction(library, "archive_read_new", &archive.read_new) &&
      LoadArchiveFunction(library, "archive_read_free", &archive.read_free) &&
      LoadArchiveFunction(library, "archive_read_support_filter_gzip", &archive.support_gzip) &&
      LoadArchiveFunction(library, "archive_read_support_filter_zstd", &archive.support_zstd) &&
      LoadArchiveFunction(library, "archive_read_support_filter_xz", &archive.support_xz) &&
      LoadArchiveFunction(library, "archive_read_support_format_raw", &archive.support_raw) &&
      LoadArchiveFunction(library, "archive_read_support_format_empty", &archive.support_empty) &&
      LoadArchiveFunction(library, "archive_read_support_format_tar", &archive.support_tar) &&
      LoadArchiveFunction(library, "archive_read_support_format_zip_seekable",
                          &archive.support_zip) &&
      LoadArchiveFunction(library, "archive_read_open_fd", &archive.open_fd) &&
      LoadArchiveFunction(library, "archive_read_open_memory", &archive.open_memory) &&
      LoadArchiveFunction(library, "archive_read_next_header", &archive.next_header) &&
      LoadArchiveFunction(library, "archive_read_data_block", &archive.data_block) &&
      LoadArchiveFunction(library, "archive_read_data_skip", &archive.data_skip) &&
      LoadArchiveFunction(library, "archive_filter_count", &archive.filter_count) &&
      LoadArchiveFunction(library, "archive_filter_bytes", &archive.filter_bytes) &&
      LoadArchiveFunction(library, "archive_error_string", &archive.error_string) &&
      LoadArchiveFunction(library, "archive_entry_pathname", &archive.pathname) &&
      LoadArchiveFunction(library, "archive_entry_pathname_utf8", &archive.pathname_utf8) &&
      LoadArchiveFunction(library, "archive_entry_filetype", &archive.filetype) &&
      LoadArchiveFunction(library, "archive_entry_hardlink", &archive.hardlink) &&
      LoadArchiveFunction(library, "archive_entry_size", &archive.size) &&
      LoadArchiveFunction(library, "archive_entry_size_is_set", &archive.size_is_set) &&
      LoadArchiveFunction(library, "archive_entry_mtime", &archive.mtime) &&
      LoadArchiveFunction(library, "archive_entry_mtime_nsec", &archive.mtime_nsec) &&
      LoadArchiveFunction(library, "archive_entry_mtime_is_set", &archive.mtime_is_set) &&
      LoadArchiveFunction(library, "archive_entry_is_data_encrypted", &archive.is_encrypted);
  return all ? &archive : nullptr;
}

}  // namespace

const ArchiveLibrary* ArchiveLibrary::Get() {
  static const ArchiveLibrary* const archive = LoadArchiveLibrary();
  return archive;
}

}  // namespace recall
