/** One message of a session, or the input or output of a tool. */
export interface SessionMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly at?: Date
  /** Name of the tool: `Bash`. */
  readonly tool?: string
}

/** Entries of a session besides messages: its title and folder, and the session that started it as a sub-agent. */
export type SessionPart =
  | {
      readonly type: 'message'
      readonly message: SessionMessage
      /** Offset at which reading can resume with this message; absent if it cannot. */
      readonly offset?: number
    }
  | { readonly type: 'title'; readonly text: string; readonly rank: TitleRank }
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'parent'; readonly session: string }

/** The person's title comes before the agent's, and both before the first words. */
export const TITLE_RANKS = { words: 0, agent: 1, person: 2 } as const
type TitleRank = (typeof TITLE_RANKS)[keyof typeof TITLE_RANKS]

/** Text that programs add to prompts. */
const NOT_SAID =
  /^\s*(?:<(?:environment_context|session_context|user_instructions|INSTRUCTIONS|permissions|collaboration_mode|skill|subagent_notification|turn_aborted|user_info|command-message|command-name|command-args|local-command-\w+|bash-(?:input|stdout|stderr)|task-notification|user-memory-input)\b|# AGENTS\.md instructions|Caveat: The messages below were generated|\[Request interrupted by user)/
const ASIDES = /<(system-reminder|hook_context|ide_\w{1,40})>[\s\S]*?(?:<\/\1>|$)/g

/** The person's own text in a prompt; empty when there is none. */
export function saidByPerson(prompt: string): string {
  if (NOT_SAID.test(prompt)) return ''
  const [open, close] = [prompt.indexOf('<user_query>'), prompt.lastIndexOf('</user_query>')]
  const query = open >= 0 && close > open ? prompt.slice(open + '<user_query>'.length, close) : prompt
  return query.replace(ASIDES, '').trim()
}

/** A message of the person or the agent; none when it is empty. */
export function spokenPart(role: 'user' | 'assistant', text: string, at: Date | undefined): SessionPart[] {
  const said = role === 'user' ? saidByPerson(text) : text.replaceAll('[REDACTED]', '').trim()
  return said === '' ? [] : [{ type: 'message', message: { role, text: said, ...(at && { at }) } }]
}

/** An ISO 8601 time, or milliseconds since 1970. */
export function instant(value: unknown): Date | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const at = new Date(value)
  return Number.isNaN(at.getTime()) || at.getTime() <= 0 ? undefined : at
}
