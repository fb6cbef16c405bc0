#include "query/memory/sessions/capture_places.h"

#include <utility>
#include <vector>

#include "index/base/paths/doc_path.h"
#include "index/base/paths/working_directory.h"
#include "query/memory/git/repository.h"

namespace recall {

void SetCapturePlaces(const EnvironmentVariable& variable, const std::string& directory,
                      CaptureRequest* request) {
  request->project = AbsoluteLexicalPath(directory);
  std::vector<std::string> projects = {request->project};
  if (request->paths.empty()) {
    const auto repository = FindRepository(request->project);
    const bool below = repository && *repository && !(*repository)->root.empty() &&
                       (*repository)->root != request->project;
    if (below) projects.push_back((*repository)->root);
  }
  request->places = PlacesOfUser(variable, std::move(projects));
}

}  // namespace recall
