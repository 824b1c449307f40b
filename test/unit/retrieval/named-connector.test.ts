import { expect, test } from 'vitest'
import { CONNECTORS } from '../../../connectors/index.ts'
import { connectorId, connectorTitle, specificConnector } from '../../../src/domain/connector-name.ts'
import { sharedRanges } from '../../../src/lib/id-ranges.ts'
import { namedConnector } from '../../../src/retrieval/question/named-connector.ts'

test.each([
  ['What does Notion say about the offsite?', 'notion', 'What say about the offsite?'],
  ['what did we decide about pricing in notion', 'notion', 'what did we decide about pricing'],
  ['What did Priya write on WhatsApp about the tent?', 'whatsapp', 'What did Priya write about the tent?'],
  ['Jira tickets about the login page', 'jira', 'tickets about the login page'],
  ['According to Confluence, who owns billing?', 'confluence', ', who owns billing?'],
  ['the plan in my Obsidian vault', 'obsidian', 'the plan'],
  ['open issues in Linear', 'linear', 'open issues'],
  ['What did Ada say on Zoom about the pool?', 'zoom', 'What did Ada say about the pool?'],
  ['what did Sam send over Signal yesterday', 'signal', 'what did Sam send yesterday'],
])('%s names %s', (question, id, rest) => {
  expect(namedConnector(question)).toEqual({ id, rest })
})

test.each([
  'How do I make a table in Notion?',
  'The notion that prices fall',
  'does it run in linear time',
  'does it zoom in on the map',
  'a signal from the sensor',
  'Why did we leave Confluence?',
  'messages in Slack',
])('%s names none', (question) => {
  expect(namedConnector(question)).toBeUndefined()
})

test('the names of connectors are those of their manifests', async () => {
  const untitled = new Set(['text', 'pdf', 'technical_docs', 'stream', 'chat_exports', 'messenger_exports'])
  for (const [id, load] of Object.entries(CONNECTORS)) {
    const { manifest } = await load()
    if (!untitled.has(id)) expect([id, connectorTitle(id)]).toEqual([id, manifest.title])
  }
})

test('a connector is named by id or title in any case, and shown where it tells more than the source type', () => {
  expect(['Notion', 'GMAIL', 'gemini cli', 'my-own'].map(connectorId)).toEqual([
    'notion',
    'email',
    'gemini_cli',
    'my-own',
  ])
  expect(['', 'no/tion', 'x'.repeat(61)].map(connectorId)).toEqual([undefined, undefined, undefined])
  expect(specificConnector('tasks', 'jira')).toBe('jira')
  expect(specificConnector('slack', 'slack')).toBeUndefined()
})

test('ranges that are in both are shared', () => {
  const first = [
    { first: 1, last: 4 },
    { first: 8, last: 9 },
  ]
  expect(sharedRanges(first)).toEqual(first)
  expect(sharedRanges(first, [{ first: 3, last: 8 }])).toEqual([
    { first: 3, last: 4 },
    { first: 8, last: 8 },
  ])
  expect(sharedRanges(first, [])).toEqual([])
})
