import { type Clause, clausesOf } from './clauses.ts'
import { DECIDED } from './statements.ts'

/** Whether a decision is somebody's: they made it, with others or alone, proposed it, or get a task by it. */
export function isDecidedBy(decision: string, isNamed: (text: string) => boolean): boolean {
  if (!isNamed(decision)) return false
  if (
    [...PROPOSED, ...ASSIGNED].some((pattern) => [...decision.matchAll(pattern)].some(([, name = '']) => isNamed(name)))
  )
    return true
  return clausesOf(decision).some((clause) => isMadeBy(clause, isNamed))
}

const NAME = "(\\p{Lu}[\\p{L}\\p{M}'’.-]*?(?: \\p{Lu}[\\p{L}\\p{M}'’.-]*?)?|\\p{Ll}[\\w-]*\\.[\\w.-]+)"
/** `Ann's proposal`, `Ann suggested`, `agreed with Ann`, `approved by Ann`. */
const PROPOSED: readonly RegExp[] = [
  new RegExp(`${NAME}['’]s? (?:\\p{Ll}+ )?(?:proposal|suggestion|idea|decision)\\b`, 'gu'),
  new RegExp(`${NAME} (?:had |has )?(?:proposed|suggested|assigned)\\b`, 'gu'),
  new RegExp(`\\b(?:decided|agreed|chose)(?: together)? with ${NAME}(?![\\p{L}'’])`, 'gu'),
  new RegExp(
    `\\b(?:decided|agreed|approved|chosen|decision|proposed|suggested|assigned)(?: [\\p{Ll}]+)? by ${NAME}(?![\\p{L}'’])`,
    'gu',
  ),
]
/** `decided that Ann presents it`, `agreed to let Ann present it`, `assigned the talk to Ann`. */
const ASSIGNED: readonly RegExp[] = [
  new RegExp(
    `\\b(?:decided|agreed|approved|decision)\\b[^.;]{0,40}? that ${NAME} (?:and .{1,40} )?(?!and\\b|or\\b|who\\b)\\p{Ll}`,
    'gu',
  ),
  new RegExp(`\\b(?:decided|agreed) ${NAME} (?:will|would|should|must|is|has)\\b`, 'gu'),
  new RegExp(`\\b(?:decided|agreed)\\b.{0,60}? to (?:let|have|make|put|appoint|elect) ${NAME}(?![\\p{L}'’])`, 'gu'),
  new RegExp(`\\bassigned (?:\\S+ ){0,6}?to ${NAME}(?![\\p{L}'’])`, 'gu'),
  new RegExp(`\\bchose ${NAME} (?:as|for|to)\\b`, 'gu'),
]
const EACH_DECIDED = new RegExp(DECIDED, 'gi')
const PASSIVE = /\b(?:is|are|was|were|be|been|got|gets)(?: \w+ly| not| finally| now| already)?$/i
const BEFORE_SUBJECT = /^.*(?:[,;:]|\b(?:that|because|but|so|if|when|after|since|as)\b) ?(?:and )?/is
const BEFORE_LIST = /^.*(?:[;:]|\b(?:that|because|but|so|if|when|after|since|as)\b) ?/is
const PRONOUN = /(?:^|\s)(I|we|they|he|she)(?:\s|$)/i
const LEADING_NAMES = /^(?:(?:\p{Lu}[\p{L}\p{M}'’.-]*|\p{Ll}[\w-]*\.[\w.-]+|and|or|we),? ?)+/u
const LAST_WORDS = /\S+(?: \S+)?$/
const AUXILIARIES = /(?: (?:has|have|had|then|also|just|already|finally|both|\w+ly|never|didn['’]t|not))+$/

function isMadeBy({ text, by, isVerbatim }: Clause, isNamed: (text: string) => boolean): boolean {
  return [...text.matchAll(EACH_DECIDED)].some(({ index }) =>
    isSubject(text.slice(0, index).trimEnd(), { by, isVerbatim }, isNamed),
  )
}

/** @param before the sentence up to its `decided` */
function isSubject(
  before: string,
  { by, isVerbatim }: Omit<Clause, 'text'>,
  isNamed: (text: string) => boolean,
): boolean {
  if (PASSIVE.test(before)) return false
  const subject = before.replace(BEFORE_SUBJECT, '').replace(AUXILIARIES, '')
  const isSpeaker = by !== '' && isNamed(by)
  // `We go with the blue one`, `Decision: ...`
  if (subject === '') return isSpeaker
  const pronoun = PRONOUN.exec(subject)?.[1]?.toLowerCase()
  if (isSpeaker && pronoun !== undefined && (pronoun !== 'i' || isVerbatim)) return true
  const list = before.replace(BEFORE_LIST, '').replace(AUXILIARIES, '')
  if (LEADING_NAMES.exec(list)?.[0] === list && isNamed(list)) return true
  return isNamed(LEADING_NAMES.exec(subject)?.[0] ?? '') || isNamed(LAST_WORDS.exec(subject)?.[0] ?? '')
}
