import { analyze, hashTerm } from '../../lib/analyze.ts'
import { isEnglishStem } from '../../lib/english-words.ts'
import type { Embedder } from '../../models/model.ts'
import type { SearchIndex } from '../../store/search/search.ts'
import { askedCategory } from './asked-category.ts'
import { isSameRoot } from './held-words.ts'
import { type KnownName, namesOfMentions } from './known-names.ts'
import { compoundSplitter, joinedWords } from './languages/compounds.ts'
import { englishForm } from './languages/english-form.ts'
import { inflections, type OtherForm } from './languages/inflections.ts'
import { withoutMeasure } from './measure.ts'
import { namedConnector } from './named-connector.ts'
import {
  createCategoryTerm,
  createFurtherTerm,
  createQueryTerm,
  type QueryTerm,
  weighTokens,
  withRelated,
} from './query-terms.ts'
import { NO_FILTERS, type QuestionFilters, questionFilters } from './question-filters.ts'
import type { Breadth, ScoringQuery } from './scoring-query.ts'
import { spellingVariants } from './spelling-variants.ts'
import { findTimeExpression, type TimeExpression } from './time-expression.ts'
import { relatedStems, SYNONYM_SHARE } from './word-families.ts'

/** A parsed question: what to search for, when and where. */
export interface UnderstoodQuery extends ScoringQuery {
  /** The question in the form in which it is read. */
  readonly text: string
  /** As it was asked, where that is in another language. */
  readonly written?: string
  readonly time: TimeExpression | undefined
  readonly filters: QuestionFilters
  /** Asks only what happened in its time, or with some people in it: `what did I do yesterday`. */
  readonly isTimeOnly: boolean
  /** The people in a question of `isTimeOnly`: `what did Priya and I talk about last week`. */
  readonly people: readonly string[]
  /** Whether any word of the question is stored in this spelling; `true` for a question of stop words only. */
  readonly isKnown: boolean
  /** Its vector is from a configured model. */
  readonly isEncoded: boolean
  /** See `EmbeddedQuestion`. */
  readonly notice?: string
}

/** Embeds a question in the current space. */
export type EmbedQuestion = (text: string, signal?: AbortSignal) => Promise<EmbeddedQuestion>

interface EmbeddedQuestion extends Pick<ScoringQuery, 'vector' | 'spaceId' | 'cosineScale'> {
  /** Why another space than the chosen one is used; a sentence. */
  readonly notice?: string
}

export interface QueryContext {
  readonly index: SearchIndex
  /** The built-in one, whose tokens are always matched. */
  readonly embedder: Embedder
  /** Absent: the built-in embedder does. */
  readonly embedQuestion?: EmbedQuestion
  readonly signal?: AbortSignal
  readonly now: Date
  /** IANA time zone of the user. */
  readonly timeZone: string
  /** The account's owner: everything is about them, so their name in a question distinguishes nothing. */
  readonly userName?: string
  /** The question as it was asked, where it is read in another form: see `englishForm`. */
  readonly written?: string
  /** Restrictions of the question that do not apply; their words are searched for instead. */
  readonly ignored?: readonly QuestionRestriction[]
}

/** Filters that a question may contain. */
export type QuestionRestriction = 'time' | 'person' | 'sources'

/** Weight factor of a similar spelling, closest first. */
const SPELLING_TRUST = [0.7, 0.4] as const
/** A question has at most 1,000 characters; in scripts without spaces nearly every character is a term. */
const MOST_TERMS = 64
/** A text with more terms is found by its own words; each other word is searched for, too. */
const MOST_RELATED_TERMS = 24

/** `What's her dose since Monday?` asks for what holds now, which may have been said before; not `what's new since Monday`. */
const ASKS_STATE_SINCE =
  /^\W*what(?:['’]?s| is) (?:my|our|his|her|their|the|\p{L}+['’]?s) (?!(?:latest|last|news|newest|notes?|new|most|messages?|mails?)\b)(?:(?!\p{L}+ed\b)[\p{L}-]+ ){1,3}since\b/iu

