import type { ParsedDocument } from '../../../domain/document.ts'
import { isRole } from '../../parse/conversation/turn-head.ts'
import { isGivenName } from './person-names.ts'

/** `Speaker 2`, `SPEAKER_00`, `Participant B`: labels of transcripts. */
const NUMBERED = /^(?:speaker|participant|person|voice|guest|sprecher(?:in)?|locuteur|hablante)[ _-]?[\p{L}\d]{1,3}$/iu
const INTRODUCTION =
  /(?<![\p{L}\p{N}])(?:i['’]?m|i am|my name['’]s|my name is|ich bin(?: (?:die|der))?|ich heiße|mein name ist|je m['’]appelle|je suis|moi,? c['’]est|me llamo|mi nombre es|soy) (\p{Lu}\p{Ll}{1,20}(?:[ -]\p{Lu}\p{Ll}{1,20})?)(?!['’\p{L}])/giu
/** People introduce themselves at the beginning. */
const LOOKED_AT = { turns: 6, characters: 300 }

/**
 * The names by which speakers without one introduce themselves, by label: `Um I'm Sarah` of a `Project Manager`.
 * @param known names of people who may be there; others have to be on the list of given names
 */
export function introducedNames(
  { blocks, text }: Pick<ParsedDocument, 'blocks' | 'text'>,
  known: readonly string[],
): ReadonlyMap<string, string> {
  const given = new Set(known.map((name) => name.split(' ')[0] ?? name))
  const turns = new Map<string, number>()
  const names = new Map<string, string>()
  for (const { speaker, start, end } of blocks) {
    if (speaker === undefined || names.has(speaker) || !(isRole(speaker) || NUMBERED.test(speaker))) continue
    const count = (turns.get(speaker) ?? 0) + 1
    turns.set(speaker, count)
    if (count > LOOKED_AT.turns) continue
    const name = statedName(text.slice(start, Math.min(end, start + LOOKED_AT.characters)), given)
    if (name !== undefined) names.set(speaker, name)
  }
  const bearers = Map.groupBy(names.values(), (name) => name)
  return new Map([...names].filter(([, name]) => bearers.get(name)?.length === 1))
}

function statedName(text: string, known: ReadonlySet<string>): string | undefined {
  for (const [, name = ''] of text.matchAll(INTRODUCTION)) {
    const [given = '', family] = name.split(' ')
    if (!startsWithCapital(given) || !(known.has(given) || isGivenName(given))) continue
    return family !== undefined && startsWithCapital(family) ? name : given
  }
  return undefined
}

/** The pattern ignores case for the words before the name. */
function startsWithCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word)
}
