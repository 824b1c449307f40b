/** What people enter for a connection: a token, or the password of an account. */
export type SecretKind = 'token' | 'password'

/** Tokens go into headers as they are; passwords may have spaces and letters of any language. */
export function isSecretOf(kind: SecretKind, text: string): boolean {
  return kind === 'password' ? /^\P{Cc}+$/u.test(text) : /^[\x21-\x7e]+$/.test(text)
}
