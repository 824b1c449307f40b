import type { Manifest } from '../connector/connector.ts'

/** A stored cursor; `undefined` when there is none, or when this version of the connector cannot read it. */
export function readCursor(manifest: Manifest, stored: string | undefined): unknown {
  if (stored === undefined) return undefined
  try {
    return manifest.cursor.safeParse(JSON.parse(stored)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
