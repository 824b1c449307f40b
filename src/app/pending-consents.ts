import { randomUUID } from 'node:crypto'
import type { Viewer } from '../app-api/viewer.ts'
import { AppError } from '../domain/errors.ts'
import type { GrantView } from '../oauth/grant-desk.ts'

/** A consent that somebody began and nobody has finished. */
export interface PendingConsent {
  readonly id: string
  /** Only this person may finish it, and see how it stands. */
  readonly personId: string
  readonly accountId: string
  readonly provider: string
  readonly family: string
  readonly connectors: readonly string[]
  readonly name: string
  readonly url: string
  readonly code: string | null
  readonly redirect: 'automatic' | 'paste' | null
  readonly redirectUrl: string | null
  readonly expiresAt: Date
  /** That the provider hands back; absent for a code that is typed. */
  readonly state: string | undefined
  /** Redeems what came back; absent for a code that is typed. */
  readonly complete: ((address: string, signal: AbortSignal) => Promise<GrantView>) | undefined
  /** Aborted when it is given up. */
  readonly ending: AbortController
  /** While what came back is redeemed: a code is good for one use, and browsers ask twice at times. */
  completing: Promise<void> | undefined
  outcome: { readonly grant: GrantView } | { readonly problem: string } | undefined
}

/** Consents, in the memory of this process: a restart of it ends them, and they are begun anew. */
export interface PendingConsents {
  add(consent: Omit<PendingConsent, 'id' | 'completing' | 'outcome' | 'expiresAt'>): PendingConsent
  /** @throws AppError `not_found`, also when somebody else began it */
  find(viewer: Viewer, id: string): PendingConsent
  /** By the `state` in an address. @throws AppError `invalid` when it answers nothing that this person began */
  answeredBy(viewer: Viewer, address: string): PendingConsent
  giveUp(viewer: Viewer, id: string): void
}

/** A person looks for a password or a second factor in it. */
export const CONSENT_PATIENCE_MS = 15 * 60_000
/** Of one person at a time; the oldest is given up for a further one. */
const MOST_OF_ONE = 20

export function pendingConsents(clock: () => Date): PendingConsents {
  const all = new Map<string, PendingConsent>()
  const drop = (consent: PendingConsent) => {
    consent.ending.abort()
    all.delete(consent.id)
  }
  const ofViewer = ({ personId, principal }: Viewer) => {
    for (const consent of all.values()) if (consent.expiresAt <= clock()) drop(consent)
    return [...all.values()].filter((one) => one.personId === personId && one.accountId === principal.accountId)
  }
  const find: PendingConsents['find'] = (viewer, id) => {
    const found = ofViewer(viewer).find((one) => one.id === id)
    if (found !== undefined) return found
    throw new AppError('not_found', 'This was not begun by you, or too long ago: begin anew.')
  }
  return {
    add(consent) {
      const expiresAt = new Date(clock().getTime() + CONSENT_PATIENCE_MS)
      const fresh = { id: randomUUID(), completing: undefined, outcome: undefined, expiresAt }
      const added: PendingConsent = { ...consent, ...fresh }
      const mine = [...all.values()].filter(({ personId }) => personId === consent.personId)
      for (const oldest of mine.slice(0, Math.max(0, mine.length - MOST_OF_ONE + 1))) drop(oldest)
      all.set(added.id, added)
      return added
    },
    find,
    answeredBy(viewer, address) {
      const state = URL.parse(address.trim())?.searchParams.get('state') ?? undefined
      const found = ofViewer(viewer).find((one) => one.complete !== undefined && one.state === state)
      if (found !== undefined) return found
      throw new AppError(
        'invalid',
        'This address answers nothing that you began here. Begin anew, and use the whole address that the browser ends at.',
        { field: 'address' },
      )
    },
    giveUp: (viewer, id) => drop(find(viewer, id)),
  }
}
