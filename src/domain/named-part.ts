/** `/notes-old` is not `/notes`. */
const CONTINUED_NAME = /^[\p{L}\p{N}_-]/u

/** Whether a problem names a part already. Folders have their path from the home folder as a title, and their whole path in errors. */
export function isNamedIn(problem: string, title: string): boolean {
  if (problem.startsWith(title)) return true
  const path = title.slice(1)
  const at = title.startsWith('~/') ? problem.indexOf(path) : -1
  return at >= 0 && !CONTINUED_NAME.test(problem.slice(at + path.length))
}
