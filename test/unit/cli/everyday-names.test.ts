import { expect, test } from 'vitest'
import { CONNECTORS } from '../../../connectors/index.ts'
import { connectorsCalled, EVERYDAY_NAMES } from '../../../src/cli/connect/everyday-names.ts'

test.each([
  ['gmail', ['email']],
  ['WhatsApp', ['messenger_exports']],
  ['Google Docs', ['gdocs', 'technical_docs']],
  ['MS Teams', ['ms-teams']],
  ['file', ['technical_docs', 'text', 'pdf']],
  ['Apple Mail', ['imap']],
  ['Apple Photos', []],
  ['google', []],
  ['frobnicator', []],
])('people who say %s mean %j', (name, connectors) => {
  expect(connectorsCalled(name)).toEqual(connectors)
})

test('every connector that is suggested exists', () => {
  expect(
    Object.values(EVERYDAY_NAMES)
      .flat()
      .filter((id) => !Object.hasOwn(CONNECTORS, id)),
  ).toEqual([])
})
