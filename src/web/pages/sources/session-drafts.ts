import type { Settings } from './settings-panel.tsx'

/** What was typed for a connection that is being made. */
export interface ConnectingDraft {
  readonly name: string
  readonly settings: Settings
  readonly schedule: string | null
  readonly way: 'token' | 'grant'
  /** The grant that was chosen, or was given just now. */
  readonly grantId: string | null
}

const DRAFT_KEY = 'recalld-connecting'

/** Kept by this tab while the person signs in elsewhere; tokens and other secrets are never in it. */
export function keepDraft(connector: string, draft: ConnectingDraft): void {
  sessionStorage.setItem(`${DRAFT_KEY}-${connector}`, JSON.stringify(draft))
}

export function keptDraft(connector: string): ConnectingDraft | undefined {
  const kept = sessionStorage.getItem(`${DRAFT_KEY}-${connector}`)
  return kept === null ? undefined : (JSON.parse(kept) as ConnectingDraft)
}

export function dropDraft(connector: string): void {
  sessionStorage.removeItem(`${DRAFT_KEY}-${connector}`)
}

/** Where the person goes on after signing in at a provider. */
export interface SignInReturn {
  /** Id of the consent that was begun. */
  readonly pending: string
  /** Below /app. */
  readonly back: string
  /** Set when a connection is being made that is to use what was granted. */
  readonly connector: string | null
}

const RETURN_KEY = 'recalld-signing-in'

/** Kept by this tab: the browser leaves the app for the provider. */
export function keepSignInReturn(to: SignInReturn): void {
  sessionStorage.setItem(RETURN_KEY, JSON.stringify(to))
}

export function signInReturn(): SignInReturn | undefined {
  const kept = sessionStorage.getItem(RETURN_KEY)
  return kept === null ? undefined : (JSON.parse(kept) as SignInReturn)
}

export function dropSignInReturn(): void {
  sessionStorage.removeItem(RETURN_KEY)
}
