import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { absent } from './agent-folders.ts'
import { parsedJson } from './tool-calls.ts'

/** Where VS Code, or an editor based on it, stores data of a project. */
export interface WorkspaceFolder {
  /** Folder name: a hash. */
  readonly hash: string
  readonly path: string
  /** The project, if known. */
  readonly project: string | undefined
}

const workspace = z.looseObject({ folder: z.string().optional(), workspace: z.string().optional() })

/** Every folder of `workspaceStorage`. @param user the folder `User` of the editor */
export async function workspaceFolders(user: string): Promise<WorkspaceFolder[]> {
  const storage = join(user, 'workspaceStorage')
  const entries =
    (await readdir(storage, { withFileTypes: true }).catch((cause: unknown) => absent(storage, cause))) ?? []
  const folders: WorkspaceFolder[] = []
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const path = join(storage, name)
    const file = join(path, 'workspace.json')
    const source = await readFile(file, 'utf8').catch((cause: unknown) => absent(file, cause))
    const parsed = workspace.safeParse(parsedJson(source ?? ''))
    const uri = parsed.success ? (parsed.data.folder ?? parsed.data.workspace) : undefined
    folders.push({ hash: name, path, project: uri === undefined ? undefined : pathOfUri(uri) })
  }
  return folders.sort((a, b) => (a.hash < b.hash ? -1 : 1))
}

/** `file:///c%3A/Users/ada` is `c:/Users/ada`. For a remote URI, the path on that machine. */
function pathOfUri(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined
  const { pathname } = new URL(uri)
  try {
    return decodeURIComponent(pathname).replace(/^\/(?=[A-Za-z]:)/, '')
  } catch (error) {
    if (error instanceof URIError) return pathname
    throw error
  }
}
