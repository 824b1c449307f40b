import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { undoResult } from '../../src/domain/change-results.ts'
import { nameDecisionList, nameDecisionResult } from '../../src/domain/name-decision.ts'
import { subjectList, subjectPage } from '../../src/domain/profile.ts'
import { askResult, recallResult } from '../../src/domain/results.ts'
import { runCommand } from '../lib/command-line.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

const chat = (name: string, text: string) => `${name} [2026-03-02 09:00]: ${text}
Ole Lind [2026-03-02 09:02]: Thanks, that helps.
`
const MAIL = `From: Priya Shah <shah@example.com>
To: ole@example.com
Subject: Venue
Date: Tue, 3 Mar 2026 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

The venue for the offsite is the old mill.
`

describe('merging and splitting people over REST', () => {
  let running: RunningService
  let slackKey: string
  beforeAll(async () => {
    running = await startService()
    const upload = (itemId: string, text: string, source: 'slack' | 'email' = 'slack') =>
      running.upload(text, { itemId, source, userName: 'Ole Lind' })
    await upload('full', chat('Priya Raman', "I'll send the budget for the offsite on Friday."))
    await upload('first', chat('Priya', "I'll book the bus to the offsite next week."))
    await upload('nick', chat('praman', "I'll print the badges for the offsite on Monday."))
    await upload('mail', MAIL, 'email')
    slackKey = await running.keyFor(['slack'])
  })
  afterAll(() => running.stop())

  const call = (method: string, path: string, key = running.key) =>
    httpCall(`${running.baseUrl}/v1/memories/${path}`, { method, key })
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    httpCall(`${running.baseUrl}/v1/memories/${path}`, {
      method: 'POST',
      key: running.key,
      form: Object.entries(fields),
    })
  const people = async (key = running.key) => {
    const { subjects } = subjectList.parse((await call('GET', 'people', key)).body)
    return subjects.map(({ name }) => name).sort()
  }
  const person = async (name: string) =>
    subjectPage.parse((await call('GET', `people/${encodeURIComponent(name)}`)).body)
  const recalled = async (person: string) => {
    const { memories } = recallResult.parse((await post('recall', { text: 'offsite', person })).body)
    return [...new Set(memories.map(({ item_id }) => item_id))].sort()
  }
  const merge = (name: string, into: string, key = running.key) =>
    call('PUT', `people/${encodeURIComponent(name)}/merge?into=${encodeURIComponent(into)}`, key)
  const decisions = async (key = running.key) =>
    nameDecisionList.parse((await call('GET', 'name-decisions', key)).body).decisions
  const undo = async (name: string) =>
    undoResult.parse((await call('DELETE', `people/${encodeURIComponent(name)}/decision`)).body).undone

  test('two names are one person in lists, pages, filters and promises, and two again when it is undone', async () => {
    const before = await people()
    expect(before).toEqual(expect.arrayContaining(['Priya', 'Priya Raman', 'Priya Shah']))
    expect(await recalled('Priya Raman')).toEqual(['full'])

    const merged = nameDecisionResult.parse((await merge('priya', 'Priya Raman')).body)
    expect(merged.decision).toMatchObject({ name: 'Priya', merged_into: 'Priya Raman', by: expect.any(String) })
    expect(await people()).toEqual(before.filter((name) => name !== 'Priya'))
    expect(await person('Priya')).toMatchObject({ name: 'Priya Raman', memories: 3, separable: ['Priya', 'praman'] })
    expect(await recalled('Priya Raman')).toEqual(['first', 'full'])
    expect(await recalled('Priya')).toEqual(['first', 'full'])
    const { response } = askResult.parse((await post('ask', { text: 'What did Priya Raman promise me?' })).body)
    expect(response).toMatch(/bus/)
    expect(response).toMatch(/budget/)

    await running.upload(chat('Priya', "I'll also order the cake for the offsite."), {
      itemId: 'first',
      source: 'slack',
      userName: 'Ole Lind',
      onConflict: 'replace',
    })
    expect(await recalled('Priya Raman')).toEqual(['first', 'full'])

    expect(await undo('Priya')).toBe(1)
    expect(await undo('Priya')).toBe(0)
    expect(await people()).toEqual(before)
    expect(await recalled('Priya Raman')).toEqual(['full'])
    expect(await decisions()).toEqual([])
  })

  test('a name that was joined automatically is split off', async () => {
    expect(await person('Priya Raman')).toMatchObject({ aliases: ['praman'], separable: ['praman'] })
    expect((await call('PUT', 'people/praman/split')).status).toBe(200)
    expect(await person('Priya Raman')).toMatchObject({ aliases: [], separable: [] })
    expect(await person('praman')).toMatchObject({ name: 'praman', memories: 1 })
    expect(await decisions()).toMatchObject([{ name: 'praman' }])
    const merged = nameDecisionResult.parse((await merge('praman', 'Priya Shah')).body)
    expect(merged.replaced).toMatchObject({ name: 'praman' })
    expect(await person('praman')).toMatchObject({ name: 'Priya Shah' })
    expect(await undo('praman')).toBe(1)
    expect(await person('praman')).toMatchObject({ name: 'Priya Raman' })
  })

  test('the command line merges, splits, lists and undoes, also as JSON', async () => {
    const env = { RECALLD_URL: running.baseUrl, RECALLD_API_KEY: running.key }
    const person = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runCommand(['person', ...args], env)
      expect([code, stderr]).toEqual([0, ''])
      return stdout
    }
    expect(await person('decisions')).toBe('No names were merged or split.\n')
    expect(await person('merge', 'Priya', 'Priya Raman')).toContain('Merged Priya into Priya Raman.')
    expect(nameDecisionResult.parse(JSON.parse(await person('split', 'praman', '--json')))).toMatchObject({
      decision: { name: 'praman' },
    })
    expect(await person('decisions')).toMatch(/Priya +Priya Raman +Ada Lovelace +\d{4}-\d\d-\d\d/)
    expect(nameDecisionList.parse(JSON.parse(await person('decisions', '--json'))).decisions).toHaveLength(2)
    expect(await person('Priya')).toMatch(/^Priya Raman/)
    expect(await person('undo', 'praman')).toBe('Undone: praman\n')
    expect(await person('undo', 'praman')).toBe('Was neither merged nor split: praman\n')
    expect(undoResult.parse(JSON.parse(await person('undo', 'Priya', '--json'))).undone).toBe(1)
    const unknown = await runCommand(['person', 'merge', 'Nobody', 'Priya'], env)
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Nobody')])
  })

  test('what makes no sense is refused', async () => {
    const refused = async (answer: Promise<{ status: number; text: string }>, status: number, text: string) => {
      const { status: given, text: body } = await answer
      expect([given, body]).toEqual([status, expect.stringContaining(text)])
    }
    await refused(merge('Nobody', 'Priya Raman'), 404, 'No memory mentions a person called Nobody.')
    await refused(merge('Priya Raman', 'Nobody'), 404, 'No memory mentions a person called Nobody.')
    await refused(merge('Priya Raman', 'PRIYA RAMAN'), 400, 'already one person')
    await refused(call('PUT', 'people/Priya%20Raman/split'), 400, 'not joined with another name')
    await refused(call('PUT', 'people/Priya/merge'), 422, 'into')
    await merge('Priya', 'Priya Raman')
    await merge('Priya Raman', 'Priya Shah')
    await refused(merge('Priya Shah', 'Priya'), 400, 'already one person')
    for (const name of ['Priya', 'Priya Raman']) expect(await undo(name)).toBe(1)
  })

  test('a key for some sources decides nothing, and sees only names in its sources', async () => {
    await merge('Priya', 'Priya Raman')
    await merge('praman', 'Priya Shah')
    expect(await decisions(slackKey)).toMatchObject([{ name: 'Priya' }])
    expect(JSON.stringify([await decisions(slackKey), await people(slackKey)])).not.toContain('Shah')
    expect((await merge('Priya', 'praman', slackKey)).status).toBe(403)
    expect((await call('PUT', 'people/praman/split', slackKey)).status).toBe(403)
    expect((await call('DELETE', 'people/Priya/decision', slackKey)).status).toBe(403)
    expect(await decisions()).toHaveLength(2)
    const other = await running.service.accounts.create({ name: 'Elsewhere', userName: 'Else' })
    expect(await decisions(other.key)).toEqual([])
    expect((await call('DELETE', 'people/Priya/decision', other.key)).body).toMatchObject({ undone: 0 })
    expect(await decisions()).toHaveLength(2)
  })
})
