import { analyze } from '../../lib/analyze.ts'

/** A question about what was said in a conversation. */
export interface AskedTalk {
  /** Whose words are asked for; absent: everybody's. */
  readonly by?: 'owner' | 'others'
  /** Terms that only say that people talked: `talk`, `learned`, `friend`. */
  readonly frame: ReadonlySet<string>
}

/** That people talked, as a noun or a verb. */
export const TALK =
  '(?:conversations?|chat(?:s|ted|ting)?|talk(?:s|ed|ing)?|spoke|speak(?:ing)?|call(?:s|ed|ing)?|exchang(?:es?|ed|ing)|communicat(?:e|ed|ing|ions?)|messag(?:es?|ed|ing)|text(?:s|ed|ing)?|discuss(?:ed|ing|ions?)?)'
/** `during a conversation with Ravi`, `while chatting with my sister`, `in the call between Ann and me`. */
const IN_TALK = new RegExp(
  `\\b${TALK}\\b(?: [\\p{L}'’-]+){0,4}? with\\b|\\b(?:spoke|speak(?:ing)?|talk(?:s|ed|ing)?)(?: [\\p{L}'’-]+){0,2}? to\\b|\\b${TALK} between (?:(?:my|me|us|him|her|them|our)\\b|(?-i:\\p{Lu}))`,
  'iu',
)
/** `Who did I talk to?` asks for no words. */
const ASKS_WITH_WHOM = new RegExp(`\\bwhom?\\b.*\\b${TALK}\\b|\\b${TALK}\\b.*\\bwith whom\\b`, 'i')
const TELLS =
  '(?:tell|told|say|said|mention(?:ed)?|share[ds]?|reveal(?:ed)?|express(?:ed)?|explain(?:ed)?|describe[d]?|admit(?:ted)?|propose[d]?|suggest(?:ed)?|state[d]?)'
const HEARS = '(?:learn(?:ed|t)?|hear[d]?|f(?:i|ou)nd out|(?:was|were) told|g[eo]t to know)'
const SAID_BY_OTHERS = new RegExp(`\\b(?:he|she|they) (?:also |then )?${TELLS}\\b`, 'i')
const OF_FRAME = new RegExp(
  `^(?:${TALK}|${TELLS}|${HEARS}|video|phone|voice|online|casual|recent(?:ly)?|specific(?:ally)?|mutual|friends?|matter|incident|event|something|happen(?:ed|ing|s)?|encounter(?:ed|s)?|another|other|certain|particular|currently)$`,
  'i',
)

/** What is asked of a conversation; `undefined` if the question is about none. */
export function askedTalk(question: string, userName = ''): AskedTalk | undefined {
  if (!IN_TALK.test(question) || ASKS_WITH_WHOM.test(question)) return undefined
  const words = (question.match(/[\p{L}'’]+/gu) ?? []).filter((word) => OF_FRAME.test(word))
  const frame = new Set(words.flatMap((word) => analyze(word)))
  if (isBy(HEARS, question, userName) || SAID_BY_OTHERS.test(question)) return { by: 'others', frame }
  return isBy(TELLS, question, userName) ? { by: 'owner', frame } : { frame }
}

/** Whether the owner of the account is the subject of one of these verbs. */
function isBy(verbs: string, question: string, userName: string): boolean {
  const names = [userName, ...userName.split(/\s+/)]
    .filter((part) => part.length > 1)
    .map((part) => RegExp.escape(part))
  return new RegExp(
    `(?<!\\p{L})(?:${['I', 'we', ...names].join('|')}),? (?:also |then |just |once )?${verbs}\\b`,
    'iu',
  ).test(question)
}
