import { inSlices } from './in-slices.ts'
import { contentTerms, type KnownMemory, spokenLines } from './known-memory.ts'
import {
  baseTerms,
  irregularForms,
  type ReportedDeed,
  recipientIn,
  reportedDeeds,
  withoutDetails,
} from './reported-deeds.ts'
import { type FoundPromise, firstName } from './statements.ts'

/** Share of a task's words that a later deed must contain. */
const DONE = 0.6
/** Maximum number of promises checked, newest first. */
const MOST_PROMISES = 300

/** Promises that nothing later reports as kept; of the newest 300. */
export async function openPromises(
  promises: readonly FoundPromise[],
  memories: readonly KnownMemory[],
): Promise<FoundPromise[]> {
  const newest = promises.toSorted((a, b) => (b.memory.row.at ?? 0) - (a.memory.row.at ?? 0)).slice(0, MOST_PROMISES)
  const tasks = newest.map(readTask)
  const isRelevant = mentions(tasks)
  const oldest = Math.min(...newest.map(({ memory }) => memory.row.at ?? 0))
  const later = memories.filter(({ row }) => (row.at ?? 0) >= oldest)
  const deeds = await inSlices(later, (memory) => reportedDeeds(memory, isRelevant))
  const byKey = new Map<string, ReportedDeed[]>(tasks.map(({ key }) => [key, []]))
  for (const deed of deeds) for (const term of deed.terms.size > 0 ? deed.terms : deed.verb) byKey.get(term)?.push(deed)
  return tasks.flatMap((task) => {
    const isKept = (byKey.get(task.key) ?? []).some(
      (deed) => mayBeLater(deed, task) && keeps(deed, task) && isLater(deed, task),
    )
    return isKept ? [] : [task.promise]
  })
}

interface Task {
  readonly promise: FoundPromise
  readonly verb: string | undefined
  /** The terms of its object. */
  readonly object: readonly string[]
  /** The term of the object that a deed must have: `plan` of `send me the plan for the kitchen`. */
  readonly key: string
  readonly to: string | undefined
  readonly needsAll: boolean
}

/** A due date says nothing about whether it was done. */
const DUE =
  /\([^)]*\)|\b(?:by|on|until|before|next|this|at) (?:the )?(?:\d{1,2}(?: \p{Lu}\p{L}+)?(?: \d{4})?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month|weekend|end of \S+)|\b(?:today|tonight|tomorrow)\b/giu
const DAY = /^\d+(?:st|nd|rd|th)?$/
const RECIPIENT =
  /^(?:me|us|you|them|him|her|\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?) (?=(?:the|a|an|my|your|his|her|their|our|some|two|all)\b)/u

function readTask(promise: FoundPromise): Task {
  const task = promise.task.replace(DUE, ' ').replace(/\s+/g, ' ').trim()
  const [, first = '', rest = ''] = /^(?:(?:also|just|then|please) )*(\S+) ?(.*)$/is.exec(task) ?? []
  const verb = baseTerms(first)[0]
  const words = rest.replace(RECIPIENT, '')
  const terms = (text: string) => [...new Set(baseTerms(text))].filter((term) => !DAY.test(term))
  const object = terms(words)
  return {
    ...{ promise, verb, object, to: recipientIn(rest, 'I'), needsAll: / and /.test(words) },
    key: terms(withoutDetails(words).replace(/ and .*$/s, '')).at(-1) ?? object[0] ?? verb ?? '',
  }
}

/** Letters by which words are looked up before they are stemmed. */
const BEGINNING = 3
const WORD = /[a-z0-9]{2,}/gi
/** Letters that terms have in another form, or without spaces between words. */
const OTHER_LETTERS = /[\u00c0-\u1fff\u2c00-\uffff]/

/** Whether a text may have a word that a deed of these tasks must have: cheap, because most texts have none. */
function mentions(tasks: readonly Task[]): (text: string) => boolean {
  // The last letter of a stem may differ from that of the word: `parti`, `party`.
  const stems = new Set(
    tasks.flatMap(({ key }) => [key.slice(0, Math.max(BEGINNING, key.length - 1)), ...irregularForms(key)]),
  )
  const byBeginning = Map.groupBy(stems, (stem) => stem.slice(0, BEGINNING))
  const isKey = (word: string) =>
    byBeginning.get(word.slice(0, BEGINNING))?.some((stem) => word.startsWith(stem)) === true
  return (text) => {
    WORD.lastIndex = 0
    for (let found = WORD.exec(text); found !== null; found = WORD.exec(text))
      if (isKey(found[0].toLowerCase())) return true
    return OTHER_LETTERS.test(text)
  }
}

