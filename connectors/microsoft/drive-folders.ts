import { z } from 'zod'
import { decodedPart } from './graph-address.ts'
import type { GraphGateway } from './graph-gateway.ts'

/** The parent reference of an item. */
const placed = z.looseObject({
  name: z.string().nullish(),
  root: z.looseObject({}).nullish(),
  parentReference: z.looseObject({ id: z.string().nullish(), path: z.string().nullish() }).nullish(),
})

type Placed = z.infer<typeof placed>

/** Names of the folders above a drive's items, because a delta may omit their path. */
export interface DriveFolders {
  /** Folders that were already reported need no request. */
  learn(items: readonly (Placed & { readonly id: string; readonly folder?: unknown })[]): void
  /** Outermost first; `undefined` when one of them was deleted meanwhile. */
  above(item: Placed): Promise<readonly string[] | undefined>
}

/** No drive has deeper folders: paths have at most 400 characters. */
const DEEPEST = 400
const SELECT = 'id,name,root,parentReference'

/** Caches names during one scan only, because folders can be renamed. */
export function driveFolders(driveId: string, gateway: GraphGateway): DriveFolders {
  const known = new Map<string, Placed>()

  async function folder(id: string): Promise<Placed | undefined> {
    const path = `/drives/${encodeURIComponent(driveId)}/items/${encodeURIComponent(id)}`
    const found = known.get(id) ?? (await gateway.find(placed, path, { query: { $select: SELECT } }))
    if (found !== undefined) known.set(id, found)
    return found
  }

  return {
    learn(items) {
      for (const { id, name, root, parentReference, folder } of items) {
        if (folder) known.set(id, { name, root, parentReference })
      }
    },
    async above(item) {
      const names: string[] = []
      for (let at = item; names.length < DEEPEST; ) {
        const known = folderNames(at)
        if (known !== undefined) return [...known, ...names]
        const id = at.parentReference?.id
        if (!id) break
        const next = await folder(id)
        if (next === undefined) return undefined
        if (next.root) break
        names.unshift(next.name ?? '')
        at = next
      }
      return names
    },
  }
}

/** The folders named in the item itself. */
export function folderNames({ parentReference }: Pick<Placed, 'parentReference'>): string[] | undefined {
  const below = /(?:^|\/)root:\/?(.*)$/.exec(parentReference?.path ?? '')?.[1]
  return below?.split('/').filter(Boolean).map(decodedPart)
}
