// LSA models from an untrusted file: one container; or the parts of a store, in which the terms
// (before format 7 only their rows) are in separate pieces. A model that opens can embed any text,
// finds each of its own terms, and gives vectors of unit norm or zero. Missing pieces and pieces of
// a wrong size are detected as damage. The rows of a model are the bytes of its pieces.
// Input: u8 flags: 1 means that all checksums are repaired first, so that the fields are reached; 2
// means parts. Then the bytes of the container; or u32 size and bytes of the index, then u16 size
// and bytes of each piece. With flag 1 each piece is truncated or zero-filled to its correct size.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/embed/lsa/lsa_embedder.h"
#include "index/embed/lsa/lsa_model.h"
#include "index/embed/lsa/model_format.h"
#include "index/embed/lsa/stored_model.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

namespace format = model_format;

// The bytes of a term in a piece, without its row.
constexpr size_t kTermBytes = sizeof(uint64_t) + sizeof(format::LsaTerm);

// Writes correct checksums at the places that the header gives.
void RepairChecksums(std::vector<uint8_t>* bytes) {
  if (bytes->size() < sizeof(format::Header)) return;
  StoreLittle<uint64_t>(bytes->data() + offsetof(format::Header, total_bytes), bytes->size());
  const size_t header = LoadLittle<uint32_t>(bytes->data() + 12);
  const size_t count = LoadLittle<uint16_t>(bytes->data() + 10);
  if (header > bytes->size() ||
      header != sizeof(format::Header) + count * sizeof(format::Section) + format::kChecksumBytes) {
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    uint8_t* section = bytes->data() + sizeof(format::Header) + i * sizeof(format::Section);
    const auto offset = LoadLittle<uint64_t>(section + offsetof(format::Section, offset));
    const auto size = LoadLittle<uint64_t>(section + offsetof(format::Section, bytes));
    if (offset > bytes->size() || size > bytes->size() - offset) continue;
    StoreLittle(section + offsetof(format::Section, checksum),
                Crc32c(ByteSpan(*bytes).subspan(offset, size)));
  }
  const size_t covered = header - format::kChecksumBytes;
  StoreLittle(bytes->data() + covered, Crc32c(ByteSpan(*bytes).first(covered)));
}

void CheckModel(const LsaModel& model) {
  RECALL_CHECK(model.dim() % 8 == 0 && model.dim() >= 8 && model.rank() <= model.dim());
  for (uint32_t term = 0; term < model.terms(); ++term) {
    RECALL_CHECK(model.df(term) > 0 && model.df(term) <= model.documents());
    RECALL_CHECK(std::isfinite(model.factor(term)));
    RECALL_CHECK(model.row(term) != nullptr);
  }
  LsaEmbedder embedder(model);
  std::vector<float> vector(model.dim());
  for (const std::string_view text : {"wing pressure flow", "blood blood blood cell", ""}) {
    RECALL_CHECK(embedder.Embed(std::span(&text, 1), vector).ok());
    double square = 0;
    for (const float component : vector) square += double{component} * double{component};
    RECALL_CHECK(square == 0 || std::fabs(square - 1) < 1e-3);
  }
}

void CheckRefused(const Status& status) {
  RECALL_CHECK(status.code() == StatusCode::kCorruption ||
               status.code() == StatusCode::kUnsupported);
}

void AppendChecksum(std::string* piece) {
  uint8_t checksum[format::kChecksumBytes];
  StoreLittle<uint32_t>(checksum, Crc32c(AsBytes(*piece)));
  piece->append(reinterpret_cast<const char*>(checksum), sizeof(checksum));
}

std::vector<ModelPart> ReadParts(ByteReader& reader, bool repair) {
  constexpr size_t kMostPieces = 8;
  const ByteSpan given =
      reader.ReadBytes(std::min<size_t>(reader.Read<uint32_t>(), reader.remaining()));
  std::vector<uint8_t> index(given.begin(), given.end());
  if (repair) RepairChecksums(&index);
  std::vector<ModelPart> parts;
  parts.push_back({std::string(kLsaPart), std::string(AsText(index))});
  const Result<LsaModel> of_pieces = LsaModel::OfPieces(index);
  const Result<LsaModel> shape = of_pieces ? of_pieces : LsaModel::Open(index, std::nullopt);
  const std::string_view kind = of_pieces ? kLsaTermsPart : kLsaRowsPart;
  const size_t term_bytes = (shape ? shape->dim() / 2 : 0) + (of_pieces ? kTermBytes : 0);
  const size_t terms = shape ? shape->terms() : 0;
  for (size_t i = 0; i < kMostPieces && reader.remaining() > 0; ++i) {
    const size_t size = std::min<size_t>(reader.Read<uint16_t>(), reader.remaining());
    std::string piece(AsText(reader.ReadBytes(size)));
    if (repair) {
      const size_t first = std::min(terms, i * format::kTermsPerPiece);
      piece.resize(std::min(terms - first, format::kTermsPerPiece) * term_bytes);
      AppendChecksum(&piece);
    }
    parts.push_back({std::string(kind) + std::to_string(i), std::move(piece)});
  }
  return parts;
}

void CheckParts(std::vector<ModelPart> parts) {
  const auto stored = StoredLsaModel::OfParts(parts);
  const Status checked = CheckLsaParts(parts);
  RECALL_CHECK(checked.ok() == stored.has_value());
  if (!stored) return CheckRefused(stored.error());
  const LsaModel& model = (*stored)->model();
  CheckModel(model);
  const size_t row_bytes = model.dim() / 2;
  for (uint32_t term = 0; term < model.terms(); ++term) {
    const ModelPart& part = parts[1 + term / format::kTermsPerPiece];
    const size_t first = term / format::kTermsPerPiece * format::kTermsPerPiece;
    const size_t before =
        part.kind.starts_with(kLsaRowsPart)
            ? 0
            : std::min(model.terms() - first, format::kTermsPerPiece) * kTermBytes;
    const std::string_view row =
        std::string_view(part.data).substr(before + (term - first) * row_bytes, row_bytes);
    RECALL_CHECK(std::equal(row.begin(), row.end(), reinterpret_cast<const char*>(model.row(term)),
                            reinterpret_cast<const char*>(model.row(term)) + row_bytes));
  }
  if (model.terms() == 0) return;
  const size_t last = 1 + (model.terms() - 1) / format::kTermsPerPiece;
  parts[last].data.back() = static_cast<char>(parts[last].data.back() ^ 1);
  CheckRefused(CheckLsaParts(parts));
  parts.erase(parts.begin() + static_cast<ptrdiff_t>(last));
  CheckRefused(CheckLsaParts(parts));
}

}  // namespace

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  const auto flags = reader.Read<uint8_t>();
  const bool repair = (flags & 1) != 0;
  if ((flags & 2) != 0) return CheckParts(ReadParts(reader, repair));
  const ByteSpan rest = TakeRest(reader);
  std::vector<uint8_t> bytes(rest.begin(), rest.end());
  if (repair) RepairChecksums(&bytes);
  const Result<LsaModel> model = LsaModel::Open(bytes);
  if (model) return CheckModel(*model);
  CheckRefused(model.error());
}

}  // namespace recall
