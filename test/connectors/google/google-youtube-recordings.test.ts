import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { youtube } from '../../../connectors/google/youtube.ts'
import { GoogleServer, googleError } from '../../fakes/google/google-server.ts'
import { connectorWalk, textOf } from '../../lib/connector-walk.ts'

const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/recordings/youtube')
const isAbsent = !existsSync(FOLDER)
if (isAbsent) console.warn('The recordings of YouTube are not here: their tests are skipped.')

const answer = z.looseObject({ response: z.looseObject({}) })
const recording = z.looseObject({
  api: z.looseObject({ get: z.record(z.string(), z.union([answer, z.array(answer)])).optional() }),
})

/** The first recorded answer of each path; a second page was never recorded. */
function recorded(): Map<string, object> {
  const answers = new Map<string, object>()
  for (const name of readdirSync(FOLDER)) {
    const { get = {} } = recording.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))).api
    for (const [path, found] of Object.entries(get)) {
      const { nextPageToken: _, ...response } = { nextPageToken: '', ...[found].flat()[0]?.response }
      if (!answers.has(path)) answers.set(path, response)
    }
  }
  return answers
}

describe.skipIf(isAbsent)('recorded answers of YouTube', () => {
  test('give the playlist and the videos that they hold, without those that are private', async () => {
    await using server = await GoogleServer.start()
    for (const [path, body] of recorded()) server.route('GET', path, () => ({ body }))
    server.route('GET', '/youtube/v3/subscriptions', () => ({ body: { items: [] } }))
    // Nobody recorded videos: what the playlist tells of them stands for them.
    server.route('GET', '/youtube/v3/videos', () => googleError(404, 'notFound'))
    const told = await connectorWalk(youtube, { name: 'recorded', token: server.token, api_url: server.url })
    const items = [...told.items.values()]
    expect(items.map(({ itemId }) => itemId)).toContain('yt:v:GvgqDSnpRQM')
    expect(items.map(({ itemId }) => itemId)).not.toContain('yt:v:fIc_VEQ7Vo0')
    const playlist = items.find(({ title }) => title === 'YouTube playlist Uploads from YouTube')
    expect(await textOf(playlist)).toContain('Andrew Willis, Skatepark Engineer by Google Search Stories')
    expect(told.failed).toEqual([])
  })
})
