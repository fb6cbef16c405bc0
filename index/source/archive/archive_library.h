#pragma once

#include <archive.h>
#include <archive_entry.h>

namespace recall {

// The functions of libarchive that are used. libarchive is loaded when the first archive or
// compressed file is opened: linking it and its dependencies would slow every start of the program
// (docs/decisions/0006-start-up.md).
struct ArchiveLibrary {
  decltype(&archive_read_new) read_new;
  decltype(&archive_read_free) read_free;
  decltype(&archive_read_support_filter_gzip) support_gzip;
  decltype(&archive_read_support_filter_zstd) support_zstd;
  decltype(&archive_read_support_filter_xz) support_xz;
  decltype(&archive_read_support_filter_bzip2) support_bzip2;
  decltype(&archive_read_support_format_raw) support_raw;
  decltype(&archive_read_support_format_empty) support_empty;
  decltype(&archive_read_support_format_tar) support_tar;
  decltype(&archive_read_support_format_zip_seekable) support_zip;
  decltype(&archive_read_open_fd) open_fd;
  decltype(&archive_read_next_header) next_header;
  decltype(&archive_read_data_block) data_block;
  decltype(&archive_read_data_skip) data_skip;
  decltype(&archive_filter_count) filter_count;
  decltype(&archive_filter_bytes) filter_bytes;
  decltype(&archive_error_string) error_string;
  decltype(&archive_entry_pathname) pathname;
  decltype(&archive_entry_pathname_utf8) pathname_utf8;
  decltype(&archive_entry_filetype) filetype;
  decltype(&archive_entry_hardlink) hardlink;
  decltype(&archive_entry_size) size;
  decltype(&archive_entry_size_is_set) size_is_set;
  decltype(&archive_entry_mtime) mtime;
  decltype(&archive_entry_mtime_nsec) mtime_nsec;
  decltype(&archive_entry_mtime_is_set) mtime_is_set;
  decltype(&archive_entry_is_data_encrypted) is_encrypted;

  // Returns: the library, which is never unloaded; null if it is not installed. Thread-safe.
  static const ArchiveLibrary* Get();
};

}  // namespace recall
