import { formatAmount } from '../../ui/formats.ts'
import { messages } from './messages.ts'

/**
 * The amount that somebody typed, with a point or a comma.
 * @returns null: empty; undefined: no amount
 */
export function dollarsIn(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  // In English, “1,000” means a thousand and not one.
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(typed) && !typed.includes(formatAmount(0.5).charAt(1))) return undefined
  return /^\d+(?:[.,]\d+)?$/.test(typed) ? Number(typed.replace(',', '.')) : undefined
}

/** What is wrong with a typed amount. */
export function numberProblem(text: string): string | undefined {
  return dollarsIn(text) === undefined ? messages.noAmount : undefined
}

/** An amount as it is shown for editing. */
export function shownNumber(value: number | null | undefined): string {
  return value == null ? '' : formatAmount(value)
}
