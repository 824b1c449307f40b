import { analyze, hashTerm } from '../lib/analyze.ts'

const TIME_WORDS = `yesterday today tonight tomorrow morning afternoon evening night week weekend month year decade day hour ago last next
recently soon since january february march april june july august september october november december monday tuesday
wednesday thursday friday saturday sunday spring summer autumn fall winter birthday anniversary`
const NUMBER_WORDS = `one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million
couple few several once twice dozen 1 2 3 4 5 6 7 8 9 10 11 12 15 20 25 30 40 50 60 100`

let kinds: readonly (readonly [RegExp, ReadonlySet<number>])[] | undefined

function hashesOf(words: string): ReadonlySet<number> {
  return new Set(analyze(words).map(hashTerm))
}

/** Hashes of terms that answers to this kind of question tend to hold: words of time for "when", numbers for "how many". */
export function answerHashesFor(question: string): ReadonlySet<number> | undefined {
  kinds ??= [
    [
      /^\W*when\b|\b(?:what|which) (?:day|date|month|year|time)\b|\bhow long ago\b|^\W*how long\b/i,
      hashesOf(TIME_WORDS),
    ],
    [/\bhow (?:many|much|often|old)\b/i, hashesOf(NUMBER_WORDS)],
  ]
  return kinds.find(([pattern]) => pattern.test(question))?.[1]
}
