import { describe, expect, it } from 'vitest'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const told = (...said: (readonly [string, string])[]) => narrate(documentOf('chat', turns(...said)))

describe('words typed on a phone', () => {
  it('lose emoji and remarks aside', async () => {
    expect(await told(['Nina', 'the boiler is broken again btw, it costs 180 euros 😭'], [ME, 'ok'])).toContain(
      'the boiler is broken again, it costs 180 euros.',
    )
  })

  it('are no memory of somebody’s name or of a stretched thank you', async () => {
    const { memories } = await extractFrom(documentOf('chat', turns(['Nina', 'omg thank youuu'], [ME, 'NINA'])))
    expect(memories).toEqual([])
  })

  it('end before the next sentence, however it begins', async () => {
    const narrative = await told(['Nina', 'ok then 26 Nov. I’ll tell the printer'], [ME, 'ok'])
    expect(narrative).toContain('promised to tell the printer')
  })

  it('keep what "it" means', async () => {
    const narrative = await told(['Nina', 'Leo wants a guinea pig from Hof'], ['Nina', 'I said we’d think about it'])
    expect(narrative).toContain('guinea pig')
  })

  it('keep the question in front of its reason', async () => {
    const narrative = await told(
      ['Nina', 'Hall: why do we wait until 15 October? The shop is closed on Mondays.'],
      [ME, 'Because the paint needs 12 days to dry'],
    )
    expect(narrative).toContain('question "Hall: why do we wait until 15 October?"')
  })

  it('quote a question once, before its answer', async () => {
    const narrative = await told(
      [ME, 'I can come over on Saturday 7 March and look at it with you?'],
      ['Nina', 'Come for lunch'],
    )
    expect(narrative.match(/on Saturday 7 March/g)).toHaveLength(1)
  })

  it('say what is planned as a plan', async () => {
    expect(await told(['Nina', 'I’m going to walk to Lindau in May'], [ME, 'ok'])).toContain('Nina planned to walk')
  })
})
