import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Principal } from '../../../src/service/principal.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

/** In one memory only, and in no question. */
const SECRET = 'pelican'
const MAIL = `From: Priya Raman <priya@example.com>
To: ann@example.com
Subject: Garden
Date: Tue, 3 Mar 2026 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

I promise to hide the spare key under the pelican statue in the garden.
`

let running: RunningService
let principal: Principal
let handle: string
beforeAll(async () => {
  running = await startService()
  await running.upload(MAIL, { itemId: 'garden', source: 'email' })
  await running.upload('The garden gate is painted blue.', { itemId: 'gate' })
  principal = await running.service.authenticate(running.key)
  const { memories } = await running.service.recall(principal, { text: 'Where is the spare key?' })
  handle = memories.find(({ item_id }) => item_id === 'garden')?.handle ?? ''
})
afterAll(() => running.stop())

const memory = { customId: 'garden_memory_0', sourceType: 'email' } as const
const text = 'Where is the spare key in the garden?'
/** Everything that shows memories to agents, or to people anywhere but on the page of the item. */
const READS: Readonly<Record<string, () => Promise<unknown>>> = {
  recall: () => running.service.recall(principal, { text }),
  'recall of a past day': () => running.service.recall(principal, { text, asOf: '2027-01-01' }),
  'recall of a time': () => running.service.recall(principal, { text: 'What happened on 3 March 2026?' }),
  ask: () => running.service.ask(principal, { text }),
  'ask about a time': () => running.service.ask(principal, { text: 'What happened on 3 March 2026?' }),
  recent: () => running.service.recent(principal, {}),
  open: () => running.service.open(principal, { handle }).catch(() => 'not found'),
  'open by item': () => running.service.open(principal, { handle: 'email/garden' }).catch(() => 'not found'),
  suggest: () => running.service.suggest(principal, { text, earlier: 0, seen: [] }),
  brief: () => running.service.brief(principal, { folders: ['garden'] }),
  'recall in the app': () => running.service.explore.recall(principal, { text }),
  'ask in the app': () => running.service.explore.ask(principal, { text }),
  days: () => running.service.days.list(principal, { from: '2026-03-03', to: '2026-03-03' }),
  anniversaries: () => running.service.days.anniversaries(principal, '2027-03-03'),
  profile: () => running.service.profile.profile(principal),
  person: () => running.service.profile.subject(principal, { kind: 'person', name: 'Priya Raman' }).catch(() => 'none'),
}
const readsWith = async (word: string) => {
  const found: string[] = []
  for (const [name, read] of Object.entries(READS)) {
    if (JSON.stringify(await read()).includes(word)) found.push(name)
  }
  return found
}

test('a hidden memory is in no answer, survives the processing of its item, and comes back when it is shown', async () => {
  const before = await readsWith(SECRET)
  expect(before).toEqual(expect.arrayContaining(['recall', 'ask', 'recent', 'open', 'days', 'person']))
  await running.service.edits.mark(principal, 'hide', memory)
  expect(await readsWith(SECRET)).toEqual([])
  await running.upload(MAIL.replace('in the garden.', 'in the garden. '), {
    itemId: 'garden',
    source: 'email',
    onConflict: 'replace',
  })
  expect(await readsWith(SECRET)).toEqual([])
  expect(new TextDecoder().decode((await running.service.download(principal, { itemId: 'garden' })).body)).toContain(
    SECRET,
  )
  expect(await running.service.edits.unmark(principal, 'hide', memory)).toEqual({ status: 'success', undone: 1 })
  expect(await running.service.edits.unmark(principal, 'hide', memory)).toEqual({ status: 'success', undone: 0 })
  expect((await readsWith(SECRET)).filter((name) => name !== 'open')).toEqual(before.filter((name) => name !== 'open'))
})