export async function understandQuery(text: string, context: QueryContext): Promise<UnderstoodQuery> {
  const { index, embedder, now, timeZone, signal, ignored = [] } = context
  const splitCompounds = await compoundSplitter(text, context.written, index)
  const written = context.written && splitCompounds(context.written)
  const time =
    ignored.includes('time') || ASKS_STATE_SINCE.test(text) ? undefined : findTimeExpression(text, now, timeZone)
  const untimed = withoutRelativeTime(text, time, written)
  const named = ignored.includes('sources') ? { ...NO_FILTERS, rest: untimed } : await sourceFilters(untimed, index)
  const filters = ignored.includes('person') ? { ...named, person: undefined } : named
  const searched = splitCompounds(filters.rest.replace(FILLERS, ' '))
  const subjects = analyze(withoutMeasure(searched))
  const all = [...new Set(subjects.length > 0 ? subjects : analyze(searched))].filter(isWritten(written))
  // A search for `MIDI` must not end without a word.
  const names = (all.length > 0 || time !== undefined ? all : analyze(written ?? '')).slice(0, MOST_TERMS)
  const trustIn = termTrust(searched, context.userName)
  const category = askedCategory(searched)
  const othersOf = otherWords(searched, names, written === undefined ? undefined : await wordForms(written, index))
  const [{ chunks, frequencies }, embedded] = await Promise.all([
    index.termStatistics([
      ...names,
      ...(category?.kinds ?? []).map(({ stem }) => stem),
      ...names.flatMap((name) => othersOf(name).map(({ stem }) => stem)),
    ]),
    (context.embedQuestion ?? embedBuiltIn(embedder))(searched, signal),
  ])
  const termOf = (name: string) => createQueryTerm(name, chunks, frequencies.get(name) ?? 0, trustIn(name))
  const termOfName = ({ stem, written }: KnownName) => ({ ...termOf(stem), ...(written && { written }) })
  const kinds = (category?.kinds ?? []).map(termOfName).filter(({ frequency }) => frequency > 0)
  const known = names.map((name) => {
    if (kinds.length > 0 && name === category?.term) return createCategoryTerm(termOf(name), kinds, chunks)
    if (kinds.length > 0 && category?.others.includes(name)) return createFurtherTerm(termOf(name))
    const others = othersOf(name).map((other) => ({ ...termOfName(other), share: other.share }))
    const stored = others.filter(({ frequency }) => frequency > 0)
    return withRelated(termOf(name), stored, chunks)
  })
  const terms = await correctSpelling(known, searched, index)
  const untimedRest = time && ((filters.connector && namedConnector(time.rest)?.rest) ?? time.rest)
  const subject =
    untimedRest === undefined ? undefined : timeSubject(questionFilters(untimedRest).rest, context.userName)
  return {
    text,
    ...(context.written !== undefined && { written: context.written }),
    terms,
    tokens: embedder.tokens && weighTokens(searched, embedder.tokens, known),
    ...embedded,
    isEncoded: embedded.spaceId !== embedder.space.id,
    range: time && {
      since: time.since?.getTime() ?? -Infinity,
      until: time.until?.getTime() ?? Infinity,
      words: new Set(time.isRelative ? [] : analyze(time.words).map(hashTerm)),
    },
    answerHashes: answerTermHashes(text),
    breadth: questionBreadth(text, names.length),
    time,
    filters,
    isTimeOnly: !IS_DUE.test(text) && !ASKS_WHY.test(text) && (subject?.isEverything ?? false),
    people: subject?.people ?? [],
    isKnown: terms.length === 0 || terms.some(({ frequency, typed }) => frequency > 0 && typed === undefined),
  }
}

/** Words that together say next to nothing of what is asked for: `How much do I pay right now?`, `How many did we end up doing?` */
const FILLERS =
  /\b(?:right now|at the moment|in the end|so far|by the way|these days|all in all|end(?:s|ed)? up|(?:supposed|meant|going) to)\b/gi

