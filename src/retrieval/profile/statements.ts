import type { KnownStatement } from '../../domain/profile.ts'
import { isAgentName } from '../recall/agent-names.ts'
import { contentTerms, type KnownMemory } from './known-memory.ts'

/** A sentence with its memory. */
export interface FoundStatement {
  readonly text: string
  readonly memory: KnownMemory
}

/** A promise, with the people involved. */
export interface FoundPromise extends FoundStatement {
  /** As named in the narrative; `I`: the owner. */
  readonly by: string
  /** The task, without its subject. */
  readonly task: string
}

const PROMISED = /^(.{1,60}?) (?:(?:said yes and |.{1,120} and )?promised) to (.+?)\.?$/
const ASKED_ME = /^(.{1,60}?) (?:also )?asked me to (.+?)\.?$/

/** `Please find the plan attached` is no task. */
const POINTS_TO_ATTACHMENT = /^find (?:attached|enclosed)\b|^find .+ (?:attached|enclosed|below)\b/

/** `Ann promised to send me the contract`; `Ann asked me to call Tom` is a task of mine. What an assistant asks for is advice. */
export function promisesIn(memory: KnownMemory): FoundPromise[] {
  return memory.sentences.flatMap((text): FoundPromise[] => {
    const promised = PROMISED.exec(text)
    if (promised) return [{ text, memory, by: promised[1]!, task: promised[2]! }]
    const asked = ASKED_ME.exec(text)
    return asked && !isAgentName(asked[1]!) && !POINTS_TO_ATTACHMENT.test(asked[2]!)
      ? [{ text, memory, by: 'I', task: asked[2]! }]
      : []
  })
}

export function firstName(name: string): string {
  return name.split(' ')[0] ?? name
}

/** Also `we go with`. */
export const DECIDED =
  /\b(?:decided|agreed|approved|chose|we (?:decide|chose|choose|go with|launch|use|switch|take)|decision)\b/i
