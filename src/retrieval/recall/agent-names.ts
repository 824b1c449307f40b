/** Without a family name, which a person has. */
const AGENT_ALONE = /^(?:claude(?: code)?|codex|cursor|copilot|gemini|chatgpt|(?:the )?assistant)$/i

/** Whether a name is that of an assistant and not of a person. */
export function isAgentName(name: string): boolean {
  return AGENT_ALONE.test(name)
}
