import { expect, test } from 'vitest'
import { CONNECTORS } from '../../../connectors/index.ts'
import { CALLED_CONNECTORS, connectorsCalled } from '../../../src/cli/connect/everyday-names.ts'

test.each([
  ['gmail', ['email']],
  ['WhatsApp', ['messenger_exports']],
  ['Google Docs', ['gdocs', 'technical_docs']],
  ['MS Teams', ['ms-teams']],
  ['file', ['technical_docs', 'text', 'pdf']],
  ['google', []],
  ['frobnicator', []],
])('people who say %s mean %j', (name, connectors) => {
  expect(connectorsCalled(name)).toEqual(connectors)
})

test('every connector that is suggested exists', () => {
  expect([...CALLED_CONNECTORS].filter((id) => !Object.hasOwn(CONNECTORS, id))).toEqual([])
})
