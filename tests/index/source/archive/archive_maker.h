#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace recall {

// A member of an archive to be made.
struct MadeMember {
  std::string name;
  std::string text = {};
  mode_t type = AE_IFREG;
  std::string link = {};  // of a symbolic link, else a hard one when it is not empty
  int64_t mtime = 1'700'000'000;
};

// Makes an archive with libarchive. `suffix`: "tar", "tar.gz", "tar.zst", "tar.xz", "tar.bz2",
// "zip", "stored.zip"; or a compressed file of one member: "gz", "zst", "xz", "bz2". Member names
// may have any bytes.
inline std::string MakeArchive(const std::string& suffix, const std::vector<MadeMember>& members) {
  std::string bytes;
  archive* const a = archive_write_new();
  if (suffix.ends_with("zip")) {
    archive_write_set_format_zip(a);
    if (suffix == "stored.zip") archive_write_zip_set_compression_store(a);
  } else if (suffix.starts_with("tar")) {
    archive_write_set_format_gnutar(a);
  } else {
    archive_write_set_format_raw(a);
  }
  if (suffix.ends_with("gz")) archive_write_add_filter_gzip(a);
  if (suffix.ends_with("zst")) archive_write_add_filter_zstd(a);
  if (suffix.ends_with("xz")) archive_write_add_filter_xz(a);
  if (suffix.ends_with("bz2")) archive_write_add_filter_bzip2(a);
  archive_write_set_bytes_in_last_block(a, 1);
  archive_write_open(
      a, &bytes, nullptr,
      [](archive*, void* to, const void* from, size_t size) -> la_ssize_t {
        static_cast<std::string*>(to)->append(static_cast<const char*>(from), size);
        return static_cast<la_ssize_t>(size);
      },
      nullptr);
  for (const MadeMember& member : members) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_filetype(entry, member.type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, member.mtime, 0);
    const bool plain = member.type == AE_IFREG && member.link.empty();
    archive_entry_set_size(entry, plain ? static_cast<int64_t>(member.text.size()) : 0);
    if (member.type == AE_IFLNK) {
      archive_entry_set_symlink(entry, member.link.c_str());
    } else if (!member.link.empty()) {
      archive_entry_set_hardlink(entry, member.link.c_str());
    }
    archive_write_header(a, entry);
    if (plain) archive_write_data(a, member.text.data(), member.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(a);
  archive_write_free(a);
  return bytes;
}

// The bytes of `text`, compressed: "gz", "zst" or "xz".
inline std::string Compressed(const std::string& suffix, const std::string& text) {
  return MakeArchive(suffix, {{"text", text}});
}

}  // namespace recall
