import { analyze, hashTerm } from '../../../lib/analyze.ts'
import type { ChunkRow } from '../../../store/search/search.ts'

const NAME = /(?<!\p{L})\p{Lu}[\p{L}\p{M}]+/gu
/** Fewer letters are the start of many logins. */
const LEAST_LETTERS = 3

/**
 * Who writes under a login, as the question or the account names them: `Ravi` for `ravimenon` or `rmenon`, if somebody called
 * Ravi Menon is known. `ravim` is only the owner: `maria` is not Mari. `undefined` for a name with several parts, or nobody.
 */
export function personOfLogin(
  login: string,
  question: string,
  rows: readonly ChunkRow[],
  userName = '',
): string | undefined {
  const letters = login.toLowerCase().replace(/\d+$/, '')
  if (!/^[\p{L}\p{M}]+$/u.test(letters)) return undefined
  const [given = '', family = ''] = userName.split(' ')
  if (family !== '' && loginsOf(given.toLowerCase(), family.toLowerCase()).includes(letters)) return userName
  return (question.match(NAME) ?? []).find((name) => isLoginOf(letters, name.toLowerCase(), rows))
}

function loginsOf(given: string, family: string): readonly string[] {
  return [`${given}${family}`, `${given[0]}${family}`, `${given}${family[0]}`, `${family}${given[0]}`]
}

/** Whether somebody who is known by this name and another one may have this login. */
function isLoginOf(login: string, name: string, rows: readonly ChunkRow[]): boolean {
  if (name.length < LEAST_LETTERS || login === name) return false
  const family = login.startsWith(name) ? login.slice(name.length) : login.startsWith(name[0]!) ? login.slice(1) : ''
  if (family.length < LEAST_LETTERS) return false
  const words = [name, family].flatMap((word) => analyze(word))
  return rows.some(({ metaHashes }) => words.every((word) => metaHashes.includes(hashTerm(word))))
}