/** Words of a relative time ("last week") are relative to now; those of a date may be in the text or in its date. */
function withoutRelativeTime(text: string, time: TimeExpression | undefined, written: string | undefined): string {
  if (time === undefined) return text
  if (time.isRelative) return time.rest
  const calendarWords = written === undefined ? [] : englishForm(written).calendarWords
  return [time.rest, time.words, ...calendarWords].join(' ')
}

/** A synonym, another form or a name of a kind, and what it counts as a share of the word. */
interface OtherWord extends KnownName {
  readonly share: number
}

/** Other words for those of a question, without its own. */
function otherWords(
  question: string,
  names: readonly string[],
  forms: ReadonlyMap<string, readonly OtherForm[]> | undefined,
): (name: string) => readonly OtherWord[] {
  if (names.length > MOST_RELATED_TERMS) return () => []
  const people = nameTerms(question)
  const mentioned = namesOfMentions(question)
  return (name) => {
    // German capitalizes nouns, and puts an `s` behind names.
    if (forms !== undefined) return (forms.get(name) ?? []).filter(({ stem }) => !names.includes(stem))
    if (people.has(name)) return []
    const known = (mentioned.get(name) ?? []).map((one) => ({ ...one, share: SYNONYM_SHARE }))
    return [...relatedStems(name), ...known].filter(({ stem }) => !names.includes(stem))
  }
}

/** Other forms of the words of a question in another language, and stored words that they are joined with. */
async function wordForms(written: string, index: SearchIndex): Promise<ReadonlyMap<string, readonly OtherForm[]>> {
  const forms = inflections(written)
  const joined = await joinedWords(written, index)
  return new Map(
    [...new Set([...forms.keys(), ...joined.keys()])].map((term) => {
      const own = forms.get(term) ?? []
      const known = new Set(own.map(({ stem }) => stem))
      return [term, [...own, ...(joined.get(term) ?? []).filter(({ stem }) => !known.has(stem))]]
    }),
  )
}

/** Whether a term is of the question as it was asked, and not of its English form alone. */
function isWritten(written: string | undefined): (term: string) => boolean {
  if (written === undefined) return () => true
  const own = new Set(analyze(written))
  return (term) => own.has(term)
}

/** A connector that brought nothing is a word like others. */
async function sourceFilters(text: string, index: SearchIndex): Promise<QuestionFilters> {
  const named = namedConnector(text)
  const chunks = named && (await index.chunksFrom(named.id))
  if (named === undefined || chunks === undefined || chunks.ranges.length === 0) return questionFilters(text)
  return { ...questionFilters(named.rest), sources: [], isRequired: false, connector: { id: named.id, ...chunks } }
}

const WORDS_FOR_ALL = `happen happened happening do did doing done go going went gone work worked working day days diary agenda schedule
plan plans planned recap summary summarize summarise overview list show tell give everything anything activity activities event events thing
things note notes log journal new news latest recent recently get got busy spend spent time been have had has up on me my mine i we us our all
items item memories memory stuff main important today yesterday together between calendar appointment appointments`
/** As these, of what people do with each other. */
const WORDS_WITH_PEOPLE = `talk talked talking discuss discussed discussing chat chatted say said tell told write wrote written send sent
meet met message messages messaged mail mails mailed email emails emailed share shared ask asked see saw speak spoke spoken call called topics topic`
/** `what do I have to do by Monday` is not about all of a time. */
const IS_DUE = /\b(?:have|has|had|need|needs|got) to do\b.*\b(?:by|before|until)\b/i
/** `why not on 29 November` asks for a reason, and not what happened then. */
const ASKS_WHY = /^\W*(?:and |so |but )?why\b/i
const NAME = /(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+)*/gu

let wordsForAll: ReadonlySet<string> | undefined
let wordsWithPeople: ReadonlySet<string> | undefined

