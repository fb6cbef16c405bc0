#include "index/source/note/text_links.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "index/source/chunk/front_matter.h"
#include "index/source/chunk/markdown_lines.h"
#include "storage/base/trim.h"
#include "storage/metadata/metadata_values.h"

namespace recall {
namespace {

constexpr size_t kMostRelationBytes = 64;
constexpr size_t kMostTargetBytes = 1024;
constexpr std::string_view kOpen = "[[";
constexpr std::string_view kClose = "]]";

// "css-focus#Rules|label" -> "css-focus"
std::string_view TargetOf(std::string_view inner) {
  return Trim(inner.substr(0, inner.find_first_of("|#")));
}

class LinkCollector final {
 public:
  void Add(std::string_view target, std::string_view relation) {
    if (target.empty() || target.size() > kMostTargetBytes || links_.size() >= kMostTextLinks) {
      return;
    }
    if (!seen_.emplace(target, relation).second) return;
    links_.push_back({std::string(target), std::string(relation)});
  }
  std::vector<TextLink> Take() { return std::move(links_); }

 private:
  std::vector<TextLink> links_;
  std::set<std::pair<std::string, std::string>> seen_;
};

// The relation of a line "- relation [[target]]"; "related" for other lines.
std::string_view RelationOf(std::string_view line) {
  const size_t marker = ListMarkerLength(line);
  const size_t open = line.find(kOpen);
  if (marker == 0 || open == std::string_view::npos || open < marker) return kRelatedRelation;
  const std::string_view name = Trim(line.substr(marker, open - marker));
  return IsRelationName(name) ? name : kRelatedRelation;
}

void ReadLine(std::string_view line, LinkCollector* links) {
  const std::string_view relation = RelationOf(line);
  bool in_code = false;
  for (size_t at = 0; at < line.size();) {
    if (line[at] == '`') {
      in_code = !in_code;
      ++at;
    } else if (!in_code && line.substr(at).starts_with(kOpen)) {
      const size_t begin = at + kOpen.size();
      const size_t end = line.find(kClose, begin);
      if (end == std::string_view::npos) return;
      const std::string_view inner = line.substr(begin, end - begin);
      if (inner.find('[') == std::string_view::npos) links->Add(TargetOf(inner), relation);
      at = end + kClose.size();
    } else {
      ++at;
    }
  }
}

}  // namespace

bool IsRelationName(std::string_view name) {
  return !name.empty() && name.size() <= kMostRelationBytes &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

std::vector<TextLink> FindTextLinks(std::string_view note,
                                    const std::vector<std::string>& related) {
  LinkCollector links;
  for (std::string_view item : related) {
    item = Trim(item);
    if (item.starts_with(kOpen) && item.ends_with(kClose)) {
      item = item.substr(kOpen.size(), item.size() - kOpen.size() - kClose.size());
    }
    links.Add(TargetOf(item), kRelatedRelation);
  }
  const auto front_matter = FindFrontMatter(note);
  const std::string_view body = note.substr(front_matter ? front_matter->end : 0);
  std::optional<Fence> fence;
  for (size_t at = 0; at < body.size();) {
    const size_t end = std::min(body.find('\n', at), body.size());
    const std::string_view line = body.substr(at, end - at);
    at = end + 1;
    if (fence) {
      if (ClosesFence(line, *fence)) fence.reset();
    } else if (fence = OpenFence(line, false); !fence) {
      ReadLine(line, &links);
    }
  }
  return links.Take();
}

std::vector<TextLink> LinksOfNote(std::string_view note, const std::optional<std::string>& meta) {
  static const std::string kKey = "related";
  std::vector<std::string> related;
  if (const auto scalars = meta ? MetadataAt(*meta, {&kKey, 1}) : std::nullopt) {
    for (const MetaScalar& scalar : *scalars) {
      if (scalar.kind != MetaScalar::Kind::kNumber) related.push_back(scalar.text);
    }
  }
  return FindTextLinks(note, related);
}

}  // namespace recall
