import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dropUnusedImports } from '../../../src/connections/imports/drop-unused.ts'
import { ImportFiles } from '../../../src/connections/imports/import-files.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { until } from '../../lib/until.ts'

function uploads() {
  const home = temporaryFolder()
  const folder = join(home, 'imports')
  const imports = new ImportFiles({ home, imports: folder }, 1_000)
  const upload = async (hoursAgo: number) => {
    const id = await imports.begin(10)
    const at = new Date(Date.now() - hoursAgo * 60 * 60_000)
    utimesSync(join(folder, id), at, at)
    return id
  }
  const left = () => readdirSync(folder).toSorted()
  const look = (config: () => string) => {
    const stack = new AsyncDisposableStack()
    onTestFinished(() => stack.disposeAsync())
    dropUnusedImports({ imports, config, log: recordingLog().log, everyMs: 5 }, stack)
  }
  return { upload, left, look }
}

test('an upload that nobody connects is deleted after a day, without a restart or another upload', async () => {
  const { upload, left, look } = uploads()
  const [named, fresh] = [await upload(48), await upload(23)]
  let looks = 0
  look(() => {
    looks += 1
    return `paths: [${named}/chats.zip]`
  })
  await until(async () => looks > 1)
  const unused = await upload(25)
  await until(async () => !left().includes(unused))
  expect(left()).toEqual([named, fresh].toSorted())
})

test('an upload that config.yaml names stays while an editor writes the file', async () => {
  const { upload, left, look } = uploads()
  const named = await upload(48)
  let looks = 0
  look(() => {
    looks += 1
    return looks % 2 === 0 ? '' : `paths: [${named}/chats.zip]`
  })
  await until(async () => looks > 5)
  expect(left()).toEqual([named])
})
