import { analyze } from '../lib/analyze.ts'

const FULL_NAME = /\b\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+)+/gu

/** Whether somebody shares only a part of a full name in the question: Lars Halvorsen for Lars Bakken. */
export function isNamesake(question: string, speaker: string | undefined): boolean {
  const own = new Set(analyze(speaker ?? ''))
  if (own.size < 2) return false
  const names = (question.match(FULL_NAME) ?? []).map((name) => new Set(analyze(name)))
  return names.some((name) => !name.isDisjointFrom(own) && !name.isSubsetOf(own) && !own.isSubsetOf(name))
}
