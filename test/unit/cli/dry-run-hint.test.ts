import { expect, test } from 'vitest'
import { previewReport, runWithSync, scriptedSync } from '../../lib/scripted-sync.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const COUNTS = { new: 3, changed: 0, unchanged: 0, gone: 0, failed: 0, bytes: 12_345, examples: [], secrets: {} }

test('a dry run says how to leave out partitions, where there are several and a setting for it', async () => {
  const dryRun = async (titles: readonly string[], canExclude: boolean) => {
    const partitions = titles.map((partition) => ({ partition, ...COUNTS }))
    const service = scriptedSync({
      configured: [{ connector: 'github', name: 'me', canExclude }],
      preview: async (target) => previewReport(target, { partitions }),
    })
    return (await runWithSync({ home: temporaryFolder(), service }, 'sync', '--dry-run')).stdout
  }
  const sentence = 'To leave out some of github/me, list them under its exclude in config.yaml'
  expect(await dryRun(['acme/shop', 'acme/archive'], true)).toContain(sentence)
  expect(await dryRun(['acme/shop'], true)).not.toContain('leave out')
  expect(await dryRun(['acme/shop', 'acme/archive'], false)).not.toContain('leave out')
})
