import { CallError } from '../../api/call.ts'

const BODIES = new Set(['settings', 'client', 'place'])

/** What is wrong with which setting: the service names `settings.include` or `include`. */
export function fieldProblems(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof CallError)) return {}
  return Object.fromEntries(Object.entries(error.fields).map(([field, problem]) => [nameIn(field), problem] as const))
}

function nameIn(field: string): string {
  const [first = '', second] = field.split('.')
  return BODIES.has(first) && second !== undefined ? second : first
}