/** Verbs for giving something, which `Got the plan` and `Here's the plan` report as done. */
const GIVING = new Set(
  contentTerms(
    'send give share forward bring mail email post hand pass show deliver upload ship return resend lend attach',
  ),
)
/** Verbs for making or finding what is then handed over. */
const MAKING = new Set(
  contentTerms('write draft prepare make create finish get find print build update design collect'),
)
const FINISHED = new Set(['done', 'ready', 'finish', 'sort', 'settl', 'complet'])

function keeps(deed: ReportedDeed, task: Task): boolean {
  const { promise, verb = '', object, to } = task
  const isTheirs = isSamePerson(deed.by, promise.by)
  if (deed.kind === 'deed' && !isTheirs) return false
  const isGiving = GIVING.has(verb)
  const isVerb = deed.verb.some((one) => one === verb || (isGiving && GIVING.has(one)))
  if (deed.to !== undefined && to !== undefined && firstName(deed.to) !== firstName(to)) return false
  if (deed.kind === 'deed') return isVerb ? holdsObject(deed, task, true) : holdsMost(deed, task)
  if (object.length === 0 || !holdsObject(deed, task, false)) return false
  switch (deed.kind) {
    case 'handover':
      return isTheirs && (isGiving || MAKING.has(verb))
    case 'receipt': {
      const isFromOther = deed.from !== undefined && promise.by !== 'I' && deed.from !== firstName(promise.by)
      const isSuited = deed.verb.length > 0 ? isVerb : isGiving
      return isSuited && !isTheirs && !isFromOther && isParty(deed.by, task)
    }
    case 'state':
      return (isVerb || deed.verb.some((one) => FINISHED.has(one))) && (isTheirs || isParty(deed.by, task))
  }
}

function holdsObject({ terms, heads }: ReportedDeed, { object, key, needsAll }: Task, mayLackObject: boolean): boolean {
  if (object.length === 0) return mayLackObject
  if (!heads.has(key)) return false
  const held = object.filter((term) => terms.has(term)).length
  return held >= object.length * (needsAll ? 1 : DONE)
}

/** Another verb for it: most words of the task, which are then those of its object. */
function holdsMost({ terms }: ReportedDeed, { object, key, needsAll }: Task): boolean {
  const held = object.filter((term) => terms.has(term)).length
  return object.length > 0 && terms.has(key) && held >= (needsAll ? object.length : (object.length + 1) * DONE)
}

/** `Ann` may be `Ann Lee`; namesakes are told apart when both are named in full. */
function isSamePerson(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `)
}

/** Whether somebody gave a promise, was given it, or was there. */
function isParty(name: string, { promise: { memory, text }, to }: Task): boolean {
  if (to !== undefined) return firstName(to) === firstName(name)
  const { participants, row } = memory
  if (name === 'I') return participants.length <= 2 || participants.includes(row.userName) || / (?:me|us)\b/.test(text)
  return participants.some((one) => isSamePerson(one, name)) || text.includes(firstName(name))
}

/** Cheap, because it is checked first. */
function mayBeLater({ memory: { row } }: ReportedDeed, { promise: { memory } }: Task): boolean {
  return (row.at ?? 0) >= (memory.row.at ?? 0)
}

/** In the same memory, by the order of its sentences. */
function isLater({ memory, within, position }: ReportedDeed, { promise, object, key }: Task): boolean {
  const [deed, promised] = [memory.row, promise.memory.row]
  const isOfItem = deed.itemKey === promised.itemKey
  if (!isOfItem || deed.index !== promised.index) {
    const [at, from] = [deed.at ?? 0, promised.at ?? 0]
    return at > from || (at === from && isOfItem && deed.index > promised.index)
  }
  if (within === 'statements') return position > memory.statements.indexOf(promise.text)
  const given = spokenLines(memory).findLastIndex(({ text }) => GIVES.test(text) && baseTerms(text).includes(key))
  return object.length > 0 && given >= 0 && position > given
}
/** Words of a promise, or of a request. */
const GIVES = /['’]ll\b|\b(?:will|going to|(?:can|could|would) you|please|let me)\b/i
