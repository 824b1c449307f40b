import { analyze } from '../../lib/analyze.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'
import type { QueryTerm } from './query-terms.ts'

/**
 * Words that ask for a kind of answer, by kind: the sentence with the amount seldom has them (`He did it for 85 euros`), and
 * somebody chooses something in texts about anything.
 */
const BY_KIND: Partial<Record<AnswerKind, ReadonlySet<string>>> = {
  money: new Set(analyze('charge charged bill billed ask asked want wanted')),
  decision: new Set(analyze('choose chose chosen')),
  frequency: new Set(analyze('often frequently')),
}
/** Of `What day is Jonas landing?`, but not of `When is the moving day?` */
const TIMES = new Set(analyze('day date time weekday month'))
/** Of `What is the name of the starter?`: it is called Gudrun. */
const NAMES = new Set(analyze('name called'))
/** Of `How much did I pay at the vet?`; in `How much rent do I pay?`, the rent may be of something else. */
const PAYS = new Set(analyze('pay paid spend spent'))
/** The same by form: `What does "database is locked" mean?`, `Which databases are supported?` */
const BY_FORM: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/^\W*(?:and |so |but )?what (?:do|does) .+ (?:mean|stand for)\W*$/i, new Set(analyze('mean stand'))],
  [
    /^\W*(?:and |so )?(?:(?:on|at|by|for|from|in|since|till|until) )?(?:what|which) (?:(?:day|date|time|weekday|month)\b)(?!.*\b(?:day|date|time|weekday|month)\b)/i,
    TIMES,
  ],
  [/^\W*(?:and |so )?what(?:['’]s| is| was) the (?:[\p{L}-]+ )?(?:day|date|time) (?:of|for)\b(?! birth\b)/iu, TIMES],
  [
    /^\W*(?:and |so )?what(?:['’]s| is| was| are| were) (?:the (?:[\p{L}-]+ )?names? of\b|.+ (?:called|named?)\W*$)/iu,
    NAMES,
  ],
  // `creche cost per month?`, `new date of the fair`
  [
    /^\W*(?:[\p{L}'’-]+ ){0,4}?(?:price|cost|fee)s? (?:per|an?) (?:day|week|month|year|hour|night)\W*$/iu,
    new Set(analyze('price cost fee per day week month year hour night')),
  ],
  [/^\W*(?:(?:the|my|our|next|new|exact|current|original) )*(?:date|day|time) (?:of|for)\b/i, TIMES],
  [
    /^\W*(?:and |so |but )?how much (?:did|do|does|have|has|will|would|can|could) [^?]{1,40}?(?:pay|paid|spend|spent)\b/i,
    PAYS,
  ],
  [
    /^\W*(?:which|what) .+ (?:is|are) (?:supported|available|allowed|offered|possible)\W*$/i,
    new Set(analyze('supported available allowed offered possible')),
  ],
]

/** The terms of a question without those that only ask, unless it has no others. */
export function withoutAsking(terms: readonly QueryTerm[], question: string): readonly QueryTerm[] {
  const form = BY_FORM.find(([pattern]) => pattern.test(question))
  const asking = form?.[1] ?? BY_KIND[answerKind(question)]
  const others = terms.filter(({ term }) => asking?.has(term) !== true)
  return others.length > 0 ? others : terms
}
