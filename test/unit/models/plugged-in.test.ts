import { expect, test } from 'vitest'
import { PluggedIn } from '../../../src/models/configured/plugged-in.ts'

/** A model that is used until `end` is called. */
function use(pluggedIn: PluggedIn<string>): { readonly end: () => void; readonly used: Promise<string | undefined> } {
  const ended = Promise.withResolvers<void>()
  const used = pluggedIn.use(async () => {
    const model = pluggedIn.current
    await ended.promise
    return model
  })
  return { end: ended.resolve, used }
}

test('a model is closed once the last question that began with it has ended', async () => {
  const pluggedIn = new PluggedIn<string>('old')
  const closed: string[] = []
  const [one, other] = [use(pluggedIn), use(pluggedIn)]
  await pluggedIn.replace('new', async () => void closed.push('old'))
  const later = use(pluggedIn)
  one.end()
  expect(await one.used).toBe('old')
  expect(closed).toEqual([])
  other.end()
  await pluggedIn.settled()
  expect(closed).toEqual(['old'])
  later.end()
  expect(await later.used).toBe('new')
})

test('a model that nobody uses is closed at once, also after earlier questions', async () => {
  const pluggedIn = new PluggedIn<string>('old')
  const closed: string[] = []
  const question = use(pluggedIn)
  question.end()
  await question.used
  await pluggedIn.replace(undefined, async () => void closed.push('old'))
  await pluggedIn.settled()
  expect(closed).toEqual(['old'])
})

test('a question that fails no longer uses its model', async () => {
  const pluggedIn = new PluggedIn<string>('old')
  await expect(pluggedIn.use(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  await pluggedIn.replace(undefined, () => Promise.resolve())
  await pluggedIn.settled()
})
