/** What a host starts: command, args, env, and what else stands in its entry. */
export type Entry = Readonly<Record<string, unknown>>

/** The key of the servers in the file, and the name of one of them. */
export type EntryPath = readonly [container: string, name: string]

/** A file format in which hosts keep their servers; changes one entry and leaves the rest of the text as it is. */
export interface EntryFormat {
  /** Why the text cannot be changed, as `line 3: comma expected`; `undefined` when it can. Never its contents. */
  problem(text: string, container: string): string | undefined
  /** The entry; `undefined` when there is none. For a text without a problem. */
  find(text: string, path: EntryPath): unknown
  /** The text with this entry; `undefined` when it is written in a way that does not allow it without other changes. */
  set(text: string, path: EntryPath, entry: Entry | readonly unknown[]): string | undefined
  /** The text without the entry, and without its container when nothing else is in there; `undefined` as above. */
  remove(text: string, path: EntryPath): string | undefined
  /** A text with nothing but this entry. */
  print(path: EntryPath, entry: Entry): string
}

/** A text as lines of its own kind: those that it has most likely been written with. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What the file is to hold after `set`. */
export function withEntry(content: Entry, [container, name]: EntryPath, entry: Entry | readonly unknown[]): Entry {
  const servers = content[container]
  return { ...content, [container]: { ...(isTable(servers) ? servers : {}), [name]: entry } }
}

/** What the file is to hold after `remove`. */
export function withoutEntry(content: Entry, [container, name]: EntryPath): Entry {
  const { [container]: servers, ...others } = content
  const { [name]: _, ...rest } = isTable(servers) ? servers : {}
  return Object.keys(rest).length === 0 ? others : { ...content, [container]: rest }
}
