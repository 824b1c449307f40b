import type { HookEvent, HostCall } from './host.ts'

const MOST_SESSION_CHARACTERS = 128
/** Sources of a session start after which nothing that was shown before is in the context. */
const ANEW = ['startup', 'new', 'clear', 'compact']

type Fields = Readonly<Record<string, unknown>>

/** `undefined` unless session and folder are texts and the prompt, if any, is one. */
export function hostCall(session: unknown, folder: unknown, fields: Fields): HostCall | undefined {
  const { prompt = '', source, transcript_path: transcript } = fields
  const isCall = typeof session === 'string' && typeof folder === 'string' && typeof prompt === 'string'
  if (!isCall || session === '' || session.length > MOST_SESSION_CHARACTERS) return undefined
  const isAnew = typeof source === 'string' && ANEW.includes(source)
  return { session, folder, prompt, isAnew, ...(typeof transcript === 'string' && { transcript }) }
}

/** Claude Code's form, which Codex and Gemini CLI share: `session_id`, `cwd`, `prompt`, `source`. */
export function readSessionCall(fields: Fields): HostCall | undefined {
  // Cursor also runs the hooks of Claude Code; it has its own.
  return 'cursor_version' in fields ? undefined : hostCall(fields.session_id, fields.cwd, fields)
}

/** Claude Code's answer, by the name that the host has for the event. */
export function additionalContext(names: Readonly<Partial<Record<HookEvent, string>>>) {
  return (event: HookEvent, context: string) => ({
    hookSpecificOutput: { hookEventName: names[event], additionalContext: context },
  })
}
