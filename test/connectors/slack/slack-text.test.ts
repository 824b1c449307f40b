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
