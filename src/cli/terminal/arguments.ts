import { InvalidArgumentError } from 'commander'
import { isSourceType, SOURCE_TYPES, type SourceType } from '../../domain/source-type.ts'
import { closestName } from '../../lib/closest-name.ts'
import { messages } from './messages.ts'

/** Parsers of arguments for commander. Invalid ones end the command with exit code 2. */

export function sourceTypeArgument(value: string): SourceType {
  if (isSourceType(value)) return value
  const meant = closestName(value, SOURCE_TYPES)
  throw new InvalidArgumentError(meant === undefined ? messages.chooseOneOf(SOURCE_TYPES) : messages.didYouMean(meant))
}

/** `all`, `none`, or source types separated by commas. */
export function sourcesArgument(value: string): 'all' | readonly SourceType[] {
  if (value === 'all') return 'all'
  if (value === 'none') return []
  return [...new Set(value.split(',').map((part) => sourceTypeArgument(part.trim())))]
}

export function integerArgument(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new InvalidArgumentError(messages.mustBeWhole(min, max))
    }
    return number
  }
}

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

export function instantArgument(value: string): Date {
  const day = ISO_TIME.exec(value)?.[1]
  const instant = new Date(value)
  // `Date` parses 2026-02-31 as 3 March, and accepts almost anything.
  const isDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  if (!isDay || Number.isNaN(instant.getTime())) {
    throw new InvalidArgumentError(messages.mustBeDate)
  }
  return instant
}

/** A month or a year, or words that begin with a number: `3 days ago`. */
const SPAN = /^(?:(?:19|20)\d{2}(?:-(?:0[1-9]|1[0-2]))?$|\d{1,3}(?:st|nd|rd|th)?\s\p{L})/u

/**
 * A time in the service's format. The service checks words, this checks dates: `last week`, `2026-03`, `2026-03-04`.
 */
export function timeArgument(value: string): string {
  if (/^\d/.test(value) && !SPAN.test(value)) instantArgument(value)
  return value
}
