#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Whether a file has the name of a compressed one (IsCompressedName), and the first bytes of gzip,
// zstd, xz or bzip2.
bool IsCompressed(std::string_view path, std::string_view first_bytes);

struct UnpackedFile {
  std::string text;
  // The bytes after the compressed data, if they are not all zero: gzip ignores them.
  uint64_t ignored_bytes = 0;
};

// Unpacks a file that is compressed once with gzip, zstd, xz or bzip2, from its beginning.
// `check_head` is called with the first bytes, at least 8 KiB unless the file is smaller; its error
// ends the reading. `fd` stays open. Errors: LimitExceeded beyond `max_bytes` unpacked bytes;
// Corruption for a damaged file, such as one of zstd, xz or bzip2 with other bytes at its end;
// Unsupported for one that is compressed more than once, or if libarchive is not installed;
// IoError.
Result<UnpackedFile> Unpack(int fd, uint64_t max_bytes,
                            const std::function<Status(std::string_view head)>& check_head);

}  // namespace recall
