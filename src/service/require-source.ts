import { AppError } from '../domain/errors.ts'
import { type Scope, scopeAllows } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'

/**
 * Specification 5.6.
 *
 * @throws AppError `forbidden`, worded alike whether or not anything exists in that source
 */
export function requireSource(scope: Scope, source: SourceType, field = 'source_type'): void {
  if (scopeAllows(scope, source)) return
  throw new AppError('forbidden', `This key has no access to the source ${source}; use a key that includes it`, {
    field,
  })
}
