import { expect, test } from 'vitest'
import { outdatedServer } from '../../../src/store/postgres/inspect-server.ts'

test.each([
  ['15.0', undefined],
  ['15.20', '0.8.0'],
  ['18beta1', '0.10.1'],
  ['17.2', '1.0.0'],
])('PostgreSQL %s with pgvector %s is new enough', (version, vector) => {
  expect(outdatedServer({ version, vector })).toEqual([])
})

test('an old server and an old pgvector are told with what is needed', () => {
  expect(outdatedServer({ version: '14.9', vector: '0.7.4' })).toEqual([
    'PostgreSQL 14.9 is too old. Upgrade the server to 15 or later.',
    'pgvector 0.7.4 is too old: version 0.8 or later is needed, "alter extension vector update" after installing it.',
  ])
})
