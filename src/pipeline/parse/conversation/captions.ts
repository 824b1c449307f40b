import type { DocumentMeta } from '../../../domain/document.ts'
import { createTextBuilder } from '../markdown.ts'
import type { Draft, ParseContext } from '../parse-context.ts'
import { untimedHead } from './turn-head.ts'

const CUE =
  /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{3})[ \t]+-->[ \t]+(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{3}(?:[ \t].{0,200})?$/
/** Cues of one speaker are joined to one turn up to this many characters, so that sentences are not cut. */
const TURN_LENGTH = 600

export function isCaptions(text: string): boolean {
  const head = text.slice(0, 2_000)
  if (/^WEBVTT(?:[ \t].{0,200})?(?:\n|$)/.test(head)) return true
  const lines = head.trimStart().split('\n', 3)
  return CUE.test(lines[0] ?? '') || (/^\d{1,6}$/.test(lines[0] ?? '') && CUE.test(lines[1] ?? ''))
}

/** WebVTT and SRT: speakers from voice tags (`<v Anna>`) or `Anna:`; times are relative to the document's `when`. */
export function readCaptions(text: string, meta: DocumentMeta, context: ParseContext): Draft {
  const builder = createTextBuilder(context)
  const zero = meta.when?.precision === 'minute' ? meta.when.start.getTime() : undefined
  let turn: { speaker?: string; at?: Date; words: string[]; length: number } | undefined
  const flush = () => {
    if (!turn) return
    const { speaker, at, words } = turn
    builder.add(context.redact(words.join(' ')), { type: 'turn', ...(speaker && { speaker }), ...(at && { at }) })
    turn = undefined
  }
  for (const cue of readCues(text)) {
    for (const line of cue.lines) {
      const { speaker: named, words } = readCaption(line)
      const speaker: string | undefined = named ?? turn?.speaker
      if (words === '' || turn?.words.at(-1) === words) continue
      if (turn && (speaker !== turn.speaker || turn.length > TURN_LENGTH)) flush()
      turn ??= {
        ...(speaker && { speaker }),
        ...(zero !== undefined && { at: new Date(zero + cue.startMs) }),
        words: [],
        length: 0,
      }
      turn.words.push(words)
      turn.length += words.length
    }
  }
  flush()
  return { kind: 'transcript', ...builder.build(), meta }
}

function* readCues(text: string): Generator<{ startMs: number; lines: string[] }> {
  let cue: { startMs: number; lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const time = line.includes('-->') ? CUE.exec(line.trim()) : null
    if (time) {
      if (cue) yield cue
      const [, hours = '0', minutes, seconds, ms] = time
      cue = { startMs: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(ms), lines: [] }
    } else if (line.trim() === '') {
      if (cue) yield cue
      cue = undefined
    } else cue?.lines.push(line)
  }
  if (cue) yield cue
}

function readCaption(line: string): { speaker?: string; words: string } {
  const voice = /^\s*<v(?:\.[\w.]{1,60})?[ \t]([^<>]{1,80})>/.exec(line)
  const words = line
    .replace(/<[^<>]{0,100}>/g, '')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .trim()
  if (voice) return { speaker: voice[1]!.trim(), words }
  const head = untimedHead(words)
  return head ? { speaker: head.speaker, words: words.slice(head.textAt).trim() } : { words }
}
