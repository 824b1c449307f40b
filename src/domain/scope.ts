import { SOURCE_TYPES, type SourceType } from './source-type.ts'

/**
 * What a request may see: one account and, within it, the source types of its key.
 * `'all'` means every source type, those added in the future too; an empty list means none.
 */
export interface Scope {
  readonly accountId: string
  readonly sources: 'all' | readonly SourceType[]
}

export function scopeAllows(scope: Scope, source: SourceType): boolean {
  return scope.sources === 'all' || scope.sources.includes(source)
}

/** The scope cut down to one source; empty when the scope does not include it. */
export function narrowScope(scope: Scope, source: SourceType): Scope {
  return { accountId: scope.accountId, sources: scopeAllows(scope, source) ? [source] : [] }
}

export function scopeSources(scope: Scope): readonly SourceType[] {
  return scope.sources === 'all' ? SOURCE_TYPES : scope.sources
}
