/** A login as it is compared: however it was typed, it is the same one. */
export function loginKey(login: string): string {
  return login.normalize('NFKC').trim().toLowerCase()
}
