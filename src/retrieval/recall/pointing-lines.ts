import type { ChunkRow } from '../../store/search/search.ts'

/** `[ws-docs]: https://ws.example`; no footnote, which may state something. */
const LINK_DEFINITION = /^[ \t]{0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]+(?:https?:|[<#]|\.{0,2}\/)\S*.*$/
/** A line of a table of contents: `- [Limits](#limits)` */
const LINK_IN_PAGE = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[[^\]\n]{1,200}\]\(#[^)\s]*\)[ \t]*$/
/** `[src](https://code.example/a.ts#L8)`; an item of a list may be an answer. */
const LABELED_LINK = /^[ \t]{0,3}\[[^\]\s]{1,20}\]\([^)\s]{1,2000}\)[ \t]*$/
/** In front of a paragraph. */
const BREAK = /^\s*(?:#.*)?$/

/** The text of a passage; of documentation without the lines that only say where something else is: definitions of links, tables of contents, and links of one word. */
export function statedText({ kind, sourceType }: Pick<ChunkRow, 'kind' | 'sourceType'>, text: string): string {
  return kind === 'prose' && sourceType === 'technical_docs' ? withoutPointingLines(text) : text
}

function withoutPointingLines(text: string): string {
  if (!text.includes('](') && !text.includes(']:')) return text
  const lines = text.split('\n')
  const isPointing = (line: string, i: number) =>
    LINK_DEFINITION.test(line) || LINK_IN_PAGE.test(line) || (LABELED_LINK.test(line) && BREAK.test(lines[i - 1] ?? ''))
  return lines.filter((line, i) => !isPointing(line, i)).join('\n')
}
