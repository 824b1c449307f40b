import type { HookEvent, HostCall } from '../hosts/host.ts'
import type { HookHost } from '../hosts/hosts.ts'

/** Parses the JSON that a host writes to its hooks; `undefined` if it is invalid. */
export function readHostCall({ hooks }: HookHost, text: string): HostCall | undefined {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (typeof given !== 'object' || given === null) return undefined
  return hooks.readCall(given as Readonly<Record<string, unknown>>)
}

/** The output that adds `context` to the agent's context. */
export function hostAnswer({ hooks }: HookHost, event: HookEvent, context: string): string {
  return JSON.stringify(hooks.answer(event, context))
}
