import { expect, test } from 'vitest'
import { z } from 'zod'
import type { GeneratedText, GenerateRequest, LanguageModel } from '../../../src/models/model.ts'
import { limitConcurrency } from '../../../src/models/model.ts'

/** A model whose calls end when the test says so. */
function heldModel(maxConcurrent: number) {
  const calls: { name: string; end: PromiseWithResolvers<GeneratedText> }[] = []
  const model: LanguageModel = {
    id: 'held',
    maxInputTokens: 1,
    maxOutputTokens: 1,
    maxConcurrent,
    generate({ instructions: name }) {
      const end = Promise.withResolvers<GeneratedText>()
      calls.push({ name, end })
      return end.promise
    },
  }
  const limited = limitConcurrency(model)
  const ask = (instructions: string, more: Partial<GenerateRequest> = {}) =>
    limited.generate({ instructions, messages: [], schema: z.unknown(), schemaName: 'x', ...more })
  const begun = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return calls.map(({ name }) => name)
  }
  const done = { text: '', usage: { inputTokens: 0, outputTokens: 0 } }
  return { calls, ask, begun, end: (place: number) => calls[place]!.end.resolve(done) }
}

test('calls beyond those a model takes wait, and begin in the order they came, also after one that failed', async () => {
  const { calls, ask, begun, end } = heldModel(2)
  const asked = ['a', 'b', 'c', 'd'].map((name) => ask(name))
  expect(await begun()).toEqual(['a', 'b'])
  calls[1]!.end.reject(new Error('no'))
  await expect(asked[1]).rejects.toThrow('no')
  expect(await begun()).toEqual(['a', 'b', 'c'])
  for (const place of [0, 2]) end(place)
  expect(await begun()).toEqual(['a', 'b', 'c', 'd'])
  end(3)
  await Promise.all([asked[0], asked[2], asked[3]])
})

test('a call that is given up while it waits never begins, and nobody waits for it', async () => {
  const { ask, begun, end } = heldModel(1)
  const abort = new AbortController()
  const first = ask('a')
  const second = ask('b', { signal: abort.signal })
  const third = ask('c')
  abort.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  await expect(ask('d', { signal: abort.signal })).rejects.toThrow('gone')
  end(0)
  expect(await begun()).toEqual(['a', 'c'])
  end(1)
  await Promise.all([first, third])
})
