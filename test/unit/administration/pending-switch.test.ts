import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pendingSwitch } from '../../../src/administration/embedding-model-jobs.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const SWITCH = { name: 'openai:small', space_id: 'openai-small-8' }

test('a switch is pending until it is cleared', () => {
  const pending = pendingSwitch(join(temporaryFolder(), 'switch.json'))
  expect(pending.read()).toBeUndefined()
  pending.write(SWITCH)
  expect(pending.read()).toEqual(SWITCH)
  pending.clear()
  expect(pending.read()).toBeUndefined()
})

test.each(['', '{"name": "openai', '{"name": 3}'])('a damaged file of one counts as none: %j', (content) => {
  const file = join(temporaryFolder(), 'switch.json')
  writeFileSync(file, content)
  expect(pendingSwitch(file).read()).toBeUndefined()
})
