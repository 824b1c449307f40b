import { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import { type LineCounts, readSessionLines } from './session-lines.ts'

/** 0: the state; 1: sets the value at a path; 2: appends to the array there, after cutting it to `i`; 3: deletes it. */
const operation = z.looseObject({
  kind: z.number(),
  k: z.array(z.union([z.string(), z.int().min(0)])).optional(),
  v: z.unknown().optional(),
  i: z.int().min(0).optional(),
})
type Key = string | number

/**
 * The state that a log of VS Code leads to. Operations that do not fit are passed over, as is one that is being written.
 *
 * @throws SourceError `skip` when a line is too long to be read: all that follows it would be wrong
 */
export async function replayed(path: string, signal: AbortSignal): Promise<unknown> {
  const counts: LineCounts = { broken: 0, tooLong: 0 }
  let state: unknown
  for await (const { value } of readSessionLines(path, 0, signal, counts)) {
    if (counts.tooLong > 0) throw new SourceError('skip', `${path} has a line that is too long to be read.`)
    const parsed = operation.safeParse(value)
    if (!parsed.success) continue
    const { kind, k: keys = [], v, i: length } = parsed.data
    if (kind === 0) state = v
    else if (kind === 1) state = changed(state, keys, () => v)
    else if (kind === 2) state = changed(state, keys, (array) => appended(array, v, length))
    else if (kind === 3) state = changed(state, keys, () => undefined)
  }
  return state
}

/** The value with what lies at the path replaced, in place; unchanged when there is no such path. */
function changed(value: unknown, keys: readonly Key[], change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    if (typeof key === 'number' && key <= value.length) value[key] = changed(value[key], rest, change)
    return value
  }
  if (typeof key !== 'string' || !isRecord(value)) return value
  const next = changed(Object.hasOwn(value, key) ? value[key] : undefined, rest, change)
  // Defined, so that no key of a file can reach what all objects inherit from.
  Object.defineProperty(value, key, { value: next, enumerable: true, configurable: true, writable: true })
  return value
}

function appended(array: unknown, values: unknown, length: number | undefined): unknown {
  const kept: unknown[] = Array.isArray(array) ? array.slice(0, length) : []
  return [...kept, ...(Array.isArray(values) ? values : [])]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
