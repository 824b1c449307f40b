import { describe, expect, onTestFinished, test } from 'vitest'
import { claudeCode } from '../../../connectors/local/claude-code.ts'
import { agentHome, type Reading, readAll, segmentOf } from '../../fakes/local/agent-home.ts'
import { claudeSession } from '../../fakes/local/claude-session.ts'

const SHOP = '.claude/projects/-home-ada-shop'

describe('a sub-agent of Claude Code', () => {
  test('is an item of its own that names its parent, without words of the person', async () => {
    const { home, read } = fixture()
    const fields = { isSidechain: true, sessionId: 's' }
    const side = claudeSession('side')
    const older = claudeSession('older')
    const task = side.user('Find the leak in the pool', fields)
    home.write(`${SHOP}/s.jsonl`, claudeSession('s').exchanges(1, 1))
    home.write(`${SHOP}/s/subagents/agent-1.jsonl`, [task, { ...side.assistant('It is in checkout.ts'), ...fields }])
    home.write(`${SHOP}/agent-22.jsonl`, [
      older.user('Find the leak in the queue', fields),
      { ...older.assistant('There is none'), ...fields },
    ])
    const before = await read()
    expect(before.items.map(segmentOf).sort()).toEqual(['agent-22:s=0001', 's:s=0001', 's_agent-1:s=0001'])
    const items = before.items.filter((item) => segmentOf(item).includes('agent'))
    for (const item of items) {
      expect(item).toMatchObject({ title: expect.stringMatching(/^Sub-agent: Find the leak/), parents: ['Session s'] })
    }
    expect(items.find((item) => segmentOf(item).startsWith('s_'))?.body).toBe(
      '### Tool: Sub-agent task\n\nFind the leak in the pool\n\n## Assistant (2026-03-04T09:02:00.000Z)\n\nIt is in checkout.ts\n',
    )
    home.append(`${SHOP}/s/subagents/agent-1.jsonl`, [{ ...side.assistant('And in cart.ts'), ...fields }])
    expect((await read({}, before)).items).toMatchObject([{ parents: ['Session s'] }])
  })

  test.each([
    ['with', ['s', 's/subagents/agent-1']],
    ['before', ['s/subagents/agent-1', 's']],
    ['after', ['s', undefined, 's/subagents/agent-1']],
  ])('is whole when its lines are in the session too, and it is seen %s it', async (_, order) => {
    const { home, read } = fixture()
    const fields = { isSidechain: true, sessionId: 's' }
    const side = claudeSession('side')
    const aside = [side.user('Find the leak', fields), { ...side.assistant('It is in checkout.ts'), ...fields }]
    const session = [...claudeSession('s').exchanges(1, 1), ...aside]
    let before: Awaited<ReturnType<typeof read>> | undefined
    const bodies = new Map<string, unknown>()
    const readAll = async () => {
      before = await read({}, before)
      for (const item of before.items) bodies.set(segmentOf(item), item.body)
    }
    for (const name of order) {
      if (name === undefined) await readAll()
      else home.write(`${SHOP}/${name}.jsonl`, name === 's' ? session : aside)
    }
    await readAll()
    expect([...bodies.keys()].sort()).toEqual(['s:s=0001', 's_agent-1:s=0001'])
    expect(bodies.get('s_agent-1:s=0001')).toContain('It is in checkout.ts')
    expect(bodies.get('s:s=0001')).not.toContain('checkout.ts')
  })
})

function fixture() {
  const home = agentHome()
  onTestFinished(home.remove)
  return {
    home,
    read: (config: Record<string, unknown> = {}, earlier?: Reading) => readAll(claudeCode, config, home, earlier),
  }
}
