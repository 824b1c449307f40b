import type { RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { formatDay } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'

/** What was read out of the question beside its words, so that nobody wonders. Nothing when there was nothing. */
export function UnderstoodLine({ understood }: { readonly understood: RecallAnswer['understood'] }) {
  const { since, until, sources, words } = understood
  const guesses = words.filter(({ taken_as }) => taken_as.length > 0)
  const sentences = [
    ...timeWords(since, until).map((time) => `Your question names a time: ${time}.`),
    ...(sources.length > 0 ? [`What is from ${sources.map(sourceTitle).join(' or ')} counts more.`] : []),
    ...guesses.map(
      ({ word, taken_as }) =>
        `“${shownText(word)}” does not occur; ${taken_as.map((taken) => `“${shownText(taken)}”`).join(' and ')} counted instead.`,
    ),
  ]
  if (sentences.length === 0) return null
  return (
    <p className="text-soft text-sm">
      <bdi className="[overflow-wrap:anywhere]">{sentences.join(' ')}</bdi>
    </p>
  )
}

/** The upper end is the first moment that is not meant. */
function timeWords(since: string | null, until: string | null): string[] {
  const last = until === null ? undefined : formatDay(new Date(new Date(until).getTime() - 1))
  if (since === null) return last === undefined ? [] : [`until ${last}`]
  const first = formatDay(since)
  if (last === undefined) return [`since ${first}`]
  return [first === last ? `on ${first}` : `from ${first} to ${last}`]
}
