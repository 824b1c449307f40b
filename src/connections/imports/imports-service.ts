import type { SourceMachine } from '../../connector/connector.ts'
import { AppError } from '../../domain/errors.ts'
import { problemSentence } from '../../domain/source-problems.ts'
import type { ImportedFile, ImportRequest } from '../../http/app/schemas/imports.ts'
import type { Viewer } from '../../service/principal.ts'
import { homeOf, type SourcesContext } from '../sources-context.ts'
import type { SourcesService } from '../sources-contract.ts'
import { checkArchive } from './check-archive.ts'
import { importName } from './import-name.ts'

/** Bytes of a piece, which a slow network sends within the time limit of a request. */
const PIECE_BYTES = 4 * 1024 * 1024

type Imports = Pick<SourcesService, 'beginImport' | 'appendImport' | 'completeImport' | 'dropImport'>

/** Exports of apps that people upload (decision 107). */
export function sourceImports(context: SourcesContext): Imports {
  const { imports, settings } = context
  const requireEditable = async (viewer: Viewer) => {
    const home = await homeOf(context, viewer)
    const why = settings.lockedReason()
    if (why !== undefined) throw new AppError('conflict', why)
    return home
  }
  return {
    async beginImport(viewer, { name, bytes }) {
      const { environment } = await requireEditable(viewer)
      importName(name)
      if (bytes === 0) throw new AppError('invalid', problemSentence('import_empty', {}))
      await imports.dropUnused(settings.read().text, environment.clock())
      return { id: await imports.begin(bytes), piece_bytes: PIECE_BYTES }
    },
    async appendImport(viewer, id, { at, body }) {
      await requireEditable(viewer)
      await imports.append(id, at, body)
    },
    async completeImport(viewer, id, request) {
      const { environment } = await requireEditable(viewer)
      try {
        return await importedFile(context, environment.machine, id, request)
      } catch (error) {
        // What cannot be connected is not kept; what is incomplete can be continued.
        const isUseless = !(error instanceof AppError) || error.code === 'invalid'
        if (isUseless && !settings.read().text.includes(id)) await imports.drop(id)
        throw error
      }
    },
    async dropImport(viewer, id) {
      await requireEditable(viewer)
      if (settings.read().text.includes(id)) {
        throw new AppError('conflict', 'A source uses this file. Remove it from its settings.')
      }
      await imports.drop(id)
    },
  }
}

async function importedFile(
  { imports, registry }: SourcesContext,
  machine: SourceMachine,
  id: string,
  { name, bytes }: ImportRequest,
): Promise<ImportedFile> {
  const fileName = importName(name)
  const path = await imports.complete(id, fileName, bytes)
  const { isNested } = fileName.endsWith('.zip') ? await checkArchive(path) : { isNested: false }
  for (const load of Object.values(registry)) {
    const { manifest, importing } = await load()
    if (importing === undefined) continue
    const found = await importing.found(path, machine).catch((cause: unknown) => {
      throw new AppError('invalid', problemSentence('import_damaged', {}), { cause })
    })
    if (found.length === 0) continue
    return { id, path, connector: manifest.id, setting: importing.setting, found: [...found] }
  }
  if (isNested) throw new AppError('invalid', problemSentence('import_nested', {}))
  throw new AppError('invalid', problemSentence(isTakeout(fileName) ? 'import_takeout' : 'import_unknown', {}))
}

/** As Google names them; what is in one is only known once it was read. */
function isTakeout(fileName: string): boolean {
  return /^takeout-.*\.zip$/i.test(fileName)
}
