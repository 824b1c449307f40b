/** Where the person goes on after signing in at a provider. */
export interface SignInReturn {
  /** Id of the consent that was begun. */
  readonly pending: string
  /** Below /app. */
  readonly back: string
  /** Set when a connection is being made that is to use what was granted. */
  readonly connector: string | null
}

const KEY = 'recalld-signing-in'

/** Kept by this tab: the browser leaves the app for the provider. */
export function keepSignInReturn(to: SignInReturn): void {
  sessionStorage.setItem(KEY, JSON.stringify(to))
}

export function signInReturn(): SignInReturn | undefined {
  const kept = sessionStorage.getItem(KEY)
  return kept === null ? undefined : (JSON.parse(kept) as SignInReturn)
}

export function dropSignInReturn(): void {
  sessionStorage.removeItem(KEY)
}
