import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface EvaluationTurn {
  readonly id: string
  readonly speaker?: string
  readonly when?: string | null
  readonly text: string
}

export interface EvaluationSession {
  readonly id: string
  /** Of the year on a phone: chat, agent, calendar, note, photos, calls or notifications. */
  readonly kind?: string
  readonly when?: string | null
  readonly turns: readonly EvaluationTurn[]
}

export interface EvaluationCollection {
  readonly id: string
  /** `docs`: texts in the order of their documents; otherwise turns of a conversation. */
  readonly kind: string
  readonly sessions: readonly EvaluationSession[]
}

export interface EvaluationQuestion {
  readonly id: string
  readonly collection: string
  /** `unanswerable`: the evidence must not be taken for an answer. */
  readonly category: string
  readonly text: string
  /** In words, where the set has one. */
  readonly answer?: string
  readonly evidence: readonly string[]
}

export interface EvaluationSet {
  readonly name: string
  readonly collections: readonly EvaluationCollection[]
  readonly questions: readonly EvaluationQuestion[]
}

/** The sets of a folder, by name. Empty when the folder does not exist. */
export function readSets(folder: string): EvaluationSet[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.sort().map((file) => {
    const set: EvaluationSet = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return { ...set, name: file.replace(/\.json$/, '') }
  })
}

/** After everything in the sets, in UTC. */
const ASKED_AT = new Date('2026-11-20T12:00:00Z')
/** Months of the year on a phone that have no year mean 2025. */
const PHONE_ASKED_AT = new Date('2026-01-01T12:00:00Z')

/** The time at which the questions of a set are asked. */
export function askedAt({ name }: EvaluationSet): Date {
  return name.startsWith('lifebench') ? PHONE_ASKED_AT : ASKED_AT
}

export function answerable(set: EvaluationSet): readonly EvaluationQuestion[] {
  return set.questions.filter(({ category, evidence }) => category !== 'unanswerable' && evidence.length > 0)
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/** `1:56 pm on 8 May, 2023` and `29.12.2023, 22:42:04`, the two forms of the chats, read as UTC. */
export function parseWhen(when: string | null | undefined): Date | undefined {
  if (!when) return undefined
  const spoken = /^(\d+):(\d+) ([ap])m on (\d+) (\w+),? (\d{4})$/.exec(when)
  if (spoken) {
    const [hour, minute, day, year] = [spoken[1], spoken[2], spoken[4], spoken[6]].map(Number) as [
      number,
      number,
      number,
      number,
    ]
    return new Date(
      Date.UTC(year, MONTHS.indexOf(spoken[5]!.toLowerCase()), day, (hour % 12) + (spoken[3] === 'p' ? 12 : 0), minute),
    )
  }
  const dotted = /^(\d+)\.(\d+)\.(\d{4}), (\d+):(\d+):(\d+)$/.exec(when)
  if (!dotted) throw new Error(`Unknown form of time: ${when}`)
  const [day, month, year, hour, minute, second] = dotted.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second))
}
