import { splitSentences } from '../../lib/sentences.ts'
import { type Clause, clausesOf, splitClauses } from './clauses.ts'
import { contentTerms, type KnownMemory, spokenLines } from './known-memory.ts'
import { firstName } from './statements.ts'

/** A clause that reports something as done. */
export interface ReportedDeed {
  /**
   * `deed`: somebody did it; `handover`: the reporter gives it; `receipt`: the reporter got it, or thanks for it;
   * `state`: it is done, whoever did it.
   */
  readonly kind: 'deed' | 'handover' | 'receipt' | 'state'
  /** Who did it, gave it, got it, or reports it as done; `I`: the owner. */
  readonly by: string
  /** The terms of its verb, as base forms; none for a handover and for `Thanks for the plan`. */
  readonly verb: readonly string[]
  readonly terms: ReadonlySet<string>
  /** Those of what it was done to: `note` of `sent a note about the plan`. */
  readonly heads: ReadonlySet<string>
  /** To whom it was given; `I`: the owner. */
  readonly to: string | undefined
  /** From whom it was received. */
  readonly from: string | undefined
  readonly memory: KnownMemory
  /** Where it stands: in the narrative, or in the lines of the speakers. */
  readonly within: 'statements' | 'lines'
  readonly position: number
}

type Deed = Pick<ReportedDeed, 'kind' | 'by' | 'verb' | 'terms' | 'heads' | 'to' | 'from'>

/**
 * The deeds that a memory reports: in its narrative, and in the words of its speakers, because a narrative omits thanks.
 * @param isRelevant cheap check of a sentence, before it is read
 */
export function reportedDeeds(memory: KnownMemory, isRelevant: (text: string) => boolean): ReportedDeed[] {
  const told = memory.statements.flatMap((text, position) =>
    isRelevant(text)
      ? deedsOf(clausesOf(text).flatMap((one) => splitClauses(one.text).map((part) => ({ ...one, text: part })))).map(
          (deed) => ({ ...deed, within: 'statements' as const, position }),
        )
      : [],
  )
  const lines = isRelevant(memory.row.content.body ?? '') ? spokenLines(memory) : []
  const said = lines.flatMap(({ by, text }, position) => {
    if (!isRelevant(text)) return []
    const clauses = splitSentences(text).filter(isRelevant).flatMap(splitClauses)
    return deedsOf(clauses.map((clause) => ({ text: clause, by, isVerbatim: true }))).map((deed) => ({
      ...deed,
      ...{ within: 'lines' as const, position },
    }))
  })
  return [...told, ...said].map((deed) => ({ ...deed, memory }))
}

const ADVERBS = '(?:(?:just|already|finally|now|also|all|both|even|actually|\\w+ly) )*'
/** `need` and `feed` are not past tense. */
const PAST =
  '(?:(?!(?:need|feed|bleed|breed|speed|exceed|proceed|succeed)(?![a-z]))[a-z]{2,}ed|sent|made|gave|given|got|did|done|wrote|written|paid|bought|brought|found|told|took|taken|met|put|set|sold|built|went|lent|taught|drove|spoke|shown|chose|chosen)'
const OPENING =
  /^(?:(?:yes|yeah|yep|hi|hey|hello|ok|okay|so|and|also|btw|by the way|fyi|great|perfect|done|good news|as promised|just|finally)(?:[,:!. –-]+|$))+/i
const THANKS = '(?:many )?(?:thanks|thank you|thx|cheers)(?: again)?(?: (?:so|very) much| a lot)? for'
const SUBJECT =
  "(?:(I|we|they|he|she|you|\\p{Lu}[\\p{L}\\p{M}'’.-]*(?: \\p{Lu}[\\p{L}\\p{M}'’.-]*)?|[a-z][\\w.-]*)(?:['’]ve| have|['’]s| has)? )"
