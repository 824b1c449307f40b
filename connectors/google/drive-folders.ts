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

/** The folders of a run, by which files are located. Each is requested at most once, and most come with a listing. */
export class DriveFolders {
  readonly #api: DriveApi
  readonly #known = new Map<string, DriveFolder | undefined>()
  readonly #drives = new Map<string, DriveFolder>()

  constructor(api: DriveApi, drives: readonly SharedDrive[]) {
    this.#api = api
    for (const { id, name } of drives) {
      // Drive's file API names every shared drive "Drive".
      const top = { id, name, isOwn: false }
      this.#drives.set(id, top)
      this.#known.set(id, top)
    }
  }

  /** Remembers the folders in a listing. */
  learn(files: readonly DriveFile[]): void {
    for (const file of files) {
      if (file.mimeType !== FOLDER || this.#drives.has(file.id)) continue
      this.#known.set(file.id, folderOf(file))
    }
  }

  /**
   * From the outermost to the innermost. Stops where the person has no access; empty for a file in no visible folder,
   * such as many shared files.
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
