/** The entry of a server: command, args, env, and other fields. */
export type Entry = Readonly<Record<string, unknown>>

/** The key of the servers in the file, and the name of one of them. */
export type EntryPath = readonly [container: string, name: string]

/** The file format of a host's servers; changes one entry and leaves the rest of the text unchanged. */
export interface EntryFormat {
  /** Why the text cannot be changed, as `line 3: comma expected`; `undefined` when it can. Never quotes it. */
  problem(text: string, container: string): string | undefined
  /** The entry; `undefined` when there is none. Call it only for a valid text. */
  find(text: string, path: EntryPath): unknown
  /** The text with this entry; `undefined` when it cannot be added without other changes. */
  set(text: string, path: EntryPath, entry: Entry | readonly unknown[]): string | undefined
  /** The text without the entry, and without its container if that is then empty; `undefined` as above. */
  remove(text: string, path: EntryPath): string | undefined
  /** A text with only this entry. */
  print(path: EntryPath, entry: Entry): string
}

/** The lines of a text with its own kind of line end. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The expected content after `set`. */
export function withEntry(content: Entry, [container, name]: EntryPath, entry: Entry | readonly unknown[]): Entry {
  const servers = content[container]
  return { ...content, [container]: { ...(isTable(servers) ? servers : {}), [name]: entry } }
}

/** The expected content after `remove`. */
export function withoutEntry(content: Entry, [container, name]: EntryPath): Entry {
  const { [container]: servers, ...others } = content
  const { [name]: _, ...rest } = isTable(servers) ? servers : {}
  return Object.keys(rest).length === 0 ? others : { ...content, [container]: rest }
}