const UNDECIDED =
  /\b(?:not|never|nothing|n['’]t|haven['’]t|hasn['’]t) (?:yet )?(?:been )?(?:decided|agreed|approved)\b/i

/** Also quoted ones, if they are short: the words of whoever decided. */
export function decisionsIn(memory: KnownMemory): FoundStatement[] {
  const quoted = memory.quotations.filter((text) => text.length <= LONGEST && !text.includes('?'))
  return [...memory.sentences, ...quoted]
    .filter((text) => DECIDED.test(text) && !UNDECIDED.test(text) && text.length > 20)
    .map((text) => ({ text, memory }))
}

const PREFERS =
  /\b(?:I (?:really |much |also |usually |generally |always )?(?:prefer|love|hate|dislike|enjoy|avoid)\b(?! (?:it|this|that|you|the idea|how)\b)|I (?:really )?(?:like|don['’]t like|can['’]t stand)\b(?! (?:it|this|that|you|to (?:know|see|thank|ask)|the idea|how)\b)|I (?:never|always) (?!(?:thought|wanted|knew|said|heard|saw)\b)[a-z]+ |I(?:['’]m| am) (?:allergic to|a vegetarian|vegetarian|vegan|lactose|left-handed)|my favou?rite\b)|\b(?:ich (?:mag|hasse|liebe|bevorzuge|trinke kein|esse kein)\p{L}*|ich bin allergisch|je (?:préfère|déteste|n['’]aime pas|suis allergique)|prefiero|odio|soy alérgic[oa]|me encanta)\b|が(?:好き|嫌い|苦手)です|アレルギー|我(?:喜欢|讨厌|更喜欢|对\S{1,8}过敏)/iu
const ROLE =
  /\b(?:I (?:work (?:at|for|as|in)|live (?:in|near|at)|moved to|maintain|run the|lead the|teach|study)\b|I(?:['’]m| am|['’]ve been| have been) (?:the|a|an|our) (?:[\w-]+ ){0,3}(?:director|maintainer|engineer|developer|designer|manager|lead|owner|teacher|nurse|doctor|student|architect|accountant|treasurer|chair|organi[sz]er|lawyer|consultant|coach|writer|editor|researcher|founder|parent|volunteer)\b|[Mm]y (?:wife|husband|partner|daughter|son|mother|father|sister|brother|boss|manager|doctor|dentist|landlord)(?:['’]s name)? is (?=\p{Lu})|[Mm]y (?:wife|husband|partner|daughter|son|sister|brother) \p{Lu}\p{Ll}+)|\b(?:ich (?:arbeite (?:bei|als|für)|wohne in)|je (?:travaille (?:chez|comme)|vis à|habite)|trabajo (?:en|como)|vivo en)\b|(?:で働いて|に住んで)い(?:ます|る)|我(?:在\S{2,12}工作|住在)/u
const ROUTINE =
  /\b(?:every|each) (?:day|morning|evening|night|week|weekend|month|other week|mon|tues|wednes|thurs|fri|satur|sun)(?!\p{L}* (?:that|this|next) week)|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:jeden (?:tag|morgen|abend|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|chaque (?:jour|matin|soir|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|todos los (?:días|lunes|martes|miércoles|jueves|viernes|sábados|domingos))\b|毎(?:日|朝|晩|週)|每(?:天|周|晚)/iu
const FIRST_PERSON = /\b(?:I|my|we|our|ich|mein\p{L}*|wir|je|mon|ma|nous|yo|mi|nosotros)\b|[私僕我]/iu
const LONGEST = 220
const SHORTEST = 12

export type OwnKind = 'preferences' | 'roles' | 'routines'

const OWN: Readonly<Record<OwnKind, RegExp>> = { preferences: PREFERS, roles: ROLE, routines: ROUTINE }

/** Statements of the owner about themselves, verbatim. */
export function ownStatements(kind: OwnKind, memory: KnownMemory, words: readonly string[]): FoundStatement[] {
  return words
    .filter((text) => text.length >= SHORTEST && text.length <= LONGEST && !/[?？]\s*$/.test(text))
    .filter((text) => OWN[kind].test(text) && FIRST_PERSON.test(text))
    .map((text) => ({ text, memory }))
}

/** `I have "Choir" at Town hall ... It repeats every week on Tuesday.` of a calendar. */
export function repeatedEvent({ sentences, row }: KnownMemory): string | undefined {
  const narrative = row.content.narrative ?? ''
  const repeats = /It repeats ([^.]{3,80})\./.exec(narrative)?.[1]
  const name = /^I (?:have|had) (?:a meeting )?"([^"]+)"/.exec(narrative)?.[1] ?? row.content.headline
  return repeats === undefined || name === undefined || sentences.length === 0 ? undefined : `${name}: ${repeats}`
}

/** Maximum number of statements checked for duplicates, newest first. */
const MOST_COMPARED = 500

/** Merges equal statements with all their sources; newest first, at most `most`. */
export function mergeStatements(found: readonly FoundStatement[], most: number): KnownStatement[] {
  const merged: { terms: ReadonlySet<string>; text: string; citations: KnownStatement['citations'][number][] }[] = []
  const newest = found.toSorted((a, b) => (b.memory.row.at ?? 0) - (a.memory.row.at ?? 0)).slice(0, MOST_COMPARED)
  for (const { text, memory } of newest) {
    const terms = contentTerms(text)
    const same = merged.find((one) => isSame(one.terms, terms))
    if (same === undefined) {
      if (merged.length < most) merged.push({ terms, text, citations: [memory.source] })
    } else if (!same.citations.some(({ custom_id }) => custom_id === memory.source.custom_id))
      same.citations.push(memory.source)
  }
  return merged.map(({ text, citations }) => ({ text, citations: citations.slice(0, MOST_CITATIONS) }))
}
const MOST_CITATIONS = 5

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((term) => b.has(term)).length
  return shared === Math.max(a.size, b.size) || (a.size > 3 && shared >= Math.max(a.size, b.size) * 0.9)
}
