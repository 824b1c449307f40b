import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { packagePath } from '../../../src/lib/files.ts'

const LANGUAGES = ['english', 'german', 'french', 'spanish', 'japanese', 'chinese'] as const
const sentences = z.strictObject({
  chatter: z.array(z.string()),
  news: z.array(z.string()),
  plain: z.array(z.string()),
})
const remarks = z.record(z.enum(LANGUAGES), sentences)

export interface LabelledRemark {
  readonly language: (typeof LANGUAGES)[number]
  readonly text: string
  readonly isChatter: boolean
}

/** @param half no weight is fitted to `unseen`, but each variant was measured on it (decision 135) */
export function readLabelledRemarks(half: 'fit' | 'unseen'): LabelledRemark[] {
  const file = packagePath(`test/eval/extraction/remarks/${half}.yaml`)
  const byLanguage = remarks.parse(parse(readFileSync(file, 'utf8')))
  return LANGUAGES.flatMap((language) => [
    ...byLanguage[language].chatter.map((text) => ({ language, text, isChatter: true })),
    ...[...byLanguage[language].news, ...byLanguage[language].plain].map((text) => ({
      language,
      text,
      isChatter: false,
    })),
  ])
}
