import type { DriveFile, SharedDrive } from './drive-answers.ts'
import type { DriveApi } from './drive-api.ts'
import { FOLDER } from './drive-types.ts'

export interface DriveFolder {
  readonly id: string
  readonly name: string
  readonly isOwn: boolean
  readonly parent?: string | undefined
}

/** Drive allows 100 levels, so deeper paths are loops. */
const MOST_LEVELS = 100

/** The folders of a run: where files lie. Each is asked for once, and most come with a listing. */
export class DriveFolders {
  readonly #api: DriveApi
  readonly #known = new Map<string, DriveFolder | undefined>()
  readonly #drives = new Map<string, DriveFolder>()

  constructor(api: DriveApi, drives: readonly SharedDrive[]) {
    this.#api = api
    for (const { id, name } of drives) {
      // Asked for as a file, every shared drive is called "Drive".
      const top = { id, name, isOwn: false }
      this.#drives.set(id, top)
      this.#known.set(id, top)
    }
  }

  /** Remembers the folders among files, as they are now. */
  learn(files: readonly DriveFile[]): void {
    for (const file of files) {
      if (file.mimeType !== FOLDER || this.#drives.has(file.id)) continue
      this.#known.set(file.id, folderOf(file))
    }
  }

  /**
   * From the widest to the nearest. Ends where the person may not look further; empty for a file that lies in no folder
   * that the person can see, as many that were shared.
   */
  async path({ parents, driveId }: Pick<DriveFile, 'parents' | 'driveId'>): Promise<DriveFolder[]> {
    const path: DriveFolder[] = []
    const seen = new Set<string>()
    for (let id = parents?.[0]; id !== undefined && !seen.has(id) && seen.size < MOST_LEVELS; ) {
      seen.add(id)
      const folder = await this.#folder(id)
      if (folder === undefined) break
      path.unshift(folder)
      id = folder.parent
    }
    const drive = driveId === undefined ? undefined : this.#drives.get(driveId)
    return drive === undefined || path[0] === drive ? path : [drive, ...path]
  }

  async #folder(id: string): Promise<DriveFolder | undefined> {
    if (this.#known.has(id)) return this.#known.get(id)
    const file = await this.#api.visibleFile(id)
    const folder = file && folderOf(file)
    this.#known.set(id, folder)
    return folder
  }
}

function folderOf({ id, name, parents, ownedByMe }: DriveFile): DriveFolder {
  return { id, name, isOwn: ownedByMe === true, parent: parents?.[0] }
}
