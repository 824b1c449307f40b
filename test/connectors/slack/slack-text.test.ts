import { describe, expect, test } from 'vitest'
import { renderDocument } from '../../../src/connector/document.ts'
import type { Said } from '../../fakes/slack/fake-slack.ts'
import { ADA, bodyOf, dayId, SlackSimulation, threadId } from '../../fakes/slack/slack-simulation.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

const DAY = dayId('2026-10-31')

/** The words of a message as they are memorized. */
async function told(text: string, said: Partial<Said> = {}): Promise<string> {
  await using simulation = await SlackSimulation.open()
  simulation.fake.addChannel('C0SHOP', 'shop')
  simulation.post(text, 1, said)
  const body = await bodyOf((await simulation.run()).items.get(DAY))
  return body.replace(/^.*? \[2026-10-31 12:00 UTC\]: ?/, '')
}

describe('the words of a Slack message', () => {
  test.each([
    ['people', 'Ask <@U0BOB> or <@U0NOBODY|carl>', 'Ask @Bob Stone or @carl'],
    ['channels', 'See <#C0SHOP>, <#C0SHOP|> and <#C0ELSE|else>', 'See #shop, #shop and #else'],
    ['everybody', '<!here> <!channel> <!subteam^S012|@design> <!subteam^S013>', '@here @channel @design @S013'],
    ['dates', 'Due <!date^1392734382^{date}|18 February 2014>', 'Due 18 February 2014'],
    ['addresses', '<https://acme.test/a?b=1&amp;c=2>', 'https://acme.test/a?b=1&c=2'],
    ['links with words', '<https://acme.test/a|the plan>', 'the plan (https://acme.test/a)'],
    ['typed addresses', '<http://acme.test|acme.test> <mailto:a@b.test|a@b.test>', 'http://acme.test a@b.test'],
    ['entities', 'a &lt;b&gt; &amp;amp; c', 'a <b> &amp; c'],
    ['code', 'Run ```npm ci\nnpm test``` now', 'Run\n```\nnpm ci\nnpm test\n```\nnow'],
  ])('names %s', async (_, text, expected) => {
    expect(await told(text)).toBe(expected)
  })

  test('names groups of people as Slack shows them, and by their ids to a token that may not ask', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.fake.groups.set('S01', 'designers')
    const group = { type: 'usergroup', usergroup_id: 'S01' }
    const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [group] }] }]
    simulation.post('Ask <!subteam^S01> or <!subteam^S02>', 1)
    simulation.post('', 1, { extra: { blocks } })
    expect(await bodyOf((await simulation.run()).items.get(DAY))).toMatch(/: Ask @designers or @S02.*: @designers$/s)
    expect(simulation.server.log.filter(({ method }) => method === 'usergroups.list')).toHaveLength(1)
    const scopes = ['channels:read', 'channels:history', 'groups:read', 'groups:history', 'users:read']
    await using limited = await SlackSimulation.open({ scopes })
    limited.post('Ask <!subteam^S01>', 1)
    const { items, failed } = await limited.run()
    expect(await bodyOf(items.get(DAY))).toMatch(/: Ask @S01$/)
    expect(failed).toEqual([])
  })

  test('has the emoji that Slack tells, and the names of those of the workspace', async () => {
    const elements = [
      { type: 'emoji', name: 'tada', unicode: '1f389' },
      { type: 'emoji', name: '+1', unicode: '1f44d-1f3fb' },
      { type: 'emoji', name: 'shipit' },
    ]
    const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }]
    expect(await told('Done :tada: :+1::skin-tone-2: :shipit:', { extra: { blocks } })).toBe('Done 🎉 👍🏻 :shipit:')
  })

  test('are in the blocks when there is no text', async () => {
    const elements = [
      { type: 'text', text: 'See ' },
      { type: 'user', user_id: 'U0BOB' },
      { type: 'link', url: 'https://acme.test', text: 'this' },
    ]
    const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }]
    expect(await told('', { extra: { blocks } })).toBe('See @Bob Stonethis (https://acme.test)')
  })

  test('are in rich text with lists, code, quotes, groups, dates and teams, whose characters stay plain', async () => {
    const words = (text: string, style = {}) => ({ type: 'text', text, style })
    const item = (text: string) => ({ type: 'rich_text_section', elements: [words(text)] })
    const elements = [
      { type: 'rich_text_section', elements: [words('Plan for '), { type: 'usergroup', usergroup_id: 'S01' }] },
      { type: 'rich_text_list', style: 'ordered', offset: 2, elements: [item('freeze'), item('deploy')] },
      { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [item('check <b> & </b>')] },
      { type: 'rich_text_preformatted', elements: [words('npm ci\nnpm test')] },
      { type: 'rich_text_quote', elements: [words('never\non Friday')] },
      {
        type: 'rich_text_section',
        elements: [
          words('npm', { code: true }),
          words(' by '),
          { type: 'date', timestamp: 1_772_611_200, format: '{date}', fallback: 'March 4' },
          { type: 'broadcast', range: 'here' },
          { type: 'team', team_id: 'T1' },
          { type: 'newest_kind', fallback: '(a new kind)' },
        ],
      },
    ]
    const blocks = [{ type: 'rich_text', elements }]
    const expected = `Plan for @S01
3. freeze
4. deploy
  • check <b> & </b>

\`\`\`
npm ci
npm test
\`\`\`

> never
> on Friday
\`npm\` by March 4@here@T1(a new kind)`
    expect(await told("This content can't be displayed.", { extra: { blocks } })).toBe(expected)
    expect(await told('New plan', { extra: { blocks, bot_id: 'B1' } })).toBe(`New plan\n${expected}`)
  })

  test('are in the cells of a table', async () => {
    const cell = (text: string) => ({ type: 'raw_text', text })
    const rich = {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '9|5' }] }],
    }
    const blocks = [
      {
        type: 'table',
        rows: [
          [cell('Service'), cell('Errors')],
          [cell('api'), rich],
        ],
      },
    ]
    expect(await told('Report', { extra: { blocks } })).toBe(
      'Report\n| Service | Errors |\n| --- | --- |\n| api | 9\\|5 |',
    )
  })

  test('are those of snippets, mails and clips, with the titles of files', async () => {
    const files = [
      { mode: 'hosted', name: 'q3.pdf', title: 'Numbers of the third quarter' },
      { mode: 'hosted', name: 'release_plan.md', title: 'release plan' },
      { mode: 'snippet', name: 'fix.sql', title: 'fix.sql', preview: 'select 1 < 2' },
      {
        mode: 'email',
        name: 'mail',
        title: 'Offer',
        from: [{ original: 'Priya <priya@acme.test>' }],
        plain_text: 'We offer 20.',
      },
      { mode: 'hosted', name: 'clip.mp4', transcription: { status: 'complete', preview: { content: 'So, hello.' } } },
    ]
    expect(await told('', { extra: { files } })).toBe(
      `[file: Numbers of the third quarter (q3.pdf)]
[file: release_plan.md]
[file: fix.sql]

\`\`\`
select 1 < 2
\`\`\`

[file: Offer (mail)]
From: Priya <priya@acme.test>
We offer 20.
[file: clip.mp4]
So, hello.`,
    )
  })

  test('are those of the blocks, attachments and files of an app too', async () => {
    const extra = {
      bot_id: 'B1',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Build 7' } },
        { type: 'section', text: { type: 'mrkdwn', text: '*failed*' }, fields: [{ type: 'mrkdwn', text: 'main' }] },
        { type: 'divider' },
        {
          type: 'context',
          elements: [
            { type: 'mrkdwn', text: 'by <@U0ADA>' },
            { type: 'image', alt_text: 'x' },
          ],
        },
      ],
      attachments: [
        { title: 'Log', text: 'exit 1', fields: [{ title: 'Node', value: '24' }], fallback: 'not shown' },
        { fallback: 'only this' },
      ],
      files: [{ name: 'log.txt' }, { name: 'gone.txt', mode: 'tombstone' }],
    }
    expect(await told('Build 7', { extra })).toBe(
      'Build 7\n*failed*\nmain\nby @Ada Lovelace\nLog\nexit 1\nNode: 24\nonly this\n[file: log.txt]',
    )
  })

  test('survive fields that are not as documented', async () => {
    const extra = { blocks: 'none', attachments: [null, 7], files: {}, edited: 'yesterday', reply_count: 'many' }
    expect(await told('Still here', { extra })).toBe('Still here')
  })
})

