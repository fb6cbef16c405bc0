// recall.toml: the file is rejected with a line number, or every setting in it exists and is
// unchanged by printing and parsing.

#include "cli/options/settings/config.h"
#include "fuzz/fuzz_target.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  const std::string path = "/etc/recall.toml";
  std::vector<std::string> warnings;
  UserPrograms programs;
  std::vector<View> views;
  const Result<ConfigLayer> layer =
      internal::ParseConfigText(AsText(input), path, &programs, &views, &warnings);
  if (!layer) {
    RECALL_CHECK(layer.error().code() == StatusCode::kInvalidArgument);
    RECALL_CHECK(layer.error().message().starts_with(path + ":"));
    return;
  }
  for (const std::string& warning : warnings) RECALL_CHECK(warning.starts_with(path + ":"));
  for (const EmbedderConfig& embedder : programs.embedders) RECALL_CHECK(!embedder.name.empty());
  for (const RankerConfig& ranker : programs.rankers) RECALL_CHECK(!ranker.command.empty());
  std::string printed;
  for (const ConfigEntry& entry : *layer) {
    RECALL_CHECK(internal::IsConfigKey(entry.key) && entry.origin.starts_with(path + ":"));
    printed += entry.key + " = " + PrintConfigValue(entry.value) + "\n";
  }
  for (const View& view : views) {
    RECALL_CHECK(view.origin.starts_with(path + ":"));
    printed += PrintView(view);
  }
  std::vector<std::string> none;
  std::vector<View> same;
  const Result<ConfigLayer> again = internal::ParseConfigText(printed, path, nullptr, &same, &none);
  RECALL_CHECK(again && none.empty() && again->size() == layer->size());
  RECALL_CHECK(same.size() == views.size());
  for (size_t i = 0; i < views.size(); ++i) {
    RECALL_CHECK(same[i].name == views[i].name && ValuesOf(same[i]) == ValuesOf(views[i]));
  }
  for (size_t i = 0; i < layer->size(); ++i) {
    RECALL_CHECK((*again)[i].key == (*layer)[i].key && (*again)[i].value == (*layer)[i].value);
  }
  ConfigLayers layers;
  layers.user = *layer;
  layers.views = views;
  CheckConfig(ResolveConfig(layers)).IgnoreError();
}

}  // namespace recall
