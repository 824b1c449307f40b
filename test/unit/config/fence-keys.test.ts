import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fenceKeys } from '../../../src/boot/fence-keys.ts'
import { secretKey } from '../../../src/connections/oauth/secret-key.ts'
import { fenceKey } from '../../../src/domain/recalled-fence.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

test('fences are known by the secret key of the home, as soon as it has one', () => {
  const home = temporaryFolder()
  const file = join(home, 'secret.key')
  const { log, lines } = recordingLog()
  const keys = fenceKeys({ home, secretKeyFile: undefined }, log)
  expect(keys.of('ada')).toBeUndefined()
  secretKey({ file, isMade: true }, log).forSealing()
  expect(keys.of('ada')).toEqual(fenceKey(readFileSync(file), 'ada'))
  expect(keys.of('ada')).not.toEqual(keys.of('grace'))
  expect(lines).toEqual([])
})

test('a damaged key fails nothing, and is named once', () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'secret.key'), 'short', { mode: 0o600 })
  const { log, lines } = recordingLog()
  const keys = fenceKeys({ home, secretKeyFile: undefined }, log)
  expect([keys.of('ada'), keys.of('ada')]).toEqual([undefined, undefined])
  expect(lines).toHaveLength(1)
})
