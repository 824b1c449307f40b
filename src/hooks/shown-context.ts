import { fenced } from '../domain/recalled-fence.ts'
import { SOURCE_TYPES, type SourceType } from '../domain/source-type.ts'
import { SHOWN_FRAME_TOKENS } from '../domain/suggestions.ts'
import { estimateTokens } from '../lib/estimate-tokens.ts'
import { cleanText } from '../mcp/clean-text.ts'
import { belowMark } from '../mcp/passage-text.ts'
import { headerOf, momentOf } from '../mcp/quotation.ts'

/** A passage as returned by the service. */
export interface ShownPassage {
  readonly text: string
  /** For the tool `open`; absent with other servers. */
  readonly handle?: string
  readonly source: SourceType
  readonly title?: string
  readonly speaker?: string
  readonly when?: string
  readonly url?: string
}

/**
 * The text for the agent: one fence around all passages, cleaned like tool results, each below a line with its source.
 * Leaves out passages that don't fit. Empty if none does.
 *
 * @param introduction text before the fence
 * @param mostTokens estimated limit, including introduction and fence
 */
export function shownContext<Passage extends ShownPassage>(
  passages: readonly Passage[],
  { introduction, fence, mostTokens }: { introduction: string; fence: string; mostTokens: number },
): { readonly context: string; readonly shown: readonly Passage[]; readonly tokens: number } {
  const texts: string[] = []
  const shown: Passage[] = []
  let tokens = SHOWN_FRAME_TOKENS
  for (const passage of passages) {
    const text = passageText(passage)
    const cost = estimateTokens(`${text}\n\n`)
    if (text === '' || tokens + cost > mostTokens) continue
    tokens += cost
    texts.push(text)
    shown.push(passage)
  }
  if (texts.length === 0) return { context: '', shown, tokens: 0 }
  return { context: `${introduction}\n${fenced(texts.join('\n\n'), fence)}`, shown, tokens }
}

function passageText({ text, handle, title, speaker, when, source, url }: ShownPassage): string {
  const clean = belowMark(cleanText(text))
  if (clean === '' || !SOURCE_TYPES.includes(source)) return ''
  const people = speaker === undefined ? [] : [speaker]
  const time = momentOf(when)
  const place = time === null ? source : `${source}, ${time}`
  const header = headerOf({ title, people, when, link: url })
  const mark = handle === undefined ? `[${place}]` : `[${handle}] ${place}`
  return header === '' ? `${mark}\n${clean}` : `${mark}\n${header}\n${clean}`
}
