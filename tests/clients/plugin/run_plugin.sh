#!/usr/bin/env bash
# Validates the plugin for Claude Code with Claude Code itself, and installs it there:
# tests/clients/plugin/run_plugin.sh
# Fetches about 400 MB from npm the first time, so it is no part of `./x test clients`. No account is needed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

# Installed only if the lock file has changed.
dir=$PWD/build/clients/plugin
mkdir -p "$dir"
cp tests/clients/plugin/package.json "$dir"
if ! cmp -s tests/clients/plugin/package-lock.json "$dir/package-lock.json" || [ ! -d "$dir/node_modules" ]; then
  rm -rf "$dir/node_modules"
  cp tests/clients/plugin/package-lock.json "$dir"
  (cd "$dir" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || { rm -rf "$dir"; exit 1; }
fi

HOME=$(mktemp -d)
export HOME CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
unset CLAUDE_CONFIG_DIR
trap 'rm -rf "$HOME"' EXIT
claude() { node "$dir/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs" "$@"; }
has() { # has TEXT: what was read last says it
  grep -qF -- "$1" <<<"$said" || { printf '%s\n' "$said" >&2; echo "\"$1\" is missing" >&2; exit 1; }
}

claude plugin validate --strict .claude-plugin/marketplace.json
claude plugin validate --strict cli/setup/plugin
claude plugin marketplace add ./
claude plugin install recall@recall
said=$(claude plugin details recall)
has "Skills (1)  recall"
has "MCP servers (1)  recall"
for event in SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact SessionEnd; do
  has "$event"
done
echo "the plugin is valid, and Claude Code has its skill, its hooks and its server"
