import { analyze, hashTerm } from '../../lib/analyze.ts'
import { splitClosing } from '../../lib/mail-closing.ts'
import type { QueryTerm } from '../question/query-terms.ts'

/** A stored text prepared for an answer. */
export interface QuoteText {
  /** On one line, without Markdown and code; empty for a text of only code. */
  readonly words: string
  /** The code with line breaks, without fences; empty if there is none. */
  readonly code: string
}

const MOST_WORDS = 420
const MOST_CODE = 400
const MENTION = /<@[A-Z0-9]{3,20}>:?\s*/g
const FENCE = /^[ \t]*(```|~~~)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm
const LIST_MARK = /^\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)/
/** An item of a list or a row of a table. */
const IS_ENTRY = new RegExp(`${LIST_MARK.source}|^\\s*\\|`)
/** `[words](address)`; the citation has the address. */
const LINK = /(?<!!)\[([^\]\n]{1,300})\]\(https?:[^\s)]{1,2000}\)/g
const TABLE_RULE = /^[\s|:=_-]+$/
/** Lines up to this length were broken by their writer, not wrapped by a program. */
const SHORT_LINE = 60

/**
 * The whole text or, if it is long, the sentences around the one with most of the question.
 *
 * @param isTurn lines with `>` quote somebody else and are removed if there are others
 */
export function quoteText(text: string, terms: readonly QueryTerm[], isTurn: boolean): QuoteText {
  const code: string[] = []
  const prose = askedRows(isTurn ? ownLines(text) : text, terms).replace(FENCE, (_, _fence: string, inside: string) => {
    if (isReadable(inside)) code.push(inside.trimEnd())
    return '[…]\n'
  })
  const words = joinedLines(prose)
  return {
    words: /[\p{L}\p{N}]/u.test(words.replaceAll('[…]', '')) ? excerpt(words, terms) : '',
    code: clipLines(code.join('\n')),
  }
}

const MOST_ROWS = 3

/** Tables, with the names of their columns above a rule. */
const TABLE = /^[^\S\n]*\|[^\n]*\n[^\S\n]*\|[|:=_ \t-]+\n(?:[^\S\n]*\|[^\n]*(?:\n|$))+/gm

/** The rows of each long table that have most of the question, below the names of its columns. */
function askedRows(text: string, terms: readonly QueryTerm[]): string {
  return text.replace(TABLE, (table) => {
    const [names = '', rule = '', ...rows] = table.trimEnd().split('\n')
    if (rows.length <= MOST_ROWS) return table
    const weights = rows.map((row) => matchedWeight(row, terms))
    const isAsked = Math.max(...weights) > 0
    const asked = [...rows.keys()].filter((i) => !isAsked || weights[i]! > 0)
    const shown = new Set(asked.toSorted((a, b) => weights[b]! - weights[a]! || a - b).slice(0, MOST_ROWS))
    const cut = rows.flatMap((row, i) => (shown.has(i) ? [row] : i > 0 && !shown.has(i - 1) ? [] : ['| … |']))
    return `${[names, rule, ...cut].join('\n')}\n`
  })
}

const GREETING = /^\s*(?:hello|hi|hey|dear|good (?:morning|evening|afternoon))\b[^,!.?\n]{0,40}[,!]\s+(?=\S)/i
/** A name of a few words, optionally after a closing. */
const SIGNATURE =
  /\n\s*(?:(?:kind |best |warm )?(?:regards|wishes)|best|cheers|thanks|yours(?: sincerely)?|sincerely|love)?,?\s*\n?\s*\p{Lu}[^\n.!?]{1,40}$/iu

/**
 * A mail without its greeting and signature.
 * @param writer who wrote it, to recognize the name below
 */
export function mailWords(text: string, writer?: string): string {
  const words = splitClosing(text, writer).words.replace(GREETING, '').replace(SIGNATURE, '').trim()
  return words === '' ? text : words
}

/** A calendar event without field names: `Yoga; Monday, 7 September 2026; Studio Lotus, with Ida`. */
export function eventWords(text: string): string {
  return text.replace(/^(?:What|When|Due|Where): /gm, '').replace(/\n+With: /g, ', with ')
}

/** The writer's own words, without quoted lines and mentions. */
export function ownWords(text: string, isTurn: boolean): string {
  return (isTurn ? ownLines(text) : text).replace(MENTION, '').replaceAll('“', '"').replaceAll('”', '"')
}

function ownLines(text: string): string {
  const own = text.replace(/^[ \t]{0,3}>.*$/gm, '').trim()
  return own === '' ? text : own
}

/** Joins lines of prose; separates list items and other short lines with semicolons. */
function joinedLines(prose: string): string {
  let joined = ''
  let before = ''
  for (const raw of prose.split('\n')) {
    const isItem = IS_ENTRY.test(raw)
    const line = raw
      .replace(LIST_MARK, '')
      .replace(/^\s*(?:#{1,6}|>+)\s+/, '')
      .replace(/^\s*\|\s*|\s*\|\s*$/g, '')
      .replace(/(\*\*|__)(?=\S)(.{1,300}?)\1/g, '$2')
      .replace(LINK, '$1')
      .trim()
    if (line === '' || TABLE_RULE.test(line)) continue
    const isApart = isItem || IS_ENTRY.test(before) || isShortEnd(before, line)
    joined += joined === '' ? line : `${isApart && !/[.!?…:;,。！？：；，\]]$/.test(joined) ? ';' : ''} ${line}`
    before = raw
  }
  return joined
    .replace(MENTION, '')
    .replace(/^\[…\]\s*/, '')
    .replace(/\s+/g, ' ')
    .replaceAll('“', '"')
    .replaceAll('”', '"')
}

function isShortEnd(before: string, line: string): boolean {
  return /^\p{Lu}\p{L}*: /u.test(line) || (before.length < SHORT_LINE && !/^\p{Ll}/u.test(line))
}

function excerpt(words: string, terms: readonly QueryTerm[]): string {
  if (words.length <= MOST_WORDS) return words
  const sentences = words.match(
    /[^.!?。！？]+(?:[.!?。！？]+(?=\s|$)["')\]]*\s*|[。！？]|[.!?]+(?=\S))|[^.!?。！？]+$/gu,
  ) ?? [words]
  const parts = joinUnfinished(sentences)
  const scores = parts.map((part) => matchedWeight(part, terms))
  let from = scores.indexOf(Math.max(...scores))
  let to = from + 1
  let length = parts[from]!.length
  // The next sentence explains it more often than the previous one.
  for (let grows = true; grows; ) {
    grows = false
    if (to < parts.length && length + parts[to]!.length <= MOST_WORDS) {
      length += parts[to++]!.length
      grows = true
    }
    if (from > 0 && length + parts[from - 1]!.length <= MOST_WORDS) {
      length += parts[--from]!.length
      grows = true
    }
  }
  const chosen = clipWords(parts.slice(from, to).join('').trim())
  const cut = `${from > 0 ? '… ' : ''}${chosen}${to < parts.length && !chosen.endsWith('…') ? ' …' : ''}`
  return cut.replace(/…(?:[\s;]*…)+/g, '…')
}

/** `3.5`, `e.g` and `config.yaml` don't end a sentence. */
function joinUnfinished(sentences: readonly string[]): string[] {
  const joined: string[] = []
  for (const sentence of sentences) {
    const last = joined.at(-1)
    if (last !== undefined && /[.!?]$/.test(last)) joined[joined.length - 1] = last + sentence
    else joined.push(sentence)
  }
  return joined
}

/** Weight of the question's terms in a text, each counted once. */
export function matchedWeight(text: string, terms: readonly QueryTerm[]): number {
  const held = new Set(analyze(text).map(hashTerm))
  return terms.reduce((sum, { hash, weight }) => sum + (held.has(hash) ? weight : 0), 0)
}

/** Box drawings make no sense in an answer. */
function isReadable(code: string): boolean {
  const letters = code.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return letters >= code.replace(/\s/g, '').length * 0.5
}

/** Cuts a text that is too long for a quote at a word, with an ellipsis. */
export function clipWords(words: string): string {
  if (words.length <= MOST_WORDS) return words
  const cut = words.slice(0, MOST_WORDS)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MOST_WORDS / 2)).toWellFormed()} …`
}

function clipLines(code: string): string {
  if (code.length <= MOST_CODE) return code
  const cut = code.slice(0, MOST_CODE)
  return `${cut.slice(0, Math.max(cut.lastIndexOf('\n'), MOST_CODE / 2)).toWellFormed()}\n…`
}
