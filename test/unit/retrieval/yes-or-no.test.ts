import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import type { Embedder } from '../../../src/models/model.ts'
import { loadStaticEmbedder } from '../../../src/models/static/static-embedder.ts'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { answerQuestion } from '../../../src/retrieval/answer.ts'
import { type EvaluationStore, type NewText, openEvaluationStore } from '../../eval/evaluation-store.ts'
import { fileOf, type Told } from '../../lib/labelled-pair.ts'

const NOW = new Date('2026-11-24T09:00:00Z')
const note = (at: string, text: string): Told => ({ form: 'note', at, text })
const TOLD: readonly Told[] = [
  note('2026-03-02T19:00Z', 'Rejected: satellite pictures for the map, because they cost 900 euros a month.'),
  note('2026-04-11T19:00Z', 'Benno wants walnut shelves, I want birch shelves.'),
  note('2026-05-10T08:00Z', 'Without the permit the bakery does not extend its terrace.'),
  note('2026-06-20T19:00Z', 'The ferry to Runde was full, so we drove.'),
  note('2026-07-01T19:00Z', 'Signe needs glasses: minus 1.25 left.'),
]
const MESSAGES = `---
title: "sms Nora Lind"
---
Nora Lind [2026-10-05 09:20]: I sold the kayak today.
Nora Lind [2026-10-05 09:24]: All of the paddles are here, so nothing is lost.
`

describe('a question for yes or no', () => {
  let store: EvaluationStore
  let embedder: Embedder
  let accountId: string

  beforeAll(async () => {
    embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
    store = await openEvaluationStore()
    accountId = await store.createAccount()
    const pipeline = createPipeline({ embedder })
    const texts: NewText[] = [
      ...TOLD.map((told, i) => ({ itemId: `told-${i}`, ...fileOf(told) })),
      { itemId: 'sms', text: MESSAGES, fileName: 'sms.md', contentType: 'text/markdown', sourceType: 'slack' },
    ]
    await store.add(accountId, texts, (file) => pipeline.run(file))
  })
  afterAll(() => store.close())

  const ask = async (text: string) => {
    const query = { text, limit: 20, now: NOW, timeZone: 'UTC', userName: 'Tess Moreau' }
    return (await answerQuestion(query, { index: store.index(accountId), embedder })).response
  }

  test.each([
    ['Does Signe need glasses?', /^Yes: .*Signe needs glasses/],
    ['Did Nora Lind sell the kayak?', /^Yes: Nora Lind .*I sold the kayak/],
    ['Do we use satellite pictures for the map?', /^No: .*Rejected: satellite pictures/],
    ['Were any paddles lost?', /^No: .*nothing is lost/],
  ])('begins with the word and its reason: %s', async (question, answer) => {
    expect(await ask(question)).toMatch(answer)
  })

  test.each([
    ['what somebody else wants', 'Do I want walnut shelves?'],
    ['a condition', 'Does the bakery extend its terrace?'],
    ['a place without the deed', 'Did we take the ferry to Runde?'],
  ])('gets neither from %s', async (_, question) => {
    expect(await ask(question)).not.toMatch(/^(?:Yes|No): /)
  })
})
