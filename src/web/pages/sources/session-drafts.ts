import type { Settings } from './settings-panel.tsx'

/** Form values of a connection being made. */
export interface ConnectingDraft {
  readonly name: string
  readonly settings: Settings
  readonly schedule: string | null
  readonly way: 'token' | 'grant'
  /** The selected or new grant. */
  readonly grantId: string | null
}

const DRAFT_KEY = 'recalld-connecting'

/** Stored in this tab during sign-in at a provider. Never contains secrets. */
export function storeDraft(connector: string, draft: ConnectingDraft): void {
  sessionStorage.setItem(`${DRAFT_KEY}-${connector}`, JSON.stringify(draft))
}

export function storedDraft(connector: string): ConnectingDraft | undefined {
  const stored = sessionStorage.getItem(`${DRAFT_KEY}-${connector}`)
  return stored === null ? undefined : (JSON.parse(stored) as ConnectingDraft)
}

export function dropDraft(connector: string): void {
  sessionStorage.removeItem(`${DRAFT_KEY}-${connector}`)
}

/** Where to continue after signing in at a provider. */
export interface SignInReturn {
  /** Id of the consent. */
  readonly pending: string
  /** Below /app. */
  readonly back: string
  /** Set if a connection being made will use the grant. */
  readonly connector: string | null
}

const RETURN_KEY = 'recalld-signing-in'

/** Stored in this tab while the browser is at the provider. */
export function storeSignInReturn(to: SignInReturn): void {
  sessionStorage.setItem(RETURN_KEY, JSON.stringify(to))
}

export function storedSignInReturn(): SignInReturn | undefined {
  const stored = sessionStorage.getItem(RETURN_KEY)
  return stored === null ? undefined : (JSON.parse(stored) as SignInReturn)
}

export function dropSignInReturn(): void {
  sessionStorage.removeItem(RETURN_KEY)
}