/**
 * Whether a question, without its time, has no topical word but names of people, and those names except the owner's.
 */
function timeSubject(
  rest: string,
  userName = '',
): { readonly isEverything: boolean; readonly people: readonly string[] } {
  wordsForAll ??= new Set(analyze(WORDS_FOR_ALL))
  wordsWithPeople ??= wordsForAll.union(new Set(analyze(WORDS_WITH_PEOPLE)))
  const named = (rest.match(NAME) ?? []).filter((name) => name !== 'I')
  const people = named.filter((name) => !analyze(name).every((term) => analyze(userName).includes(term)))
  const generic = people.length === 0 ? wordsForAll : wordsWithPeople
  const others = named.reduce((left, name) => left.replace(name, ' '), rest)
  const isEverything = analyze(others).every((term) => generic.has(term))
  return { isEverything, people: isEverything ? people : [] }
}

/** Questions in the space of the built-in model. */
export function embedBuiltIn(embedder: Embedder): EmbedQuestion {
  return async (text) => {
    const [vector] = await embedder.embed([text])
    return { vector: vector!, spaceId: embedder.space.id }
  }
}

/**
 * Replaces words that occur nowhere by their other spelling (`licence`, `roll back`), or by indexed words of similar spelling:
 * any of them for what is no word, and those of the same root for a word (`bakery` and `baker`, but not `stay` and `stair`).
 */
async function correctSpelling(
  terms: readonly QueryTerm[],
  question: string,
  index: SearchIndex,
): Promise<QueryTerm[]> {
  const variants = spellingVariants(question)
  const names = nameTerms(question)
  const corrected = await Promise.all(
    terms.map(async (term) => {
      if (term.frequency > 0 || term.kinds !== undefined || term.related !== undefined) return [term]
      const others = await storedTerms(variants.get(term.term) ?? [], index)
      if (others.length > 0) return others.map((other): QueryTerm => ({ ...other, typed: term.term }))
      const close = await index.similarTerms(term.term, SPELLING_TRUST.length)
      const isWord = isEnglishStem(term.term) && !names.has(term.term)
      const similar = isWord ? close.filter((other) => isSameRoot(term.term, other)) : close
      if (similar.length === 0) return [term]
      const { chunks, frequencies } = await index.termStatistics(similar)
      return similar.map((name, i): QueryTerm => {
        return { ...createQueryTerm(name, chunks, frequencies.get(name) ?? 0, SPELLING_TRUST[i]), typed: term.term }
      })
    }),
  )
  const byTerm = new Map<string, QueryTerm>()
  for (const term of corrected.flat()) if (!byTerm.has(term.term)) byTerm.set(term.term, term)
  return [...byTerm.values()]
}

/** Terms of the names within a question, which may be misspelled as a word: `Brain` for `Brian`. */
function nameTerms(question: string): ReadonlySet<string> {
  return new Set((question.match(NAME) ?? []).flatMap(analyze))
}

async function storedTerms(names: readonly string[], index: SearchIndex): Promise<QueryTerm[]> {
  if (names.length === 0) return []
  const { chunks, frequencies } = await index.termStatistics(names)
  return names
    .map((name) => createQueryTerm(name, chunks, frequencies.get(name) ?? 0))
    .filter(({ frequency }) => frequency > 0)
}

/** Weight of the owner's name, as a share of another word of the same rarity. */
const OWNER_TRUST = 0.3

function ownerTerms(text: string, userName: string | undefined): ReadonlySet<string> {
  if (userName === undefined) return new Set()
  const asked = new Set(analyze(text))
  const terms = analyze(userName)
  return new Set(terms.every((term) => asked.has(term)) && terms.length < asked.size ? terms : [])
}

/** What the weight of each term is multiplied by. */
function termTrust(text: string, userName: string | undefined): (term: string) => number {
  const owner = ownerTerms(text, userName)
  const reporting = reportingTerms(text)
  return (term) => (owner.has(term) ? OWNER_TRUST : reporting.has(term) ? REPORTING_TRUST : 1)
}

