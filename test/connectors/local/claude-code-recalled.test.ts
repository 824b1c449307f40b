import { describe, expect, onTestFinished, test } from 'vitest'
import { claudeCode } from '../../../connectors/local/claude-code.ts'
import { agentHome, readAll, textOf } from '../../fakes/local/agent-home.ts'
import { claudeSession } from '../../fakes/local/claude-session.ts'

const SHOP = '.claude/projects/-home-ada-shop'

function fixture() {
  const home = agentHome()
  onTestFinished(() => home.remove())
  return { home, read: () => readAll(claudeCode, {}, { machine: home.machine }) }
}

describe('what was recalled into a session of Claude Code', () => {
  test('is left out where tools of the memory put it out, and else kept in its fence for the service', async () => {
    const { home, read } = fixture()
    const session = claudeSession('s')
    home.write(`${SHOP}/s.jsonl`, [
      session.user('What did we decide? <recalled:abcdefgh>\nfenced prompt\n</recalled:abcdefgh> Tell me.'),
      session.assistant(session.call('t1', 'mcp__recalld__recall', { query: 'the query' })),
      session.result('t1', 'memory without a fence'),
      session.assistant(session.call('t2', 'mcp__memory__ask', {}), session.call('t3', 'Bash', { command: 'recalld' })),
      session.result('t2', 'another memory'),
      session.result(
        't3',
        `before\n<recalled:ijklmnop>\n${'fenced output\n'.repeat(1_000)}</recalled:ijklmnop>\nafter`,
      ),
      session.assistant('We decided on 20.'),
    ])
    const text = await textOf((await read()).items[0])
    for (const recalled of ['memory', 'query']) expect(text).not.toContain(recalled)
    expect(text).toContain('What did we decide? <recalled:abcdefgh>\nfenced prompt\n</recalled:abcdefgh> Tell me.')
    const [, output = ''] = text.split('### Tool: Bash').slice(1)
    // Shortened in the middle of the fence, whose ends are both there.
    expect(output).toMatch(
      /^\n\nbefore\n<recalled:ijklmnop>\n(?:fenced output\n)+<\/recalled:ijklmnop>\n\[\.\.\.\]\n<recalled:ijklmnop>\n(?:fenced output\n)+<\/recalled:ijklmnop>\nafter\n/,
    )
    expect(text).toContain('We decided on 20.')
  })

  test('does not name it', async () => {
    const { home, read } = fixture()
    const session = claudeSession('s')
    home.write(`${SHOP}/s.jsonl`, [
      session.user(`<recalled:abcdefgh>\n${'told before '.repeat(20)}\n</recalled:abcdefgh>`),
      session.user('<recalled:abcdefgh> told </recalled:abcdefgh> Is that so?'),
      session.assistant('Yes.'),
    ])
    expect((await read()).items).toMatchObject([{ title: 'Is that so?' }])
  })
})
