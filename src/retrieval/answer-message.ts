import { randomBytes } from 'node:crypto'
import { fenced } from '../domain/recalled-fence.ts'
import type { NumberedPassage } from './answer-passages.ts'

/** 80 bits: nobody who wrote a passage can know them. */
const MARKER_BYTES = 10

/**
 * What a language model is asked: the question, when and where it is asked, and passages, each in a fence that no passage
 * can close, because its marker is drawn for this message.
 *
 * @param timeZone IANA name; all times are written in it
 */
export function answerMessage(
  { text, now, timeZone }: { readonly text: string; readonly now: Date; readonly timeZone: string },
  passages: readonly NumberedPassage[],
): string {
  const marker = randomBytes(MARKER_BYTES).toString('hex')
  const question = { question: text, asked_at: momentText(now, timeZone), time_zone: timeZone }
  return [
    JSON.stringify(question),
    `The marker is ${marker}.`,
    ...passages.map((passage) => fenced(passageText(passage, timeZone), marker)),
  ].join('\n')
}

function passageText(
  { n, row, passage, provenance, title, narrative, replacedBy }: NumberedPassage,
  timeZone: string,
): string {
  const { title: heading = title, participants: [speaker] = [], when } = provenance
  const at = row.at === undefined ? when : momentText(new Date(row.at), timeZone)
  const head = {
    n,
    source: row.sourceType,
    ...(heading !== undefined && { title: heading }),
    ...(speaker !== undefined && { who: speaker }),
    ...(at !== undefined && { at }),
    ...(narrative !== undefined && { memory: narrative }),
    ...(replacedBy !== undefined && { replaced_by: replacedBy }),
  }
  return `${JSON.stringify(head)}\n${passage.text}`
}

/** `Wednesday, 4 March 2026 at 10:12` */
function momentText(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(instant)
}
