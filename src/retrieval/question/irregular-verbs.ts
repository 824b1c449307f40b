import { analyze } from '../../lib/analyze.ts'

/** Past forms that stemmers don't reduce to the verb: `went` for `go`. */
const FORMS = `be was were been, become became, begin began begun, bite bit bitten, break broke broken, bring brought, build built,
buy bought, catch caught, choose chose chosen, come came, cost, cut, deal dealt, do did done, draw drew drawn, drink drank drunk,
drive drove driven, eat ate eaten, fall fell fallen, feel felt, find found, fly flew flown, forget forgot forgotten, get got gotten,
give gave given, go went gone, grow grew grown, hear heard, hold held, keep kept, know knew known, lead led, leave left, lend lent,
lose lost, make made, mean meant, meet met, pay paid, read, rent, ride rode ridden, ring rang rung, rise rose risen, run ran, say said,
see saw seen, sell sold, send sent, set, shoot shot, sing sang sung, sit sat, sleep slept, speak spoke spoken, spend spent,
stand stood, steal stole stolen, swim swam swum, take took taken, teach taught, tell told, think thought, throw threw thrown,
understand understood, wake woke woken, wear wore worn, win won, write wrote written`

/** Each verb with its past forms. */
export const VERB_FORMS: readonly (readonly string[])[] = FORMS.split(/,\s*/).map((forms) => forms.split(/\s+/))

const VERBS: ReadonlyMap<string, string> = new Map(
  VERB_FORMS.flatMap(([verb = '', ...past]) => past.map((form) => [form, verb] as const)),
)

let stems: ReadonlySet<string> | undefined

/** Whether a term is of a verb that `withVerbs` may add. */
export function isIrregularVerb(term: string): boolean {
  stems ??= new Set(analyze(VERB_FORMS.map(([verb = '']) => verb).join(' ')))
  return stems.has(term)
}

/** Whether a text has an irregular past form: `the film we saw`. */
export function hasPastForm(text: string): boolean {
  return (
    text
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.some((word) => VERBS.has(word)) ?? false
  )
}

/** Adds the verb after each irregular past form, so that `ran` also counts as `run`. */
export function withVerbs(text: string): string {
  const verbs =
    text
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.flatMap((word) => VERBS.get(word) ?? []) ?? []
  return verbs.length === 0 ? text : `${text} ${verbs.join(' ')}`
}
