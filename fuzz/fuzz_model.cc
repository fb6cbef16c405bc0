// Models, as found in a file nobody vouches for. What opens can be used with any text, finds each
// of its own terms, and gives vectors of unit length or zero.
// Input: u8 0 = bytes as they are, else repair all checksums first, so that the fields are reached;
// then the bytes of a model.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/latent/latent_embedder.h"
#include "index/latent/latent_model.h"
#include "index/latent/model_format.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

namespace format = model_format;

// Puts the right checksums where the header says that they are.
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

void CheckModel(const LatentModel& model) {
  RECALL_CHECK(model.dim() % 8 == 0 && model.dim() >= 8 && model.rank() <= model.dim());
  for (uint32_t term = 0; term < model.terms(); ++term) {
    RECALL_CHECK(model.df(term) > 0 && model.df(term) <= model.documents());
    RECALL_CHECK(std::isfinite(model.factor(term)));
    RECALL_CHECK(model.row(term) != nullptr);
  }
  LatentEmbedder embedder(model);
  std::vector<float> vector(model.dim());
  for (const std::string_view text : {"wing pressure flow", "blood blood blood cell", ""}) {
    RECALL_CHECK(embedder.Embed(std::span(&text, 1), vector).ok());
    double square = 0;
    for (const float component : vector) square += double{component} * double{component};
    RECALL_CHECK(square == 0 || std::fabs(square - 1) < 1e-3);
  }
}

}  // namespace

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  const bool repair = reader.Read<uint8_t>() != 0;
  const ByteSpan rest = TakeRest(reader);
  std::vector<uint8_t> bytes(rest.begin(), rest.end());
  if (repair) RepairChecksums(&bytes);
  const Result<LatentModel> model = LatentModel::Open(bytes);
  if (model) return CheckModel(*model);
  RECALL_CHECK(model.error().code() == StatusCode::kCorruption ||
               model.error().code() == StatusCode::kUnsupported);
}

}  // namespace recall
