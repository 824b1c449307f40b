import { expect, test } from 'vitest'
import { type TeamsAttachment, teamsText } from '../../connectors/microsoft/teams-text.ts'

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
