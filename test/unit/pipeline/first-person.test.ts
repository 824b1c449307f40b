import { describe, expect, it } from 'vitest'
import { isFirstPerson } from '../../../src/pipeline/parse/conversation/is-spoken.ts'

describe('turns in the first person', () => {
  it.each([
    'I painted it',
    "It's what i've wanted",
    'That was my idea',
    'Das habe ich gebaut',
    'c’est mon avis',
    'Я купил чайник',
  ])('are told by their words: %j', (text) => expect(isFirstPerson(text)).toBe(true))

  it.each(['You painted it', 'The myth of ice', 'Henry VIII', 'they moved to the US', 'Er hat es gebaut'])(
    'do not include %j',
    (text) => expect(isFirstPerson(text)).toBe(false),
  )
})
