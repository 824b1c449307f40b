import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { SOURCE_TYPES } from '../../../src/domain/source-type.ts'
import { packagePath } from '../../../src/lib/files.ts'

/** `2026-03-14`, `2026-03`, or two of them joined by `/` for a range. */
const day = z.string().regex(/^\d{4}-\d\d(?:-\d\d)?(?:\/\d{4}-\d\d(?:-\d\d)?)?$/)

const expectation = z.strictObject({
  /** Display names of everybody who took part; `optional_who` may be named or not. */
  who: z.array(z.string()),
  optional_who: z.array(z.string()).default([]),
  /** The day or month of `content.when`; unchecked when absent. */
  when: day.optional(),
  /** Days and months that the text names, by the words that name them. */
  dates: z.record(z.string(), day).default({}),
  optional_dates: z.array(day).default([]),
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
})

const shared = {
  source: z.string(),
  source_type: z.enum(SOURCE_TYPES),
  file_name: z.string(),
}
const labelFile = z.strictObject({
  ...shared,
  file_name: z.string().default('passage.txt'),
  user_name: z.string(),
  time_zone: z.string(),
  uploaded_at: z.iso.datetime(),
  passages: z.array(
    z.strictObject({ id: z.string(), text: z.string(), expect: expectation, ...z.object(shared).partial().shape }),
  ),
})

export type Expectation = z.infer<typeof expectation>

export interface LabelledPassage {
  readonly id: string
  /** What a row of the table is called. */
  readonly source: string
  /** Rules may be tuned on the one; the other is only measured. */
  readonly part: 'tuned' | 'held'
  readonly sourceType: (typeof SOURCE_TYPES)[number]
  readonly fileName: string
  readonly userName: string
  readonly timeZone: string
  readonly uploadedAt: Date
  readonly text: string
  readonly expect: Expectation
}

/** Every passage of `labels/tuned/*.yaml` and `labels/held/*.yaml`. Throws on a label of a wrong form. */
export function readLabelledPassages(): LabelledPassage[] {
  return (['tuned', 'held'] as const).flatMap((part) => {
    const folder = packagePath(`test/eval/extraction/labels/${part}`)
    return readdirSync(folder).flatMap((name) => passagesOf(readFileSync(join(folder, name), 'utf8'), part))
  })
}

function passagesOf(text: string, part: LabelledPassage['part']): LabelledPassage[] {
  const file = labelFile.parse(parse(text))
  return file.passages.map((passage) => ({
    id: passage.id,
    source: passage.source ?? file.source,
    part,
    sourceType: passage.source_type ?? file.source_type,
    fileName: passage.file_name ?? file.file_name,
    userName: file.user_name,
    timeZone: file.time_zone,
    uploadedAt: new Date(file.uploaded_at),
    text: passage.text,
    expect: passage.expect,
  }))
}
