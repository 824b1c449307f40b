import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import { isSourceType, SOURCE_TYPES, type SourceType } from '../domain/source-type.ts'
import { closestName } from '../lib/closest-name.ts'
import { cleanLine } from './clean-text.ts'

/** Text with commas, as not every host can send a list; the JSON of a list is read as well. */
export const sourcesArgument = z
  .string()
  .max(1_000)
  .optional()
  .describe(`Only these sources, with commas: any of ${SOURCE_TYPES.join(', ')}.`)

/** @throws AppError `invalid` that names the source there is not */
export function sourcesOf(given: string | undefined): readonly SourceType[] {
  const names = (given ?? '').split(/[\s,[\]"']+/).filter((name) => name !== '')
  return [...new Set(names.map((name) => name.toLowerCase()))].map((name) => {
    if (isSourceType(name)) return name
    const meant = closestName(name, SOURCE_TYPES)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw new AppError(
      'invalid',
      `There is no source ${cleanLine(name, 40)}.${hint} There are: ${SOURCE_TYPES.join(', ')}.`,
    )
  })
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i

export const timeArgument = (description: string) => z.string().max(40).optional().describe(description)

/** Without an offset, a time is UTC, as a date is. @throws AppError `invalid` that names the argument */
export function timeOf(given: string | undefined, name: string): Date | undefined {
  if (given === undefined || given.trim() === '') return undefined
  const [, day, clock = '00:00', offset = 'Z'] = ISO.exec(given.trim()) ?? []
  const midnight = new Date(`${day}T00:00Z`)
  const time = new Date(`${day}T${clock}${offset.toUpperCase()}`)
  // 30 February is taken for 2 March.
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${day}T`)
  if (isDay && !Number.isNaN(time.getTime())) return time
  throw new AppError('invalid', `${name} must be a date such as 2026-03-04, or a time such as 2026-03-04T10:00:00Z.`)
}
