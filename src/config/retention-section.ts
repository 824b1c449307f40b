import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import { MOST_RETENTION_DAYS, type RetentionDays } from '../domain/retention.ts'
import { isSourceType, SOURCE_TYPES } from '../domain/source-type.ts'
import { closestName } from '../lib/closest-name.ts'
import type { FileSection } from './file-section.ts'

const DAYS = z.int().min(1).max(MOST_RETENTION_DAYS)
const SECTION = z.record(z.string(), z.unknown())

/**
 * For how many days items are kept, by source type; what is not named is kept for good.
 *
 * @throws AppError `invalid`, naming file, line and setting
 */
export function retentionSection(section: FileSection | undefined): RetentionDays {
  if (section === undefined) return {}
  const parsed = SECTION.safeParse(section.read())
  if (!parsed.success) {
    throw new AppError('invalid', 'retention must be a mapping, as in retention: {slack: 730}', {
      location: section.where([]),
    })
  }
  const entries = Object.entries(parsed.data).filter(([, days]) => days !== null)
  for (const [source, days] of entries) {
    if (!isSourceType(source))
      throw new AppError('invalid', `retention: ${unknown(source)}`, { location: section.where([source]) })
    if (DAYS.safeParse(days).success) continue
    throw new AppError('invalid', `retention: ${source} must be a number of days from 1 to ${MOST_RETENTION_DAYS}`, {
      location: section.where([source]),
    })
  }
  return Object.fromEntries(entries)
}

function unknown(source: string): string {
  const meant = closestName(source, SOURCE_TYPES)
  return `there is no source type ${source}${meant === undefined ? '.' : `; did you mean ${meant}?`} Allowed: ${SOURCE_TYPES.join(', ')}`
}
