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

/** The scope cut down to these sources; without those that it does not include. */
export function narrowScope(scope: Scope, ...sources: readonly SourceType[]): Scope {
  return { accountId: scope.accountId, sources: sources.filter((source) => scopeAllows(scope, source)) }
}

export function scopeSources(scope: Scope): readonly SourceType[] {
  return scope.sources === 'all' ? SOURCE_TYPES : scope.sources
}
