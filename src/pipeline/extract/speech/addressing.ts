import type { People } from '../people.ts'

const VOCATIVE =
  /^((?:(?:[Yy]es|[Yy]eah|[Yy]ep|[Nn]o|[Nn]ope|[Oo]k|[Oo]kay|[Ww]ell|[Ss]o|[Oo]h|[Ww]ow|[Hh]ey|[Aa]ww+),? )?)(\p{Lu}[\p{L}'’-]+), (?=(?:[Ii]|we|they|he|she|it|that|this|there|you|the|my|your|our)(?=[ '’]))|, (\p{Lu}[\p{L}'’-]+)(?=[.!?]*$)/u

/** `You were right, Nora.` and `Yes, Nora, they are here.` without the name. */
export function withoutVocative(sentence: string, people: People): string {
  return sentence.replace(VOCATIVE, (all, before?: string, first?: string, last?: string) =>
    people.called(first ?? last ?? '') ? (before ?? '') : all,
  )
}

/** "Ann and I moved. We like it": this "we" excludes the listener. */
export function excludesListener(text: string): boolean {
  return OWN_COMPANY.test(text)
}
const OWN_COMPANY =
  /\b(?:\p{Lu}\p{L}+|[Mm]y \p{L}+) and I\b|\b[Mm]y (?:wife|husband|partner|boyfriend|girlfriend|fianc[eé]e?|friends?|family|parents?|mother|mom|mum|father|dad|brothers?|sisters?|sons?|daughters?|kids?|children|roommates?|flatmates?|neighbou?rs?|colleagues?|boss)\b/u
