import type { Settings } from './settings-form.tsx'

/** What was typed for a connection that is being made. */
export interface ConnectingDraft {
  readonly name: string
  readonly settings: Settings
  readonly schedule: string | null
  readonly way: 'token' | 'grant'
  /** The grant that was chosen, or was given just now. */
  readonly grantId: string | null
}

const KEY = 'recalld-connecting'

/** Kept by this tab while the person signs in elsewhere; tokens and other secrets are never in it. */
export function keepDraft(connector: string, draft: ConnectingDraft): void {
  sessionStorage.setItem(`${KEY}-${connector}`, JSON.stringify(draft))
}

export function keptDraft(connector: string): ConnectingDraft | undefined {
  const kept = sessionStorage.getItem(`${KEY}-${connector}`)
  return kept === null ? undefined : (JSON.parse(kept) as ConnectingDraft)
}

export function dropDraft(connector: string): void {
  sessionStorage.removeItem(`${KEY}-${connector}`)
}
