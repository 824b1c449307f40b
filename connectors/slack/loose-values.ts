import { z } from 'zod'

const loose = z.looseObject({})

/** An object, or an empty one for anything else: a field in an unknown form must not cost the message. */
export function record(value: unknown): Record<string, unknown> {
  return loose.safeParse(value).data ?? {}
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function trimmedText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
