import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import { contentRevision } from './google-rows.ts'
import { startOfDay } from './takeout-time.ts'

export interface FitExercise {
  readonly id: string
  /** The local day on which it began. */
  readonly day: string
  readonly title: string
  readonly startedAt: Date | undefined
  readonly updatedAt: Date | undefined
  readonly lines: readonly string[]
  readonly notes: string | undefined
}

/** The records of a source over some days. */
export interface FitDays {
  /** `Steps: 8532`, by day; days without data are absent. */
  readonly days: ReadonlyMap<string, readonly string[]>
  readonly exercises: readonly FitExercise[]
}

/** Where the daily summaries come from. */
export interface FitSource {
  /** @param first `2026-11-01` @param end the day after the last one; at most 14 days later */
  read(first: string, end: string): Promise<FitDays>
}

export function dayRef(account: string, day: string): ItemRef {
  return {
    sourceType: 'fit',
    itemId: sourceItemId('ghealth', accountPart(account), { name: 'day', value: day }),
    locator: day,
  }
}

export function dayItem(account: string, day: string, lines: readonly string[], timeZone: string): SourceItem {
  const content = {
    title: `Health and fitness on ${day}`,
    createdAt: startOfDay(day, timeZone),
    body: `My day ${day} in numbers:\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`,
  }
  return { ...dayRef(account, day), revision: contentRevision(content), visibility: 'private', ...content }
}

export function exerciseRef(account: string, { id, day }: Pick<FitExercise, 'id' | 'day'>): ItemRef {
  return {
    sourceType: 'fit',
    itemId: sourceItemId('ghealth', accountPart(account), 'ex', id),
    locator: `${day} ${id}`,
  }
}

export function exerciseItem(account: string, exercise: FitExercise): SourceItem {
  const { title, day, startedAt, updatedAt, lines, notes } = exercise
  const parts = [`${title} on ${day}:`, lines.map((line) => `- ${line}`).join('\n'), notes?.trim() ?? '']
  const content = {
    title: `${title} on ${day}`,
    ...(startedAt !== undefined && { createdAt: startedAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    body: `${parts.filter((part) => part !== '').join('\n\n')}\n`,
  }
  return { ...exerciseRef(account, exercise), revision: contentRevision(content), visibility: 'private', ...content }
}
