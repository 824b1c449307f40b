import type { AskAnswer } from '../../../http/app/schemas/recall.ts'
import { plainLines } from '../../../lib/markup/plain-words.ts'
import { sourceTitle } from '../../ui/source-type.tsx'
import { citationText } from '../reading/citation.ts'
import { itemPath } from './recall-calls.ts'

/**
 * A question with its answer and what it cites, as text to share.
 * @param origin of the app, for sources without an address of their own
 */
export function answerText(question: string, { response, citations }: AskAnswer, origin: string): string {
  const sources = citations.map(({ n, title, source, item_id, when, url }) => {
    const location = url ?? `${origin}/app${itemPath(source, item_id)}`
    return `[${n}] ${citationText({ title: title ?? sourceTitle(source), person: null, at: null, when, location })}`
  })
  return [question, '', plainLines(response.trim()), ...(sources.length > 0 ? ['', ...sources] : [])].join('\n')
}
