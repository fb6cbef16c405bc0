#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/source/extract/pdf/pdf_value.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// An object that stands in the file itself, not packed with others in a stream.
struct PdfObject {
  int64_t number = 0;
  int64_t generation = 0;
  size_t begin = 0;  // of its value
  size_t end = 0;    // of its value or, if it has one, of its stream
  bool has_stream = false;
  size_t stream_begin = 0;
  size_t stream_end = 0;
};

// The objects of a PDF file, found by reading all of the file: a table of contents that is wrong or
// missing makes no difference. Of objects with the same number the last one counts, as after an
// incremental update. Any bytes give some objects, or none. Objects in streams need zlib. Those of
// an encrypted file are found by UnpackDecrypted. Not thread-safe.
class PdfObjects final {
 public:
  // `file` must outlive the objects. Linear time. At most 2,000,000 objects, and 64 MiB of unpacked
  // streams, are taken; see complete().
  PdfObjects(std::string_view file, const ExtractLimits& limits);

  // The catalog; null if there is none.
  PdfValue Root() { return Resolved(root_); }
  // The value itself, or that of the object that it refers to.
  PdfValue Resolved(const PdfValue& value);
  // The value of a key, resolved.
  PdfValue At(const PdfValue& dictionary, std::string_view key) {
    return Resolved(dictionary.At(key));
  }

  // The value of /Encrypt, resolved; null if the file is not encrypted.
  PdfValue Encryption() { return Resolved(encryption_); }
  const PdfValue& trailer() const { return trailer_; }
  // The bytes of an object's stream, as they stand in the file.
  std::string_view StreamOf(const PdfObject& object) const {
    return file_.substr(object.stream_begin, object.stream_end - object.stream_begin);
  }
  // All objects of the file itself, in its order; those with a number that comes again are not the
  // ones that count.
  const std::vector<PdfObject>& objects() const { return objects_; }

  // Unpacks the streams of objects of an encrypted file. `decrypted` returns the bytes of a stream.
  // Must be called at most once.
  using DecryptFunction = std::function<std::string(const PdfObject& object, std::string_view)>;
  void UnpackDecrypted(const DecryptFunction& decrypted);
  // Calls visit(number, bytes) for each object that counts and was packed in a stream, by number.
  void ForEachPacked(
      const std::function<void(int64_t number, std::string_view value)>& visit) const;
  // Whether this place of an object is the one that counts.
  bool Counts(const PdfObject& object) const;

  // Whether all objects could be read. False also after more work than a file of this size may
  // take, when values become null.
  bool complete() const { return complete_; }

 private:
  struct Place {
    uint32_t source = 0;  // 0: the file; else packed_[source - 1]
    size_t at = 0;
    size_t order = 0;  // of two places of an object the greater one counts
  };

  void Scan();
  void AddObject(PdfParser* parser, int64_t number, int64_t generation);
  size_t StreamEnd(const PdfValue& dictionary, size_t begin);
  void AddTrailer(const PdfValue& dictionary);
  void AddPlace(int64_t number, const Place& place);
  void Unpack(const PdfObject& object, std::string_view bytes);

  std::string_view file_;
  uint64_t most_unpacked_;
  uint64_t work_left_;
  bool complete_ = true;
  std::vector<PdfObject> objects_;
  std::vector<size_t> packs_;        // of objects_, those that are streams of objects
  std::vector<std::string> packed_;  // their texts
  std::unordered_map<int64_t, Place> places_;
  PdfValue trailer_, root_, encryption_;
};

}  // namespace recall
