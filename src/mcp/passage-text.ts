import { fenced } from '../domain/recalled-fence.ts'
import { cutAtBoundary } from './clean-text.ts'
import type { Found, OwnerNote } from './found-passages.ts'
import { factsOf, momentOf, namedSource } from './quotation.ts'

export const DETAILS = ['brief', 'normal', 'full'] as const
export type Detail = (typeof DETAILS)[number]

/** An item with the passages shown, in text order. */
export interface ShownItem extends Pick<Found, 'source' | 'itemId' | 'provenance'> {
  readonly passages: readonly ShownPassage[]
}

export interface ShownPassage extends Pick<Found, 'handle' | 'place' | 'provenance' | 'text' | 'isMemory' | 'items'> {
  /** Handle of the replacement; empty if it is not among the results. */
  readonly replacedBy?: string
  readonly notes?: readonly OwnerNote[]
}

/** A line that looks like the header of a passage or citation: `[r12.7]` in any kind of brackets. */
const OPEN = '[[［【〔⟦(（{〈《<‹]'
const MARK = new RegExp(
  String.raw`^([^\S\n]{0,8}(?:[>*_#-]{1,3}[^\S\n]{0,2}){0,3})(?=(?:${OPEN}\d{1,3}[^\s\d]\s{0,2})?(?:${OPEN}\s{0,2}[rRｒＲгГʀᴦ]\s{0,2}\p{N}|\[[\w-]{1,30}\/))`,
  'gmu',
)

/** Stored text below one of our headers, changed so that none of its lines looks like a header. */
export function belowMark(text: string): string {
  return text.replace(MARK, '$1› ')
}

/** `[r12.7] slack, 4 March 2026, 10:12 | Title | People`, then the text. Each further passage has its own header. */
export function itemText(item: ShownItem, detail: Detail): string {
  const [first] = item.passages
  if (first === undefined) return ''
  const whole = item.passages.map(({ text }) => text).join('\n')
  return item.passages
    .flatMap((passage, at) => {
      const head = at === 0 ? headOf(item, passage, whole, detail) : laterHead(passage, first)
      return [
        `[${passage.handle}]${head}${outdated(passage)}\n${belowMark(passage.text)}`,
        ...noteTexts(passage, detail),
      ]
    })
    .join('\n')
}

/** The newest of a passage. */
export const MOST_NOTES = 3
/** Characters of a note; the rest is in its own item. */
const MOST_NOTE: Readonly<Record<Detail, number>> = { brief: 120, normal: 400, full: 4_000 }

/** Below a header of ours, which no stored text can imitate (`belowMark`). */
export function noteTexts({ handle, notes = [] }: Pick<ShownPassage, 'handle' | 'notes'>, detail: Detail): string[] {
  return notes.map(({ text, by, day }) => {
    return `[${handle}] the user's note (${by}, ${day})\n${belowMark(cutAtBoundary(text, MOST_NOTE[detail]))}`
  })
}

/** All items in one fence. */
export function itemsText(items: readonly ShownItem[], detail: Detail, fence: string): string {
  return items.length === 0 ? '' : fenced(items.map((item) => itemText(item, detail)).join('\n\n'), fence)
}

function headOf({ source, itemId }: ShownItem, { provenance }: ShownPassage, whole: string, detail: Detail): string {
  const moment = momentOf(provenance.when)
  const named = namedSource(source, provenance.connector)
  const origin = moment === null ? named : `${named}, ${moment}`
  const facts = factsOf(provenance, { whole, isFull: detail === 'full' })
  const shown = detail === 'brief' ? facts.slice(0, 1) : facts
  return ` ${[origin, ...shown, ...(detail === 'full' ? [`item ${itemId}`] : [])].join(' | ')}`
}

function laterHead({ provenance }: ShownPassage, first: ShownPassage): string {
  const moment = momentOf(provenance.when)
  const known = momentOf(first.provenance.when)
  if (moment === null || moment === known) return ''
  const day = known?.split(', ')[0]
  return ` ${day !== undefined && moment.startsWith(`${day}, `) ? moment.slice(day.length + 2) : moment}`
}

function outdated({ replacedBy }: ShownPassage): string {
  if (replacedBy === undefined) return ''
  return replacedBy === '' ? ' (outdated)' : ` (outdated, now ${replacedBy})`
}
