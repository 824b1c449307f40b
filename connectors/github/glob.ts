/** Path patterns: `*` and `?` match parts of a name, even one that starts with a dot; `**` matches any folders. */
export interface Glob {
  matches(path: string): boolean
  /** Whether anything below this folder could match. */
  mayMatchIn(folder: string): boolean
}

/** Case-insensitive, so that `README.md` also matches `Readme.md`. */
export function glob(patterns: readonly string[]): Glob {
  const whole = patterns.map((pattern) => expression(pattern))
  const segments = patterns.map((pattern) => pattern.split('/'))
  return {
    matches: (path) => whole.some((regex) => regex.test(path)),
    mayMatchIn: (folder) => segments.some((pattern) => reaches(pattern, folder.split('/'))),
  }
}

function reaches(pattern: readonly string[], folder: readonly string[]): boolean {
  const wild = pattern.indexOf('**')
  if (wild < 0 && pattern.length <= folder.length) return false
  const compared = folder.slice(0, wild < 0 ? folder.length : wild)
  return compared.every((name, at) => expression(pattern[at] ?? '').test(name))
}

function expression(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (wild) =>
      wild === '**/' ? '(?:.*/)?' : wild === '**' ? '.*' : wild === '*' ? '[^/]*' : '[^/]',
    )
  return new RegExp(`^${source}$`, 'i')
}
