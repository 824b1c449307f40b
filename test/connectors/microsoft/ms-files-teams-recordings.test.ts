import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { driveItemAnswer } from '../../../connectors/microsoft/drive-item.ts'
import { messageAnswer } from '../../../connectors/microsoft/teams-message.ts'

const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/recordings')
const isThere = existsSync(FOLDER)

interface Recording {
  readonly api: { readonly get?: Readonly<Record<string, unknown>> }
}

/** Every entry of every collection that was recorded at a path that fits. */
function recorded(folders: readonly string[], path: RegExp): unknown[] {
  const files = folders.flatMap((folder) => globSync(`${FOLDER}/${folder}/*.test.json`))
  return files.flatMap((file) => {
    const { api } = JSON.parse(readFileSync(file, 'utf8')) as Recording
    return Object.entries(api.get ?? {}).flatMap(([at, answers]) => {
      if (!path.test(at)) return []
      return [answers]
        .flat()
        .flatMap((answer) => (answer as { response?: { value?: unknown[] } }).response?.value ?? [])
    })
  })
}

test.skipIf(!isThere)('every recorded file and folder of OneDrive and SharePoint is understood', () => {
  const entries = recorded(['one-drive', 'one-drive-personal', 'sharepoint-online'], /delta$|children$/)
  expect(entries.length).toBeGreaterThan(5)
  for (const entry of entries) expect(driveItemAnswer.safeParse(entry).error).toBeUndefined()
})

test.skipIf(!isThere)('every recorded message of Teams is understood', () => {
  const entries = recorded(['microsoft-teams'], /messages(\/delta)?$/)
  expect(entries.length).toBeGreaterThan(5)
  for (const entry of entries) expect(messageAnswer.safeParse(entry).error).toBeUndefined()
})
