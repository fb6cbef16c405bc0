#include "index/latent/stored_model.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "index/latent/model_format.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/base/checked_math.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

namespace format = model_format;

std::string PieceName(size_t piece) { return std::string(kLatentRowsPart) + std::to_string(piece); }

Status DamagedPart(const std::string& kind) {
  return Status::Corruption("The part \"" + kind + "\" of the store's model is missing or damaged.",
                            "run `recall doctor --fix`");
}

size_t RowBytes(const LatentModel& model) { return model.dim() / 2; }

// Rows on a piece, as bytes.
size_t PieceBytes(const LatentModel& model, size_t piece) {
  const size_t first = piece * format::kRowsPerPiece;
  return std::min<size_t>(format::kRowsPerPiece, model.terms() - first) * RowBytes(model);
}

}  // namespace

bool IsLatentPart(std::string_view kind) {
  return kind == kLatentPart || kind.starts_with(kLatentRowsPart);
}

std::vector<ModelPart> StoredLatentModel::Split(std::vector<ModelSection> sections) {
  const auto parameters =
      std::ranges::find(sections, uint32_t{format::kLatentParameters}, &ModelSection::id);
  const auto at = std::ranges::find(sections, uint32_t{format::kLatentRows}, &ModelSection::id);
  RECALL_CHECK(parameters != sections.end() && at != sections.end());
  ByteReader reader(AsBytes(parameters->bytes));
  const size_t row_bytes = reader.Read<format::LatentParameters>().dim / 2;
  const std::string rows = std::move(at->bytes);

  // In the rows' place their checksum, so that the fingerprint still depends on every byte.
  at->id = format::kLatentRowsChecksum;
  at->bytes.assign(sizeof(uint32_t), '\0');
  StoreLittle<uint32_t>(reinterpret_cast<uint8_t*>(at->bytes.data()), Crc32c(AsBytes(rows)));
  std::vector<ModelPart> parts;
  parts.push_back({std::string(kLatentPart), EncodeModel(std::move(sections))});
  const size_t piece_bytes = format::kRowsPerPiece * row_bytes;
  for (size_t begin = 0, piece = 0; begin < rows.size(); begin += piece_bytes, ++piece) {
    std::string data = rows.substr(begin, piece_bytes);
    uint8_t checksum[format::kChecksumBytes];
    StoreLittle<uint32_t>(checksum, Crc32c(AsBytes(data)));
    data.append(reinterpret_cast<const char*>(checksum), sizeof(checksum));
    parts.push_back({PieceName(piece), std::move(data)});
  }
  return parts;
}

Result<std::unique_ptr<StoredLatentModel>> StoredLatentModel::OfIndex(int64_t id,
                                                                      std::string index) {
  std::unique_ptr<StoredLatentModel> stored(new StoredLatentModel(id, std::move(index)));
  const ByteSpan bytes = AsBytes(stored->index_);
  RECALL_ASSIGN(const LatentModel shape, LatentModel::Open(bytes, std::nullopt));
  const size_t size = size_t{shape.terms()} * RowBytes(shape);
  stored->rows_.reset(static_cast<uint8_t*>(std::calloc(std::max<size_t>(size, 1), 1)));
  if (!stored->rows_) throw std::bad_alloc();
  stored->read_.resize(DivideRoundUp(size_t{shape.terms()}, format::kRowsPerPiece));
  LatentModel model = shape;
  model.UseRows({stored->rows_.get(), size});
  stored->model_ = std::make_unique<const LatentModel>(std::move(model));
  return stored;
}

Result<std::unique_ptr<StoredLatentModel>> StoredLatentModel::Open(Connection& connection,
                                                                   int64_t model) {
  RECALL_ASSIGN(auto index, ReadModelPart(connection, model, kLatentPart));
  if (!index) return Fail(DamagedPart(std::string(kLatentPart)));
  return OfIndex(model, *std::move(index));
}

Result<std::unique_ptr<StoredLatentModel>> StoredLatentModel::OfParts(
    const std::vector<ModelPart>& parts) {
  const auto index = std::ranges::find(parts, kLatentPart, &ModelPart::kind);
  if (index == parts.end()) return Fail(DamagedPart(std::string(kLatentPart)));
  RECALL_ASSIGN(auto stored, OfIndex(0, index->data));
  for (size_t piece = 0; piece < stored->pieces(); ++piece) {
    const auto part = std::ranges::find(parts, PieceName(piece), &ModelPart::kind);
    if (part == parts.end()) return Fail(DamagedPart(PieceName(piece)));
    RECALL_TRY(stored->TakePiece(piece, part->data));
  }
  return stored;
}

Status StoredLatentModel::TakePiece(size_t piece, std::string_view bytes) {
  const size_t size = PieceBytes(*model_, piece);
  const ByteSpan data = AsBytes(bytes);
  if (data.size() != size + format::kChecksumBytes ||
      LoadLittle<uint32_t>(data.data() + size) != Crc32c(data.first(size))) {
    return DamagedPart(PieceName(piece));
  }
  std::memcpy(rows_.get() + piece * format::kRowsPerPiece * RowBytes(*model_), data.data(), size);
  read_[piece] = true;
  return Status::Ok();
}

Status StoredLatentModel::ReadPiece(Connection& connection, size_t piece) {
  if (read_[piece]) return Status::Ok();
  RECALL_ASSIGN(const auto bytes, ReadModelPart(connection, id_, PieceName(piece)));
  if (!bytes) return DamagedPart(PieceName(piece));
  return TakePiece(piece, *bytes);
}

Status StoredLatentModel::ReadRows(Connection& connection, std::span<const uint32_t> terms) {
  for (const uint32_t term : terms) {
    RECALL_TRY(ReadPiece(connection, term / format::kRowsPerPiece));
  }
  return Status::Ok();
}

Status StoredLatentModel::ReadAllRows(Connection& connection) {
  for (size_t piece = 0; piece < pieces(); ++piece) RECALL_TRY(ReadPiece(connection, piece));
  return Status::Ok();
}

Status CheckLatentParts(const std::vector<ModelPart>& parts) {
  return internal::ToStatus(StoredLatentModel::OfParts(parts));
}

}  // namespace recall
