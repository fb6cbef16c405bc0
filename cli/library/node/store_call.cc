#include "cli/library/node/store_call.h"

namespace recall {
namespace {

const char* TextOrNull(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

int AddText(const LoadedLibrary& library, const CallRequest& request, recall_store* store,
            recall_answer** answer) {
  const bool borrowed = request.borrowed != nullptr;
  const float* const vector = borrowed                 ? request.borrowed
                              : request.vector.empty() ? nullptr
                                                       : request.vector.data();
  return library.add_text(store, request.first.c_str(), request.content.data(),
                          request.content.size(), TextOrNull(request.request), vector,
                          borrowed ? request.size : request.vector.size(), answer);
}

int AddLines(const LoadedLibrary& library, const CallRequest& request, recall_store* store,
             recall_answer** answer) {
  const bool borrowed = request.borrowed_lines != nullptr;
  return library.add_lines(store, borrowed ? request.borrowed_lines : request.content.data(),
                           borrowed ? request.size : request.content.size(),
                           TextOrNull(request.request), answer);
}

}  // namespace

void RunCall(const LoadedLibrary& library, const CallRequest& request, recall_store** store,
             CallOutcome* outcome) {
  const char* const first = request.first.c_str();
  const char* const json = TextOrNull(request.request);
  switch (request.kind) {
    case CallKind::kOpen:
      outcome->status = library.open(first, json, store, &outcome->answer);
      return;
    case CallKind::kCommand:
      outcome->status = library.call(*store, first, json, &outcome->answer);
      return;
    case CallKind::kSearch:
      outcome->status =
          library.search(*store, first, json, request.set.get(), &outcome->hits, &outcome->answer);
      return;
    case CallKind::kAddText:
      outcome->status = AddText(library, request, *store, &outcome->answer);
      return;
    case CallKind::kAddLines:
      outcome->status = AddLines(library, request, *store, &outcome->answer);
      return;
    case CallKind::kClose:
      library.close(*store);
      *store = nullptr;
      return;
  }
}

}  // namespace recall
