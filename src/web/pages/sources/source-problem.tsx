import { fillSentence, SOURCE_PROBLEMS, sourceProblem } from '../../../domain/source-problems.ts'
import { currentLanguage, serviceSentence, translated } from '../../languages/catalog.ts'
import { fieldSentence } from '../../languages/field-sentence.ts'
import { formatDay, formatTime } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'

const sentences: Readonly<Record<keyof typeof SOURCE_PROBLEMS, string>> = translated('sourceProblems', SOURCE_PROBLEMS)

/** As `ProblemNote`, for errors that may state a problem of a source. */
export function SourceProblemNote({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const stated = error instanceof Error ? new Error(statedProblem(error.message)) : error
  return <ProblemNote error={stated} {...(onRetry && { onRetry })} />
}

/** A problem or warning of a source in the language of the page; in English where it has no code. */
export function statedProblem(sentence: string): string {
  return shownText(inLanguage(sentence))
}

function inLanguage(sentence: string): string {
  const found = currentLanguage() === 'en' ? undefined : sourceProblem(sentence)
  if (found === undefined) return ofSetting(sentence)
  const shown = Object.entries(found.parameters).map(([name, value]) => [name, shownValue(value)] as const)
  return fillSentence(sentences[found.code], Object.fromEntries(shown))
}

/** What config.yaml may not say, as of the fields of a form: `Schedule must be ...` for `schedule must be ...`. */
function ofSetting(sentence: string): string {
  const [, field] = /^([a-z_]+) must /.exec(sentence) ?? []
  if (field !== undefined) return fieldSentence(field, sentence)
  const shown = serviceSentence(sentence)
  return shown.startsWith('there is no setting') ? `T${shown.slice(1)}` : shown
}

/** Parameters may be times, or problems themselves. */
function shownValue(value: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value)
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatTime(value)
  return inLanguage(value)
}