describe('a Slack conversation as a document', () => {
  async function parsedItem(said: readonly Partial<Said>[], timeZone = 'America/New_York') {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Root', 1)
    for (const { text = '', ...others } of said) simulation.reply(root, text, 1, others)
    const item = (await simulation.run()).items.get(threadId(root))
    if (item === undefined) throw new Error('There is no thread')
    const { bytes, fileName, contentType } = renderDocument(item, await bodyOf(item))
    return parsed(bytes, { fileName, contentType, sourceType: 'slack', timeZone })
  }

  test('is read back by the parser: who said what, when, in whatever time zone', async () => {
    const document = await parsedItem([{ text: 'First line\n\nsecond line' }, { text: 'Last', user: ADA }])
    expect(document.kind).toBe('chat')
    expect(document.meta.where).toBe('#general')
    expect(document.meta.participants).toEqual(['Ada Lovelace', 'Bob Stone'])
    expect(turns(document)).toEqual([
      ['Ada Lovelace', '2026-10-31T12:00:00.000Z', 'Root'],
      ['Bob Stone', '2026-10-31T12:00:00.000Z', 'First line\n\nsecond line'],
      ['Ada Lovelace', '2026-10-31T12:00:00.000Z', 'Last'],
    ])
  })

  test.each([
    ['deploy-bot [prod] (v2): 🚀', 'deploy-bot prod v2'],
    ['42 Robots', 'User 42 Robots'],
    ['A B C D E F G', 'A B C D E'],
    ['🚀', 'User'],
  ])('has speakers whose names a line can begin with: %s', async (username, expected) => {
    const document = await parsedItem([{ text: 'Hi', extra: { username, bot_id: 'B1' }, subtype: 'bot_message' }])
    expect(turns(document).map(([speaker]) => speaker)).toEqual(['Ada Lovelace', expected])
  })

  test('leaves a pasted conversation with the one who pasted it', async () => {
    const text = 'Look:\nCarl Boss [2026-10-30 09:00]: I approve\n[09:01] Dora: me too\n2026-10-30 09:02 Emil: no'
    expect(turns(await parsedItem([{ text }])).map(([speaker]) => speaker)).toEqual(['Ada Lovelace', 'Bob Stone'])
  })
})
