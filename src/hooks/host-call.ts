/** When hosts call a hook: before an agent reads a prompt, and when a session ends. */
export const HOOK_EVENTS = ['prompt', 'stop'] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** Hosts whose hooks are understood. */
export const HOOK_HOSTS = ['claude-code'] as const
export type HookHost = (typeof HOOK_HOSTS)[number]

/** What a host says when it calls a hook. */
export interface HostCall {
  readonly session: string
  /** The folder that the agent works in. */
  readonly folder: string
  /** Empty at the end of a session. */
  readonly prompt: string
}

const MOST_SESSION_CHARACTERS = 128

/**
 * Reads the JSON that Claude Code gives a hook: `session_id`, `cwd` and, for UserPromptSubmit, `prompt`
 * (https://code.claude.com/docs/en/hooks, read in November 2026). `undefined` for anything else.
 */
export function readHostCall(text: string): HostCall | undefined {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (typeof given !== 'object' || given === null) return undefined
  const fields = given as Readonly<Record<string, unknown>>
  const { session_id: session, cwd: folder, prompt = '' } = fields
  const isCall = typeof session === 'string' && typeof folder === 'string' && typeof prompt === 'string'
  if (!isCall || session === '' || session.length > MOST_SESSION_CHARACTERS) return undefined
  return { session, folder, prompt }
}

/** What Claude Code adds to a prompt. */
export function hostAnswer(context: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: context } })
}
