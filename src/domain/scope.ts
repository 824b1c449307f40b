import { SOURCE_TYPES, type SourceType } from './source-type.ts'

/**
 * What a request may access: one account and, within it, the source types of its key. `'all'` means every source type,
 * including future ones; an empty list means none.
 */
export interface Scope {
  readonly accountId: string
  readonly sources: 'all' | readonly SourceType[]
}

export function scopeAllows(scope: Scope, source: SourceType): boolean {
  return scope.sources === 'all' || scope.sources.includes(source)
}

/** The scope restricted to these sources. */
export function narrowScope(scope: Scope, ...sources: readonly SourceType[]): Scope {
  return { accountId: scope.accountId, sources: sources.filter((source) => scopeAllows(scope, source)) }
}

export function scopeSources(scope: Scope): readonly SourceType[] {
  return scope.sources === 'all' ? SOURCE_TYPES : scope.sources
}
