import { expect, test } from 'vitest'
import { conversationText, messageAnswer } from '../../../connectors/microsoft/teams-message.ts'
import { type TeamsAttachment, teamsText } from '../../../connectors/microsoft/teams-text.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

const html = (content: string, attachments: readonly TeamsAttachment[] = []) =>
  teamsText({ contentType: 'html', content }, attachments)

test('keeps emoji, mentions and names of pictures', () => {
  const smile = '<emoji id="smile" alt="🙂" title="Smile"></emoji>'
  const old = '<img itemscope itemtype="http://schema.skype.com/Emoji" alt="😀" src="https://statics.teams.test/1">'
  expect(html(`<p>Hi <at id="0">Ada Lovelace</at> ${smile} ${old}</p>`)).toBe('Hi Ada Lovelace 🙂 😀')
  const picture =
    '<img alt="chart" src="https://graph.microsoft.com/v1.0/chats/x/messages/1/hostedContents/abc/$value">'
  expect(html(`<p>See ${picture}</p>`)).toBe('See [chart]')
  expect(html(picture.replace('alt="chart"', 'width="1"'))).toBe('[image]')
})

test('keeps the lines of code', () => {
  const code = '<codeblock class="Python"><code>if a &lt; b:<br>&nbsp;&nbsp;&nbsp;&nbsp;go()</code></codeblock>'
  expect(html(`<p>Try</p>${code}`)).toBe('Try\n\n```python\nif a < b:\n    go()\n```')
})

test('shows what is quoted and forwarded, and by whom', () => {
  const messageSender = { user: { displayName: 'Bob Stone' } }
  const content = JSON.stringify({ messageId: '1', messagePreview: 'Tea <or> coffee?', messageSender })
  const answer = '<attachment id="1"></attachment><p>Tea</p>'
  expect(html(answer, [{ id: '1', contentType: 'messageReference', content }])).toBe(
    '> Bob Stone: Tea <or> coffee?\n\nTea',
  )
  const original = { originalMessageContent: '<p>Lunch at <b>one</b></p>', originalMessageSender: null }
  expect(html(answer, [{ id: '1', contentType: 'forwardedMessageReference', content: JSON.stringify(original) }])).toBe(
    '> Forwarded, from Somebody: Lunch at **one**\n\nTea',
  )
  for (const odd of ['{', '[]', undefined]) {
    expect(html(answer, [{ id: '1', contentType: 'messageReference', content: odd }])).toBe('Tea')
  }
})

test('names files and reads cards', () => {
  const card = {
    type: 'AdaptiveCard',
    body: [
      { type: 'TextBlock', text: 'Build 7 failed' },
      { type: 'FactSet', facts: [{ title: 'Branch', value: 'main' }] },
      { type: 'Input.Text', id: 'reply', value: 'hidden' },
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open', url: 'https://ci.test' }],
  }
  const attachments = [
    { id: '1', contentType: 'reference', name: 'plan.docx', contentUrl: 'https://acme.test/plan.docx' },
    { id: '2', contentType: 'application/vnd.microsoft.card.adaptive', content: JSON.stringify(card) },
  ]
  expect(html('<attachment id="1"></attachment><attachment id="2"></attachment>', attachments)).toBe(
    '[plan.docx]\nBuild 7 failed\nBranch: main',
  )
})

test('says nothing of messages of the system', () => {
  expect(html('<systemEventMessage/>')).toBe('')
})

test('is a conversation for the pipeline, with quotes and code in the turn of who wrote them', async () => {
  const messageSender = { user: { displayName: 'Bob Stone' } }
  const content = JSON.stringify({ messagePreview: 'Bob Stone [2026-11-20 08:00]: Which loop?', messageSender })
  const code = '<codeblock class="Python"><code>for a in b:<br>&nbsp;&nbsp;Eve: [10:30] print(a)</code></codeblock>'
  const say = (displayName: string, minute: number, html: string) =>
    messageAnswer.parse({
      id: String(minute),
      createdDateTime: `2026-11-20T09:${minute}:00Z`,
      from: { user: { displayName } },
      body: { contentType: 'html', content: html },
      attachments: [{ id: 'q', contentType: 'messageReference', content }],
    })
  const messages = [
    say('Bob Stone', 10, '<p>Which loop?</p>'),
    say('Ada Lovelace', 11, `<attachment id="q"></attachment><p>This one:</p>${code}`),
    say('Bob Stone', 12, '<p>Thanks 🙂</p>'),
  ]
  const bytes = new TextEncoder().encode(conversationText(messages))
  const result = await parsed(bytes, { fileName: 'a.md', contentType: 'text/markdown', sourceType: 'ms-teams' })
  expect(result.kind).toBe('chat')
  expect(turns(result)).toEqual([
    ['Bob Stone', '2026-11-20T09:10:00.000Z', 'Which loop?'],
    ['Ada Lovelace', '2026-11-20T09:11:00.000Z', expect.stringMatching(/^> Bob Stone: Bob[\s\S]*This one:[\s\S]*```$/)],
    ['Bob Stone', '2026-11-20T09:12:00.000Z', 'Thanks 🙂'],
  ])
})
