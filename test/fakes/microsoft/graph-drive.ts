import { createHash } from 'node:crypto'
import { DeltaLog, type GraphEntity } from './graph-delta.ts'
import { type GraphServer, graphError } from './graph-server.ts'

interface DriveFields {
  readonly name?: string
  /** Names of folders, joined by `/`. */
  readonly folder?: string
  readonly text?: string | Uint8Array
  readonly at?: Date
  readonly extra?: Readonly<Record<string, unknown>>
}

/** A drive of files on a server: what is written, moved and deleted shows in its delta. */
export class GraphDrive {
  readonly id: string
  readonly delta: DeltaLog
  now = new Date('2026-11-20T09:00:00Z')
  /** Pre-signed addresses are refused from now on, or lead nowhere. */
  isSignedExpired = false
  isSignedGone = false
  /** Whether its delta names the path of each item; single items always do. */
  tellsPaths = true
  readonly #server: GraphServer
  readonly #contents = new Map<string, Uint8Array>()
  #last = 0

  constructor(server: GraphServer, { id = 'b!Drive-1', isMine = true } = {}) {
    this.id = id
    this.#server = server
    this.delta = new DeltaLog({
      mostPerPage: 5,
      render: (entity) => this.#inDelta(entity),
      removed: (gone) => ({ id: gone, deleted: { state: 'deleted' }, parentReference: { driveId: id } }),
    })
    this.delta.write({ id: `${id}-root`, name: 'root', root: {}, folder: { childCount: 0 } })
    const base = `/drives/${encodeURIComponent(id)}`
    if (isMine) server.on('/me/drive', () => ({ body: { id, name: 'OneDrive', driveType: 'business' } }))
    server.on(base, () => ({ body: { id, name: 'Documents', driveType: 'documentLibrary' } }))
    server.on(`${base}/root/delta`, (call) => this.delta.answer(call))
    server.on(`${base}/items/{item}`, ({ parts }) => {
      const entity = this.delta.entities.get(parts.item ?? '') ?? this.#folder(parts.item ?? '')
      return entity ? { body: { ...entity, ...this.#signed(entity) } } : graphError(404, 'itemNotFound')
    })
    server.on(`${base}/items/{item}/content`, ({ parts }) => {
      const content = this.#contents.get(parts.item ?? '')
      return content ? { body: content } : graphError(404, 'itemNotFound')
    })
  }

  /** The id of the new file. */
  add({ name = 'note.md', folder = '', text = 'A note.', at = this.now, extra = {} }: DriveFields = {}): string {
    this.#last += 1
    const id = `01ITEM!${this.#last}`
    this.delta.write({
      id,
      name,
      createdDateTime: at.toISOString(),
      webUrl: `https://acme.test/${encodeURIComponent(name)}`,
      createdBy: { user: { displayName: 'Ada Lovelace', email: 'ada@acme.test' } },
      parentReference: { driveId: this.id, path: pathOf(this.id, folder) },
      ...this.#filled(id, text, at),
      ...extra,
    })
    return id
  }

  addFolder(name: string, folder = ''): string {
    this.#last += 1
    const id = `01FOLDER!${this.#last}`
    const parentReference = { driveId: this.id, path: pathOf(this.id, folder) }
    this.delta.write({ id, name, folder: { childCount: 1 }, parentReference })
    return id
  }

  write(id: string, text: string | Uint8Array): void {
    this.delta.edit(id, this.#filled(id, text, this.now))
  }

  /** Changes the eTag and the place, not the content. */
  move(id: string, folder: string): void {
    this.delta.edit(id, {
      parentReference: { driveId: this.id, path: pathOf(this.id, folder) },
      lastModifiedDateTime: this.now.toISOString(),
    })
  }

  remove(id: string): void {
    this.delta.remove(id)
    this.#contents.delete(id)
  }

  /** As companies give it: without a cTag, and now and then without paths. */
  #inDelta({ cTag, parentReference, ...entity }: GraphEntity): Record<string, unknown> {
    const told = { ...entity, ...this.#signed(entity) }
    if (this.tellsPaths || !parentReference) return { ...told, parentReference }
    const [, folder = ''] = String((parentReference as { path?: string }).path).split('root:')
    return { ...told, parentReference: { driveId: this.id, id: `${FOLDER}${decodeURIComponent(folder)}` } }
  }

  /** Every folder that a file was put into, whether it was added or not. */
  #folder(id: string): GraphEntity | undefined {
    if (!id.startsWith(FOLDER)) return undefined
    const names = id.slice(FOLDER.length).split('/').filter(Boolean)
    const name = names.pop()
    if (name === undefined) return { id, name: 'root', root: {}, folder: {} }
    return { id, name, folder: {}, parentReference: { driveId: this.id, path: pathOf(this.id, names.join('/')) } }
  }

  #filled(id: string, text: string | Uint8Array, at: Date) {
    const content = Buffer.from(text)
    this.#contents.set(id, content)
    const hash = createHash('sha256').update(content).digest('base64').slice(0, 28)
    return {
      size: content.byteLength,
      lastModifiedDateTime: at.toISOString(),
      cTag: `"c:{${hash}}"`,
      file: { mimeType: 'application/octet-stream', hashes: { quickXorHash: hash } },
    }
  }

  #signed({ id, file }: GraphEntity): Record<string, string> {
    if (!file) return {}
    const address = this.#server.open(`/signed/${encodeURIComponent(`${this.id}-${id}`)}`, () => {
      const content = this.#contents.get(id)
      if (this.isSignedExpired) return { status: 401 }
      if (this.isSignedGone) return { status: 404 }
      return content === undefined ? { status: 404 } : { body: content }
    })
    return { '@microsoft.graph.downloadUrl': address }
  }
}

/** Begins the ids of folders by which deltas without paths name the place of a file. */
const FOLDER = '01PLACE!'

function pathOf(driveId: string, folder: string): string {
  const below = folder === '' ? '' : `/${folder.split('/').map(encodeURIComponent).join('/')}`
  return `/drives/${driveId}/root:${below}`
}
