#pragma once

#include <string_view>

namespace recall {

// The bytes of plugin/skills/recall/SKILL.md; cmake/EmbedText.cmake embeds them into the program.
extern const std::string_view kSkillText;

}  // namespace recall
