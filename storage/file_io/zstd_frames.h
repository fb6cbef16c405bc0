#pragma once

// Single frames of zstd within untrusted bytes.

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct ZSTD_DDict_s;

namespace recall {

// The bytes that a frame begins with.
inline constexpr std::string_view kZstdFrameMagic = "\x28\xB5\x2F\xFD";

// Whether the bytes are one frame: its blocks end where they end. What is in the blocks is not
// looked at.
bool IsZstdFrame(std::string_view bytes);

// The dictionaries that a file contains. Not thread-safe.
class ZstdDictionaries final {
 public:
  // `file`: a dictionary, or any file that contains dictionaries of `embedded_bytes` each, such as
  // a program; "": none.
  ZstdDictionaries(std::string file, size_t embedded_bytes)
      : file_(std::move(file)), embedded_bytes_(embedded_bytes) {}

  // The dictionary with a number; null if the file has none, or if many others were asked for. It
  // lives as long as this object.
  const ZSTD_DDict_s* Find(unsigned number);

 private:
  struct Free {
    void operator()(ZSTD_DDict_s* dictionary) const;
  };
  std::string file_;
  size_t embedded_bytes_;
  std::map<unsigned, std::unique_ptr<ZSTD_DDict_s, Free>> found_;
};

struct UnpackedZstdFrame {
  std::optional<std::string> bytes;  // nothing if it is damaged, or holds more than `most`
  unsigned missing_dictionary = 0;   // its number, if there is nothing for want of one
};
// The content size that the frame states is not trusted. Memory: its content, at most `most` bytes.
UnpackedZstdFrame UnpackZstdFrame(std::string_view frame, ZstdDictionaries* dictionaries,
                                  size_t most);

}  // namespace recall