const DID = new RegExp(`^${SUBJECT}?${ADVERBS}(${PAST}) ${ADVERBS}(.+)$`, 'u')
const OMITTED_SUBJECT = new RegExp(`^${ADVERBS}(${PAST}) (.+)$`, 'iu')
const THANKS_FOR_DOING = new RegExp(`^${THANKS} (\\p{L}+ing) (.+)$`, 'iu')
const THANKS_FOR = new RegExp(`^${THANKS} (.+)$`, 'iu')
const ARRIVED = /^(.+?) (?:(?:has|have|just|already|finally) )*(?:arrived|came in|came through|got here)\b/iu
const IS_DONE = new RegExp(
  `^(.+?)(?: (?:is|are|was|were|has been|have been|got)|['’]s(?: been)?) ${ADVERBS}(${PAST}|ready)\\b(?! (?:out|up|solid|by)\\b)(.*)$`,
  'iu',
)
/** `Hall booked`, `Plan sent to Bo`. */
const DONE = new RegExp(
  `^((?:\\S+ ){1,4}?)(${PAST}|ready)(?: (?:to|for|on|at|now|already|today|yesterday)\\b.*)?[.!]*$`,
  'iu',
)
const HANDOVERS: readonly RegExp[] = [
  /^here(?:['’]s| is| are|['’]re) (?!(?:what|how|why|where|hoping)\b)(.+)$/iu,
  /^(?:please )?find (?:attached|enclosed|below):? (.+)$/iu,
  /^(?:please )?find (.+?) (?:attached|enclosed|below)\b/iu,
  /^(?:attached|enclosed)(?: is| are| you(?:['’]ll| will) find)?:? (.+)$/iu,
  /^(.+?) (?:is|are) (?:now )?(?:attached|enclosed|in your (?:inbox|mailbox|folder)|in the (?:shared )?(?:folder|drive)|on (?:its|the|their) way)\b/iu,
]
/** The narrative of `Please find the plan attached`. */
const POINTED_TO = /^(\S+(?: \S+)?) asked me to (find .+)$/u

/** Words of what is not done, or not yet. */
const OPEN =
  /\b(?:not|never|no longer|yet to|still|almost|nearly|half|fully|cannot|can|could|will|would|should|must|might|if|unless|until|as soon as|supposed|going to|about to|instead of|(?:need|want|hope|wish|plann|tri)(?:s|ed|es)? to|(?:I|we|they|he|she) plans? to|tr(?:y|ying) to)\b|n['’]t\b|['’](?:ll|d) |\?\s*$/i
const MAY = /\bmay (?!\d)/
/** Past forms that are no deeds, or only talk. */
const NO_DEED =
  /^(?:promised|asked|proposed|offered|planned|wanted|needed|hoped|wished|tried|forgot|failed|started|intended|agreed|decided|discussed|mentioned|suggested|requested|expected|refused|cancell?ed|postponed|delayed|missed|liked|loved|told)$/i

function deedsOf(clauses: readonly Clause[]): Deed[] {
  return clauses.flatMap((clause) => {
    const text = clause.text.trim().replace(OPENING, '')
    const pointed = POINTED_TO.exec(text)
    if (pointed !== null) return deedsOf([{ text: pointed[2]!, by: pointed[1]!, isVerbatim: false }])
    if (text === '' || /\?\s*$/.test(text)) return []
    const handed = clause.by === '' ? undefined : handover(text, clause)
    if (handed !== undefined) return [handed]
    if (OPEN.test(text) || MAY.test(text)) return []
    return [...(clause.by === '' ? [] : statesOf(text, clause)), ...didOf(text, clause)]
  })
}

function handover(text: string, { by }: Clause): Deed | undefined {
  const given = HANDOVERS.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined)
  if (given === undefined || /\b(?:not|n['’]t)\b/i.test(text)) return undefined
  return { kind: 'handover', by, verb: [], ...objectTerms(given), to: undefined, from: undefined }
}

/** What the speaker got or thanks for, and what is done. */
function statesOf(text: string, { by }: Clause): Deed[] {
  const done = { by, to: undefined, from: undefined }
  const thanked = THANKS_FOR_DOING.exec(text)
  if (thanked !== null) return [{ ...done, kind: 'receipt', verb: baseTerms(thanked[1]!), ...objectTerms(thanked[2]!) }]
  const received = THANKS_FOR.exec(text)?.[1] ?? ARRIVED.exec(text)?.[1]
  if (received !== undefined)
    return [{ ...done, kind: 'receipt', verb: [], ...objectTerms(received), from: senderIn(text) }]
  const state = IS_DONE.exec(text) ?? DONE.exec(text)
  if (state === null) return []
  return [{ ...done, kind: 'state', verb: verbTerms(state[2]!), ...objectTerms(state[1]!) }]
}

/** What somebody did; what somebody got is also a receipt. */
function didOf(text: string, { by, isVerbatim }: Clause): Deed[] {
  const [, subject, verb, object] = DID.exec(text) ?? withoutSubject(text, isVerbatim) ?? []
  if (verb === undefined || object === undefined || NO_DEED.test(verb)) return []
  const doer = doerOf(subject, by, isVerbatim)
  if (doer === undefined) return []
  const speaker = isVerbatim ? by : 'I'
  const deed = { by: doer, verb: verbTerms(verb), ...objectTerms(object), to: recipientIn(object, speaker) }
  const from = senderIn(object)
  const isReceived = /^(?:got|received)$/i.test(verb)
  return [
    { ...deed, kind: 'deed', from },
    ...(isReceived ? [{ ...deed, kind: 'receipt' as const, verb: [], to: undefined, from }] : []),
  ]
}

function withoutSubject(text: string, isVerbatim: boolean): (string | undefined)[] | undefined {
  const [whole, verb, object] = (isVerbatim ? OMITTED_SUBJECT.exec(text) : null) ?? []
  return whole === undefined ? undefined : [whole, undefined, verb?.toLowerCase(), object]
}

function doerOf(subject: string | undefined, by: string, isVerbatim: boolean): string | undefined {
  switch (subject?.toLowerCase()) {
    case undefined:
      return isVerbatim ? by : undefined
    case 'i':
    case 'we':
      return isVerbatim ? by : 'I'
    case 'they':
    case 'he':
    case 'she':
      return isVerbatim || by === '' ? undefined : by
    case 'you':
      return undefined
    default:
      return subject
  }
}

/** Base forms, by stem: the stems of regular forms are equal. */
const BASES: Readonly<Record<string, string>> = {
  ...{ sent: 'send', made: 'make', gave: 'give', given: 'give', got: 'get', wrote: 'write', written: 'write' },
  ...{ paid: 'pai', bought: 'bui', brought: 'bring', found: 'find', told: 'tell', took: 'take', taken: 'take' },
  ...{ met: 'meet', sold: 'sell', built: 'build', went: 'go', lent: 'lend', taught: 'teach', drove: 'drive' },
  ...{ spoke: 'speak', shown: 'show', chose: 'choos', chosen: 'choos' },
}

/** The irregular forms of a term. */
export function irregularForms(term: string): string[] {
  return Object.keys(BASES).filter((form) => BASES[form] === term)
}

/** The terms of a verb; `done` and `ready` as they are. */
function verbTerms(verb: string): string[] {
  return /^(?:done|ready)$/i.test(verb) ? [verb.toLowerCase()] : baseTerms(verb)
}

/** The terms of a text, past forms as their base forms. */
export function baseTerms(text: string): string[] {
  return [...contentTerms(text)].map((term) => BASES[term] ?? term)
}

function objectTerms(text: string): Pick<ReportedDeed, 'terms' | 'heads'> {
  return { terms: new Set(baseTerms(text)), heads: new Set(baseTerms(withoutDetails(text))) }
}

const PARTICLES = /^(?:(?:back|up|out|over|off|down|in|on|into|to|for|at|with|about|through|after) )+/
const DETAILS = / (?:for|to|from|of|about|on|with|in|at|by|that|whether|if|when|before|after|until|into|as|so) .*$/s
const COPY = /\b(?:a |the )?copy of /

/** `the plan` of `over the plan for the kitchen`. */
export function withoutDetails(object: string): string {
  return object.replace(PARTICLES, '').replace(COPY, '').replace(DETAILS, '')
}

const GIVEN_TO = /^(me|us|\p{Lu}\p{L}+)(?: \p{Lu}\p{L}+)? (?=(?:the|a|an|my|your|his|her|their|our|some|two|all)\b)/u
const TO = / to (me|us|\p{Lu}\p{L}+)/u

/** `me the plan`, `the plan to Bo`. @param speaker whom `me` means */
export function recipientIn(object: string, speaker: string): string | undefined {
  const name = (GIVEN_TO.exec(object) ?? TO.exec(object))?.[1]
  return name === 'me' || name === 'us' ? firstName(speaker) : name
}

function senderIn(text: string): string | undefined {
  return / from (\p{Lu}\p{L}+)/u.exec(text)?.[1]
}
