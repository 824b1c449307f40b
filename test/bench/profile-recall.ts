import { mkdtemp, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSmallAccount } from './small-account.ts'

/** `npm run bench -- --profile` writes processor profiles of this process: recalling, and memorizing. */
const MEMORIES = 10_000
const ASKED = 1_000
const ADDED = 800
const WARM_UP = 200

const account = await openSmallAccount(MEMORIES)
const folder = await mkdtemp(join(tmpdir(), 'recalld-profiles-'))
const session = new Session()
session.connect()
await session.post('Profiler.enable')
for (let number = 0; number < WARM_UP; number++) await account.recall(number)
await profile('recall', async () => {
  for (let number = 0; number < ASKED; number++) await account.recall(WARM_UP + number)
})
await profile('memorize', () => account.memorize(ADDED))
session.disconnect()
await account.close()

async function profile(name: string, work: () => Promise<void>): Promise<void> {
  await session.post('Profiler.start')
  await work()
  const { profile: recorded } = await session.post('Profiler.stop')
  const file = join(folder, `${name}.cpuprofile`)
  await writeFile(file, JSON.stringify(recorded))
  process.stdout.write(`${file}: open it in Chrome's DevTools, or in Visual Studio Code\n`)
}
