/** As a person types it for a POSIX shell: in quotes where it would not mean itself. */
export function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
