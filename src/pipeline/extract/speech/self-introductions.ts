import type { People } from '../people.ts'

/** `Um, I'm Sarah` says no more than the name in front of it. */
export function introducesItself(
  sentence: string,
  { speaker }: { readonly speaker: string | undefined },
  people: People,
): boolean {
  const name = INTRODUCES.exec(sentence)?.[1]
  const family = INTRODUCES_IN_JAPANESE.exec(sentence)?.[1]
  if (family !== undefined && speaker !== undefined) return people.display(speaker).startsWith(family)
  return name !== undefined && speaker !== undefined && people.called(name) === people.display(speaker)
}
/** `京都フレームの田中です。` */
const INTRODUCES_IN_JAPANESE =
  /^(?:[^。の]{1,20}の)?([\p{Script=Han}\p{Script=Katakana}]{1,6})(?:です|と申します|でございます)。?$/u
const INTRODUCES =
  /^(?:(?:hi|hello|hey|so|well|yes|yeah|okay),? )?I(?:['’]m| am) (\p{L}[\p{L}'’-]*(?: \p{L}[\p{L}'’-]*){0,2})[.!]*$/iu
