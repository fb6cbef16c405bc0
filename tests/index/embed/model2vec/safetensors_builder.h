#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace recall {

// Builds the bytes of a safetensors file.
class SafetensorsBuilder final {
 public:
  template <typename T>
  SafetensorsBuilder& Add(const std::string& name, const std::string& type,
                          const std::vector<uint64_t>& shape, const std::vector<T>& values) {
    const size_t begin = data_.size();
    data_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    header_[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {begin, data_.size()}}};
    return *this;
  }

  // Pads the header with spaces, so that the data starts at a multiple of `align`, plus `shift`.
  std::string Build(size_t align = 8, size_t shift = 0) const {
    std::string header = header_.dump();
    while ((8 + header.size()) % align != shift) header += ' ';
    return Join(header, data_);
  }

  static std::string Join(const std::string& header, const std::string& data) {
    uint64_t size = header.size();
    std::string bytes(sizeof(size), '\0');
    std::memcpy(bytes.data(), &size, sizeof(size));
    return bytes + header + data;
  }

 private:
  nlohmann::json header_ = {{"__metadata__", {{"format", "pt"}}}};
  std::string data_;
};

}  // namespace recall
