import { describe, expect, it } from 'vitest'
import { documentOf, extractFrom, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const told = async (...said: (readonly [string, string])[]) => {
  const { memories } = await extractFrom(documentOf('chat', turns(...said)))
  return memories.map(({ content }) => content.narrative)
}

describe('a deed without its object', () => {
  it('has the sentence before it, small talk or not', async () => {
    expect(await told(['Ann', 'The house in Zennor looks lovely'], [ME, 'I booked it'])).toEqual([
      'On 4 March 2026, Ann told me: "The house in Zennor looks lovely." I booked it.',
    ])
    expect(await told([ME, 'Lovely house in Zennor! I booked it'], ['Ann', 'wow'])).toEqual([
      'On 4 March 2026, I told Ann: "Lovely house in Zennor!" I booked it.',
    ])
  })

  it('has the question that it answers', async () => {
    const [narrative] = await told(['Ann', 'Did you go to the fair in the end?'], [ME, 'I went. It was crowded'])
    expect(narrative).toContain('Did you go to the fair in the end?')
    expect(narrative).toContain('I went')
  })

  it('makes no memory if nothing says what was done', async () => {
    expect(await told(['Ann', 'wow'], [ME, 'I booked it'], ['Ann', 'wow'])).toEqual([])
  })
})

describe('how somebody is', () => {
  it('is the first sentence of the reply', async () => {
    const [narrative] = await told([ME, 'How is Amara?'], ['Ann', 'Better, thanks. She starts the new job on Monday'])
    expect(narrative).toContain('Ann answered my question "How is Amara?": "Better. She starts the new job on Monday')
  })

  it('is small talk of the one who is asked', async () => {
    const [narrative] = await told([ME, 'How are you?'], ['Ann', 'Good, thanks. I failed the exam in Bath on Monday'])
    expect(narrative).not.toContain('Good')
  })
})
