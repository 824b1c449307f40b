import { endsWithQuestion } from '../../question/question-form.ts'
import type { Source } from './evidence.ts'

/**
 * Listed sources with each question directly in front of the turn that follows it in its conversation, except where the first
 * one is the reply to the question that is asked.
 */
export function questionFirst(
  sources: readonly Source[],
  { isReplied }: { readonly isReplied: boolean },
): readonly Source[] {
  if (isReplied) return sources
  const ordered: Source[] = []
  for (const source of sources) {
    const at = ordered.findIndex((other) => isAnswerTo(other, source))
    ordered.splice(at < 0 ? ordered.length : at, 0, source)
  }
  return ordered
}

function isAnswerTo(answer: Source, { row, position, lead }: Source): boolean {
  const isNext = answer.row.itemKey === row.itemKey && answer.position === position + 1
  return isNext && row.kind === 'turn' && endsWithQuestion(lead?.map(({ text }) => text).join(' ') ?? '', 0)
}
