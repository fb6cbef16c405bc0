// Hooks of Recall for opencode. `recall install --hooks opencode` wrote this file, and `recall
// uninstall --hooks opencode` takes it away.
//
// Problem. A model does not think of asking a store. opencode starts no programs at its events, but
// loads plugins.
//
// Idea. At a prompt, an edit and a command that failed, ask `recall hook`, which answers with what
// the store knows of it, or not at all. An answer to a prompt is one more part of the message, which
// the model reads and people do not see; the others are put behind the output of the tool.
//
// Nothing here ever fails: without an answer within LIMIT_MS, and after any error, opencode goes on.
import { spawn } from "node:child_process"

const COMMAND = "@COMMAND@"
const LIMIT_MS = 5000
const EDITS = ["edit", "write", "multiedit"]

// The text that `recall hook` answers to an event; "" if there is none.
function answer(event) {
  return new Promise((resolve) => {
    let output = ""
    const child = spawn("/bin/sh", ["-c", COMMAND], {
      cwd: event.cwd, stdio: ["pipe", "pipe", "ignore"], timeout: LIMIT_MS,
    })
    child.on("error", () => resolve(""))
    child.on("close", () => {
      try {
        resolve(String(JSON.parse(output).hookSpecificOutput.additionalContext))
      } catch {
        resolve("")
      }
    })
    child.stdout.setEncoding("utf8").on("data", (part) => (output += part))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })
}

export const Recall = async ({ directory }) => {
  const told = new Map() // by session: what it was told since its last summary
  const begun = new Set() // the sessions that had their beginning

  async function hint(sessionID, event) {
    const before = told.get(sessionID) ?? ""
    const text = await answer({ ...event, session_id: sessionID, cwd: directory, told: before })
    if (text) told.set(sessionID, before + "\n" + text)
    return text
  }

  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
      const texts = []
      if (!begun.has(sessionID)) {
        begun.add(sessionID)
        texts.push(await hint(sessionID, { hook_event_name: "SessionStart" }))
      }
      if (prompt) texts.push(await hint(sessionID, { hook_event_name: "UserPromptSubmit", prompt }))
      for (const text of texts.filter(Boolean)) {
        // Parts are ordered by their ids.
        const id = (parts.at(-1)?.id ?? "prt_" + message.id.slice(4)) + "r"
        parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true })
      }
    },

    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      let text = ""
      if (tool === "bash" && output.metadata?.exit > 0) {
        const tool_response = { stdout: output.output, exit_code: output.metadata.exit }
        text = await hint(sessionID, { hook_event_name: "PostToolUse", tool_response })
      } else if (EDITS.includes(tool) && args?.filePath) {
        text = await hint(sessionID, { hook_event_name: "PreToolUse", tool_input: { file_path: args.filePath } })
      }
      if (text) output.output += "\n\n" + text
    },

    event: async ({ event }) => {
      if (event.type !== "session.compacted") return
      told.delete(event.properties.sessionID)
      begun.delete(event.properties.sessionID)
    },
  }
}
