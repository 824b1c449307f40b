import type { HookEvent, HostCall } from './host.ts'

const MOST_SESSION_CHARACTERS = 128
/** Kinds of session start with an empty context. */
const ANEW = ['startup', 'new', 'clear', 'compact']

type Fields = Readonly<Record<string, unknown>>

/** `undefined` unless session, folder and an existing prompt are strings. */
export function hostCall(session: unknown, folder: unknown, fields: Fields): HostCall | undefined {
  const { prompt = '', source, transcript_path: transcript } = fields
  const isCall = typeof session === 'string' && typeof folder === 'string' && typeof prompt === 'string'
  if (!isCall || session === '' || session.length > MOST_SESSION_CHARACTERS) return undefined
  const isAnew = typeof source === 'string' && ANEW.includes(source)
  return { session, folder, prompt, isAnew, ...(typeof transcript === 'string' && { transcript }) }
}

/** Claude Code's form, which Codex and Gemini CLI share: `session_id`, `cwd`, `prompt`, `source`. */
export function readSessionCall(fields: Fields): HostCall | undefined {
  // Cursor also runs Claude Code's hooks, but has its own here.
  return 'cursor_version' in fields ? undefined : hostCall(fields.session_id, fields.cwd, fields)
}

/** Claude Code's output format, with the host's name of the event. */
export function additionalContext(names: Readonly<Partial<Record<HookEvent, string>>>) {
  return (event: HookEvent, context: string) => ({
    hookSpecificOutput: { hookEventName: names[event], additionalContext: context },
  })
}
