#pragma once

#include <string>
#include <utility>
#include <vector>

#include "query/memory/notes/near_notes.h"
#include "query/memory/notes/note_dependencies.h"
#include "query/types/note_types.h"

namespace recall {

// Implement Database::Link, Unlink and Links. Errors: NotFound for targets, InvalidArgument for a
// link from a document to itself, a relation with other characters, or a weight outside of 0 to 1.
Result<LinkReport> RunLink(const NoteDependencies& deps, const LinkRequest& request);
Result<UnlinkReport> RunUnlink(const NoteDependencies& deps, const UnlinkRequest& request);
Result<LinksReport> RunLinks(const Snapshot& snapshot, const LinksRequest& request,
                             const std::string& store_root);

// The paths of documents, all notes if `targets` is empty, and what of each is compared with
// others.
Result<std::vector<std::pair<std::string, ComparedNote>>> NotesToLink(
    const Snapshot& snapshot, const std::vector<std::string>& targets,
    const std::string& store_root);

// Writes links, of any origin, that are not there yet, in one commit.
Result<LinkReport> WriteLinks(const NoteDependencies& deps, std::vector<LinkRecord> links,
                              bool dry_run);

}  // namespace recall
