#include "index/source/extract/pdf/pdf_objects.h"

#include <algorithm>
#include <optional>

#include "index/source/extract/container/zlib_stream.h"

// Problem: the notes and the outline of a PDF are objects that refer to each other by number, and
// pdftotext does not print them. Where an object stands is in a table at the end of the file, of
// one of two forms, or in a chain of them; tables may be damaged, circular, or lie.
//
// Idea: the file is read once from its beginning, "12 0 obj" by "12 0 obj", as readers do when the
// table is damaged. Contents of streams are skipped: by their length if "endstream" follows there,
// else to the next "endstream". Then the streams that contain objects are unpacked.
//
// Invariant: what is asked for costs the bytes that are parsed, and all questions together at most
// a few times the size of the file. So a circle ends even where a caller does not notice it.

namespace recall {
namespace {

constexpr size_t kMostObjects = 2'000'000;
constexpr uint64_t kMostUnpacked = uint64_t{64} << 20;
constexpr int kMostSteps = 32;  // from reference to reference

}  // namespace

PdfObjects::PdfObjects(std::string_view file, const ExtractLimits& limits)
    : file_(file),
      most_unpacked_(std::min(
          {kMostUnpacked, limits.max_unpacked_bytes,
           std::max(limits.free_unpacked_bytes, file.size() * limits.max_unpacked_ratio)})),
      work_left_(uint64_t{8} * file.size() + most_unpacked_) {
  Scan();
  if (encryption_.kind != PdfValue::Kind::kNull) return;
  for (const size_t pack : packs_) Unpack(objects_[pack], StreamOf(objects_[pack]));
}

void PdfObjects::UnpackDecrypted(const DecryptFunction& decrypted) {
  for (const size_t pack : packs_) {
    Unpack(objects_[pack], decrypted(objects_[pack], StreamOf(objects_[pack])));
  }
}

bool PdfObjects::Counts(const PdfObject& object) const {
  const auto place = places_.find(object.number);
  return place != places_.end() && place->second.source == 0 && place->second.at == object.begin;
}

void PdfObjects::ForEachPacked(
    const std::function<void(int64_t number, std::string_view value)>& visit) const {
  std::vector<std::pair<int64_t, Place>> packed;
  for (const auto& [number, place] : places_) {
    if (place.source != 0) packed.emplace_back(number, place);
  }
  std::ranges::sort(packed, {}, &std::pair<int64_t, Place>::first);
  for (const auto& [number, place] : packed) {
    const std::string_view bytes = packed_[place.source - 1];
    PdfParser parser(bytes, std::min(place.at, bytes.size()));
    const size_t begin = parser.at();
    parser.Value();
    visit(number, bytes.substr(begin, parser.at() - begin));
  }
}

void PdfObjects::Scan() {
  PdfParser parser(file_, 0);
  while (!parser.at_end() && objects_.size() < kMostObjects) {
    parser.SkipSpace();
    const size_t begin = parser.at();
    int64_t number = 0, generation = 0;
    if (parser.Take("trailer")) {
      AddTrailer(parser.Value());
    } else if (parser.TakeNumber(&number)) {
      const size_t after = parser.at();
      parser.SkipSpace();
      const bool has_generation = parser.TakeNumber(&generation);
      if (has_generation) parser.SkipSpace();
      if (has_generation && parser.Take("obj")) {
        AddObject(&parser, number, generation);
      } else {
        parser.MoveTo(after);
      }
    } else {
      const size_t end = file_.find_first_of(std::string_view("\0\t\n\f\r ", 6), begin);
      parser.MoveTo(std::min(end, file_.size()));
    }
  }
  if (!parser.at_end()) complete_ = false;
}

void PdfObjects::AddObject(PdfParser* parser, int64_t number, int64_t generation) {
  PdfObject object{.number = number, .generation = generation, .begin = parser->at()};
  const PdfValue value = parser->Value();
  object.end = parser->at();
  parser->SkipSpace();
  if (value.kind == PdfValue::Kind::kDictionary && parser->Take("stream")) {
    if (!parser->Take("\r\n") && !parser->Take("\n")) parser->Take("\r");
    object.has_stream = true;
    object.stream_begin = parser->at();
    object.stream_end = object.end = StreamEnd(value, object.stream_begin);
    parser->MoveTo(object.end);
    const PdfValue& type = value.At("Type");
    if (type.IsName("ObjStm")) packs_.push_back(objects_.size());
    if (type.IsName("XRef")) AddTrailer(value);
  } else {
    parser->MoveTo(object.end);
  }
  if (value.At("Type").IsName("Catalog") && trailer_.kind == PdfValue::Kind::kNull) {
    // Stands until a trailer names another one.
    root_.kind = PdfValue::Kind::kReference;
    root_.number = number;
  }
  objects_.push_back(object);
  AddPlace(number, {0, object.begin, object.begin});
}

size_t PdfObjects::StreamEnd(const PdfValue& dictionary, size_t begin) {
  constexpr std::string_view kEnd = "endstream";
  const PdfValue length = Resolved(dictionary.At("Length"));
  if (length.kind == PdfValue::Kind::kNumber && length.number >= 0 &&
      static_cast<uint64_t>(length.number) <= file_.size() - begin) {
    const size_t end = begin + static_cast<size_t>(length.number);
    PdfParser after(file_, end);
    // At most a line end may stand between them; no comment can.
    if (!after.Take("\r\n") && !after.Take("\n")) after.Take("\r");
    if (after.Take(kEnd)) return end;
  }
  return std::min(file_.find(kEnd, begin), file_.size());
}

void PdfObjects::AddTrailer(const PdfValue& dictionary) {
  if (dictionary.At("Root").kind == PdfValue::Kind::kReference) {
    root_ = dictionary.At("Root");
    trailer_ = dictionary;
  }
  const PdfValue& encryption = dictionary.At("Encrypt");
  if (encryption.kind != PdfValue::Kind::kNull) encryption_ = encryption;
}

void PdfObjects::AddPlace(int64_t number, const Place& place) {
  Place& known = places_[number];
  if (place.order >= known.order) known = place;
}

void PdfObjects::Unpack(const PdfObject& object, std::string_view bytes) {
  const PdfValue dictionary = PdfParser(file_, object.begin).Value();
  PdfValue filter = Resolved(dictionary.At("Filter"));
  if (filter.kind == PdfValue::Kind::kArray && filter.items.size() == 1) {
    filter = Resolved(filter.items[0]);
  }
  std::optional<std::string> text;
  if (filter.kind == PdfValue::Kind::kNull && bytes.size() <= most_unpacked_) text = bytes;
  if (filter.IsName("FlateDecode")) text = InflateZlib(bytes, most_unpacked_);
  if (!text || packed_.size() == kMostObjects) {
    complete_ = false;
    return;
  }
  most_unpacked_ -= text->size();
  packed_.push_back(std::move(*text));
  const int64_t first = Resolved(dictionary.At("First")).number;
  const auto source = static_cast<uint32_t>(packed_.size());
  PdfParser parser(packed_.back(), 0);
  for (int64_t number = 0, offset = 0; places_.size() < kMostObjects;) {
    parser.SkipSpace();
    if (static_cast<int64_t>(parser.at()) >= first || !parser.TakeNumber(&number)) break;
    parser.SkipSpace();
    if (!parser.TakeNumber(&offset)) break;
    AddPlace(number, {source, static_cast<size_t>(first + offset), object.begin});
  }
}

PdfValue PdfObjects::Resolved(const PdfValue& value) {
  if (value.kind != PdfValue::Kind::kReference) return value;
  PdfValue found = value;
  for (int step = 0; step < kMostSteps && found.kind == PdfValue::Kind::kReference; ++step) {
    const auto place = places_.find(found.number);
    if (place == places_.end()) return {};
    const std::string_view bytes =
        place->second.source == 0 ? file_ : packed_[place->second.source - 1];
    PdfParser parser(bytes, std::min(place->second.at, bytes.size()));
    found = parser.Value();
    const uint64_t work = parser.at() - std::min(place->second.at, bytes.size()) + 1;
    if (work > work_left_) {
      complete_ = false;
      work_left_ = 0;
      return {};
    }
    work_left_ -= work;
  }
  return found.kind == PdfValue::Kind::kReference ? PdfValue() : found;
}

}  // namespace recall
