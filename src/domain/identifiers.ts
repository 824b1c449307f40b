import { randomUUID } from 'node:crypto'

/** Longest `item_id`, in Unicode characters (specification 8). */
export const ITEM_ID_MAX_CHARACTERS = 500

// "Word characters" are Unicode letters, digits and `_` (design, open points); marks belong to the letters they modify.
const ALLOWED = /^[\p{L}\p{M}\p{N}_\-=!:]+$/u

/** The problem of an `item_id`, or `undefined` when it is valid. */
export function itemIdProblem(value: string): string | undefined {
  if (value.length === 0) return 'item_id must not be empty'
  if ([...value].length > ITEM_ID_MAX_CHARACTERS) {
    return `item_id must be at most ${ITEM_ID_MAX_CHARACTERS} characters`
  }
  if (!ALLOWED.test(value)) {
    return 'item_id may contain only letters, digits and the characters - _ = ! :'
  }
  return undefined
}

/** A fresh identifier for an upload that came without one. */
export function newItemId(): string {
  return randomUUID()
}

/** A login in the form used for comparison, independent of case and spelling variants. */
export function loginKey(login: string): string {
  return login.normalize('NFKC').trim().toLowerCase()
}
