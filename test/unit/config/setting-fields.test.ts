import { describe, expect, test } from 'vitest'
import { CONNECTORS } from '../../../connectors/index.ts'
import { settingFields } from '../../../src/connections/setting-fields.ts'

async function fieldOf(connector: string, name: string) {
  const load = CONNECTORS[connector]
  if (load === undefined) throw new Error(`no connector ${connector}`)
  const { manifest } = await load()
  return settingFields(manifest).find((field) => field.name === name)
}

describe('the settings of a connector, for a form', () => {
  test('name what a list may hold, where every possible entry is known', async () => {
    expect(await fieldOf('github', 'kinds')).toMatchObject({
      kind: 'list',
      options: ['issues', 'pull_requests', 'discussions', 'releases', 'documents'],
    })
    expect((await fieldOf('email', 'exclude_categories'))?.options).toContain('promotions')
    expect((await fieldOf('calendar', 'event_types'))?.options).toContain('fromGmail')
  })

  test('leave it open what other lists hold', async () => {
    const documents = await fieldOf('github', 'documents')
    expect(documents).toMatchObject({ kind: 'list', default: expect.arrayContaining(['README*']) })
    expect(documents).not.toHaveProperty('options')
  })
})
