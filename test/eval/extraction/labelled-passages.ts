import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { SOURCE_TYPES } from '../../../src/domain/source-type.ts'
import { packagePath } from '../../../src/lib/files.ts'

/** `2026-03-14`, `2026-03`, or two of them joined by `/` for a range. */
const day = z.string().regex(/^\d{4}-\d\d(?:-\d\d)?(?:\/\d{4}-\d\d(?:-\d\d)?)?$/)

/** `Rosa + moved|postponed + @2026-03-18` */
const fact = z.string().regex(/\S/)

const expectation = z.strictObject({
  /** Display names of everybody who took part; `optional_who` may be named or not. */
  who: z.array(z.string()),
  optional_who: z.array(z.string()).default([]),
  /** The day or month of `content.when`; unchecked when absent. */
  when: day.optional(),
  /** Days and months that the text names, by the words that name them. */
  dates: z.record(z.string(), day).default({}),
  optional_dates: z.array(day).default([]),
  /** Weeks that the text names, by the words that name them and their Monday. */
  weeks: z.record(z.string(), z.iso.date()).default({}),
  /** Names in the text with their types, but for participants; `optional` may be found or not. */
  names: z.record(z.string(), z.string()).default({}),
  optional: z.array(z.string()).default([]),
  /** Patterns that one headline has to match, all of them. */
  headline: z.array(z.string()).default([]),
  /** Parts of the narrative; `a|b`: one of the two. */
  says: z.array(z.string()).default([]),
  /** What stands nowhere outside of quotation marks. */
  never: z.array(z.string()).default([]),
  /** What stands nowhere in the narrative. */
  absent: z.array(z.string()).default([]),
  /** Fewest and most memories. */
  memories: z.tuple([z.number(), z.number()]).default([1, 9]),
  /** Reasons of skips that have to be reported. */
  skips: z.array(z.string()).default([]),
  /** Sentences that belong in no narrative. */
  chatter: z.array(z.string()).default([]),
  /** Facts that some narrative must hold, in the notation of `holdsFact`. */
  must: z.array(fact).default([]),
  /** Who owes what by when. */
  owed: z.array(z.strictObject({ who: z.string(), what: fact, by: day.optional() })).default([]),
  /** Everybody who is written in several ways, by all of them; the name to show comes first. */
  people: z.array(z.array(z.string()).min(2)).default([]),
  /** What a headline has to hold, one of them; in the notation of `holdsFact`. */
  headline_fact: z.array(fact).default([]),
})

const shared = {
  source: z.string(),
  source_type: z.enum(SOURCE_TYPES),
  file_name: z.string(),
}
const owner = {
  user_name: z.string(),
  time_zone: z.string(),
  uploaded_at: z.iso.datetime(),
}
const labelFile = z.strictObject({
  ...shared,
  ...owner,
  file_name: z.string().default('passage.txt'),
  passages: z.array(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      expect: expectation,
      ...z.object({ ...shared, ...owner }).partial().shape,
    }),
  ),
})

export type Expectation = z.infer<typeof expectation>

/** Rules may be tuned on the first; the second is only measured, the third once, at the end, and in figures alone. */
export const LABEL_PARTS = ['tuned', 'held', 'final'] as const
export type LabelPart = (typeof LABEL_PARTS)[number]

export interface LabelledPassage {
  readonly id: string
  /** What a row of the table is called. */
  readonly source: string
  readonly part: LabelPart
  readonly sourceType: (typeof SOURCE_TYPES)[number]
  readonly fileName: string
  readonly userName: string
  readonly timeZone: string
  readonly uploadedAt: Date
  readonly text: string
  readonly expect: Expectation
}

/** Every passage of `labels/<part>/*.yaml`. Throws on a label of a wrong form. */
export function readLabelledPassages(parts: readonly LabelPart[] = LABEL_PARTS): LabelledPassage[] {
  return parts.flatMap((part) => {
    const folder = packagePath(`test/eval/extraction/labels/${part}`)
    return readdirSync(folder).flatMap((name) => passagesOf(readFileSync(join(folder, name), 'utf8'), part))
  })
}

/** Whether the labels say which facts its memories must hold. */
export function hasFacts({ expect }: LabelledPassage): boolean {
  return expect.must.length > 0
}

function passagesOf(text: string, part: LabelPart): LabelledPassage[] {
  const file = labelFile.parse(parse(text))
  return file.passages.map((passage) => ({
    id: passage.id,
    source: passage.source ?? file.source,
    part,
    sourceType: passage.source_type ?? file.source_type,
    fileName: passage.file_name ?? file.file_name,
    userName: passage.user_name ?? file.user_name,
    timeZone: passage.time_zone ?? file.time_zone,
    uploadedAt: new Date(passage.uploaded_at ?? file.uploaded_at),
    text: passage.text,
    expect: passage.expect,
  }))
}