/** Weight of a reporting verb in a question, as a share of another word of the same rarity (decision 96). */
const REPORTING_TRUST = 0.4
const REPORTING =
  /\b(?:what|which|how|who|when|where|why|did|do|does|has|have|was|were|summarize)\b[^?.!]{0,80}?\b(discuss(?:ed|es|ing|ions?)?|talk(?:ed|ing|s)?|mention(?:ed|s|ing)?|think(?:s|ing)?|thought|sa(?:y|id|ys)|tells?|told|describ(?:e|ed|es)|explain(?:ed|s)?|opinions?)\b/gi

/** `discuss` in `What did they discuss about the budget?`: the answer seldom has it, and other passages do. */
function reportingTerms(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(REPORTING)].flatMap(([, verb = '']) => analyze(verb)))
}

const TIME_WORDS = `yesterday today tonight tomorrow morning afternoon evening night week weekend month year decade day hour ago last next
recently soon since january february march april june july august september october november december monday tuesday
wednesday thursday friday saturday sunday spring summer autumn fall winter birthday anniversary`
const NUMBER_WORDS = `one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million
couple few several once twice dozen 1 2 3 4 5 6 7 8 9 10 11 12 15 20 25 30 40 50 60 100`

let answerKinds: readonly (readonly [RegExp, ReadonlySet<number>])[] | undefined

function termHashes(words: string): ReadonlySet<number> {
  return new Set(analyze(words).map(hashTerm))
}

/**
 * Hashes of terms that are typical of answers to this kind of question: words of time for "when", numbers for "how
 * many".
 */
function answerTermHashes(question: string): ReadonlySet<number> | undefined {
  answerKinds ??= [
    [
      /^\W*when\b|\b(?:what|which) (?:day|date|month|year|time)\b|\bhow long ago\b|^\W*how long\b/i,
      termHashes(TIME_WORDS),
    ],
    [/\bhow (?:many|much|often|old)\b/i, termHashes(NUMBER_WORDS)],
  ]
  return answerKinds.find(([pattern]) => pattern.test(question))?.[1]
}

/**
 * From this many terms on, a question counts as a pasted message: median 13 terms, compared with 4 to 6 of questions.
 */
const LONG_QUESTION_TERMS = 9
const ASKS_FOR_FACT =
  /^\W*(?:when|where|who|whose|which|how (?:many|much|often|old|long)|what (?:kind|type|year|month|day|date|time|color|colour|book|movie|film|city|country|place|name)s?)\b/i
const ASKS_FOR_TALK = new RegExp(
  `\\b(?:${[
    'summar(?:y|ies|i[sz]e[sd]?|i[sz]ing)|overview|recap',
    'discuss(?:ed|es|ing|ions?)?|debat(?:e[sd]?|ing)|conversations?|talk(?:ed|ing|s)? (?:about|of|over)|sa(?:id|ys?) about',
    'opinions?|views?|attitudes?|thoughts?|think|thought|feel|felt|concern(?:s|ed)?',
    'decisions?|decide[sd]?|conclu(?:de[sd]?|sions?)|agree[sd]?|agreements?|disagree[sd]?|argu(?:e[sd]?|ments?)',
    'explain(?:ed|s)?|describe[sd]?|introduce[sd]?|propos(?:e[sd]?|als?)|suggest(?:ed|s|ions?)?|recommend(?:ed|s|ations?)?',
    'plan(?:s|ned|ning)?|reasons?|pros|cons|(?:dis)?advantages?|problems?|issues?|why',
  ].join('|')})\\b`,
  'i',
)

/** @param termCount distinct terms of the question */
export function questionBreadth(question: string, termCount: number): Breadth {
  if (ASKS_FOR_FACT.test(question)) return 'fact'
  return termCount >= LONG_QUESTION_TERMS || ASKS_FOR_TALK.test(question) ? 'stretch' : 'fact'
}
