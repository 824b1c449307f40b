import { describe, expect, it } from 'vitest'
import { documentOf, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const told = (...said: (readonly [string, string])[]) =>
  narrate(documentOf('chat', turns(...said), { participants: [ME, 'Bob'] }))

describe('"we" of the other person in a chat of two', () => {
  it('is told as "they" where nothing says that it is both of us', async () => {
    const narrative = await told(['Bob', 'We sold the boat last week.'], [ME, 'For how much?'])
    expect(narrative).toContain('Bob told me that they sold the boat')
  })

  it('is told as "they" where I speak to several', async () => {
    const narrative = await told(['Bob', "We're expecting in the spring."], [ME, 'We are so happy for you two!'])
    expect(narrative).toContain("Bob told me that they're expecting")
  })

  it('is both of us where I say "we" too', async () => {
    const narrative = await told(['Bob', 'We need new shelves for the shop.'], [ME, 'We have no budget until January.'])
    expect(narrative).toContain('Bob told me that we need new shelves for the shop')
  })

  it('is both of us where something is proposed', async () => {
    const narrative = await told(
      ['Bob', 'We could meet at the station at six.'],
      [ME, 'Six is fine.'],
      ['Bob', 'Then we have an hour at the museum.'],
    )
    expect(narrative).toContain('we could meet at the station at six')
  })

  it('is quoted with what is done to me', async () => {
    const narrative = await told(['Bob', 'Can we leave the piano at your place?'], [ME, 'Of course, but carry it up.'])
    expect(narrative).toContain('"Can we leave the piano at your place?"')
  })

  it('stays in my own words', async () => {
    expect(await told([ME, 'We moved to Leeds in May.'], ['Bob', 'Is it nice?'])).toContain('we moved to Leeds')
  })
})
