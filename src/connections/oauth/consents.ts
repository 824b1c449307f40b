import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ConsentRow, ConsentStore } from '../../store/grants/grants.ts'
import { decryptText, encryptText } from './credential-cipher.ts'
import type { SecretKey } from './secret-key.ts'

const factsOf = z.object({
  provider: z.string(),
  family: z.string(),
  connectors: z.array(z.string()),
  name: z.string(),
  url: z.string(),
  /** To be entered at the provider. */
  code: z.string().nullable(),
  redirect: z.enum(['automatic', 'paste']).nullable(),
  redirectUrl: z.string().nullable(),
})
const outcomeOf = z.union([
  z.object({ grant: z.string(), notes: z.array(z.string()) }),
  z.object({ problem: z.string() }),
])

/** The display data of a consent. */
export type ConsentFacts = z.infer<typeof factsOf>
/** The id of the resulting grant, or why there is none. */
export type ConsentOutcome = z.infer<typeof outcomeOf>

/** A consent in progress. */
export interface Consent extends ConsentFacts {
  readonly id: string
  /** Only this person may finish it and see its state. */
  readonly personId: string
  /** `undefined`: pending. */
  readonly outcome: ConsentOutcome | undefined
  readonly expiresAt: Date
}

export interface NewConsent {
  readonly personId: string
  readonly facts: ConsentFacts
  /** Absent for a device code: the process that showed it polls the provider. */
  readonly answer?: {
    /** Returned by the provider. */
    readonly state: string
    /** `StartedGrant.begun`. */
    readonly begun: string
  }
}

/** Consents of one memory, which any process of the service can finish; a process with another secret key sees none. */
export interface Consents {
  /** At most 20 are pending per memory; a further one replaces the oldest. */
  add(consent: NewConsent): Promise<Consent>
  find(id: string): Promise<Consent | undefined>
  answeredBy(state: string): Promise<Consent | undefined>
  /** Takes `begun` for redeeming a response: a code can be used once, and browsers sometimes send it twice. */
  take(id: string): Promise<string | undefined>
  /** Returns a taken consent: the provider has not received the code. */
  giveBack(id: string, begun: string, outcome?: ConsentOutcome): Promise<void>
  /** `false`: it was canceled meanwhile. */
  end(id: string, outcome: ConsentOutcome): Promise<boolean>
  giveUp(id: string): Promise<void>
}

/** Time for a person to find a password or a second factor. */
const LIFE_MS = 10 * 60_000
const MOST = 20

/** @param memoryId encrypted data of one memory cannot be decrypted for another */
export function createConsents(store: ConsentStore, key: SecretKey, memoryId: string): Consents {
  const boundTo = (what: 'facts' | 'begun', id: string) => ['consent', what, memoryId, id]
  const seal = (what: 'facts' | 'begun', id: string, text: string) =>
    encryptText(key.forSealing(), text, boundTo(what, id))
  const opened = (what: 'facts' | 'begun', id: string, sealed: Uint8Array): string | undefined => {
    const opening = key.forOpening()
    if (opening === undefined) return undefined
    try {
      return decryptText(opening, sealed, boundTo(what, id))
    } catch {
      // Encrypted with another key: the person has to start again.
      return undefined
    }
  }
  const toConsent = (row: ConsentRow | undefined): Consent | undefined => {
    const facts = row && opened('facts', row.id, row.facts)
    if (row === undefined || facts === undefined) return undefined
    const { id, personId, outcome, expiresAt } = row
    const told = outcome === undefined ? undefined : outcomeOf.parse(JSON.parse(outcome))
    return { ...factsOf.parse(JSON.parse(facts)), id, personId, outcome: told, expiresAt }
  }
  return {
    async add({ personId, facts, answer }) {
      const id = randomUUID()
      const row = {
        ...{ id, personId, lifeMs: LIFE_MS },
        facts: seal('facts', id, JSON.stringify(facts)),
        ...(answer && { stateHash: hashOf(answer.state), secrets: seal('begun', id, answer.begun) }),
      }
      await store.add(row, MOST)
      const added = toConsent(await store.find(id))
      if (added === undefined) throw new Error('A consent was gone as soon as it was stored')
      return added
    },
    find: async (id) => toConsent(await store.find(id)),
    answeredBy: async (state) => toConsent(await store.answeredBy(hashOf(state))),
    async take(id) {
      const sealed = await store.take(id)
      return sealed && opened('begun', id, sealed)
    },
    async giveBack(id, begun, outcome) {
      const told = outcome && { outcome: JSON.stringify(outcome) }
      await store.settle(id, { secrets: seal('begun', id, begun), ...told })
    },
    end: (id, outcome) => store.settle(id, { outcome: JSON.stringify(outcome) }),
    giveUp: (id) => store.remove(id),
  }
}

function hashOf(state: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(state).digest())
}
