import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GooglePhotos } from '../fakes/google/google-photos.ts'
import { runCommand, startCommand } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

/** A home whose config.yaml has these connections of photos. */
function homeWith(fake: GooglePhotos, names: readonly string[]) {
  const home = temporaryFolder()
  mkdirSync(home, { recursive: true })
  const entries = names.map(
    (name) => `    - { name: ${name}, token: ${fake.server.token}, api_url: '${fake.server.url}' }`,
  )
  writeFileSync(join(home, 'config.yaml'), `connectors:\n  photos:\n${entries.join('\n')}\n`)
  return { RECALLD_HOME: home }
}

describe('recalld photos pick', () => {
  test('shows where to pick, and the next run takes what was picked', async () => {
    await using fake = await GooglePhotos.open()
    fake.pollInterval = '0.01s'
    fake.add('media1', 'IMG_1.jpg')
    const env = homeWith(fake, ['me'])
    const picked = await runCommand(['photos', 'pick'], env)
    expect(picked.stderr).toContain('https://photos.google.com/picker/session-1')
    expect(picked).toMatchObject({ code: 0, stdout: 'Picked 1 photo. Run "recalld sync photos" to import them now.\n' })
    const { stdout } = await runCommand(['sync', 'photos', '--no-wait', '--json'], env)
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('asks which connection is meant when there are several, and knows when there is none', async () => {
    await using fake = await GooglePhotos.open()
    const several = await runCommand(['photos', 'pick'], homeWith(fake, ['ada', 'bob']))
    expect(several).toMatchObject({ code: 1 })
    expect(several.stderr).toContain('Choose one of: ada, bob')
    const none = await runCommand(['photos', 'pick', '--name', 'carl'], homeWith(fake, ['ada']))
    expect(none.stderr).toContain('Unknown connection photos/carl')
  })

  test('ends the session when it is stopped', async () => {
    await using fake = await GooglePhotos.open()
    fake.pickedAfter = 1_000_000
    const running = startCommand(['photos', 'pick'], homeWith(fake, ['me']))
    await expect.poll(() => fake.sessions.size).toBe(1)
    expect(await running.stop()).toMatchObject({ code: 1, stderr: expect.stringContaining('No photos were picked.') })
    expect(fake.sessions.size).toBe(0)
  })
})
