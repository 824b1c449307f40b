import { describe, expect, it } from 'vitest'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const narrateChat = (...said: (readonly [string, string])[]) =>
  narrate(documentOf('chat', turns(...said), { participants: [ME, 'Bob'] }))

describe('"we" of the other person in a chat of two', () => {
  it('is told as "they" where nothing says that it is both of us', async () => {
    const narrative = await narrateChat(['Bob', 'We sold the boat last week.'], [ME, 'For how much?'])
    expect(narrative).toContain('Bob told me that they sold the boat')
  })

  it('is told as "they" where I speak to several', async () => {
    const narrative = await narrateChat(['Bob', "We're expecting in the spring."], [ME, 'We are so happy for you two!'])
    expect(narrative).toContain("Bob told me that they're expecting")
  })

  it('is both of us where I say "we" too', async () => {
    const narrative = await narrateChat(
      ['Bob', 'We need new shelves for the shop.'],
      [ME, 'We have no budget until January.'],
    )
    expect(narrative).toContain('Bob told me that we need new shelves for the shop')
  })

  it('is both of us where something is proposed', async () => {
    const narrative = await narrateChat(
      ['Bob', 'We could meet at the station at six.'],
      [ME, 'Six is fine.'],
      ['Bob', 'Then we have an hour at the museum.'],
    )
    expect(narrative).toContain('we could meet at the station at six')
  })

  it('is quoted with what is done to me', async () => {
    const narrative = await narrateChat(
      ['Bob', 'Can we leave the piano at your place?'],
      [ME, 'Of course, but carry it up.'],
    )
    expect(narrative).toContain('"Can we leave the piano at your place?"')
  })

  it('stays in my own words', async () => {
    expect(await narrateChat([ME, 'We moved to Leeds in May.'], ['Bob', 'Is it nice?'])).toContain('we moved to Leeds')
  })
})

describe('"we" of a firm in a mail', () => {
  const mail = (text: string, title: string) =>
    documentOf('email', [[text, { type: 'turn', speaker: 'Northgate Bank' }]], {
      title,
      author: 'Northgate Bank',
      participants: ['Northgate Bank', ME],
    })
  const text =
    'We have cancelled your transfer 44812 because the account is closed. We will refund 89.00 euros within five days.'

  it('is the firm', async () => {
    expect(await narrate(mail(text, 'Transfer 44812'))).toContain(
      'Northgate Bank wrote that they have cancelled my transfer 44812 because the account is closed, and that they will refund 89.00 euros within five days.',
    )
  })

  it('is the name of the firm in a headline', async () => {
    const { memories } = await extractFrom(mail(text, 'Transfer 44812'))
    expect(memories[0]?.content.headline).toBe(
      'Transfer 44812: Northgate Bank will refund 89.00 euros within five days',
    )
  })

  it('is quoted in a language that is not reworded', async () => {
    expect(await narrate(mail('Wir haben Ihren Abschlag ab Oktober auf 96 Euro erhöht.', 'Abschlag'))).toContain(
      'Northgate Bank wrote: "Wir haben Ihren Abschlag ab Oktober auf 96 Euro erhöht."',
    )
  })

  it('is quoted where it includes me', async () => {
    const narrative = await narrate(
      mail(
        'As we agreed on the phone, your rate is fixed at 3.9 percent until 2031. We both sign on 10 December. We have ordered the papers.',
        'Your mortgage',
      ),
    )
    expect(narrative).toContain(
      '"As we agreed on the phone, your rate is fixed at 3.9 percent until 2031. We both sign on 10 December."',
    )
    expect(narrative).toContain('they have ordered the papers')
  })

  it.each([
    'We decided together that the visit moves to spring.',
    'We meet on 10 December at nine.',
    'Between us we will choose the colour.',
    'We decided with you to wait until March.',
    'We discussed the colour of the panels.',
  ])('is not "they" in: %s', async (sentence) => {
    expect(await narrate(mail(sentence, 'Your visit'))).not.toMatch(/\bthey\b/)
  })

  it('tells the raise of a payment in the headline', async () => {
    const raise =
      'We have raised your monthly payment to 84 euros from January. We would read your meter on 3 December.'
    const { memories } = await extractFrom(mail(raise, 'Your contract'))
    expect(memories[0]?.content.headline).toBe(
      'Your contract: Northgate Bank has raised my monthly payment to 84 euros from January',
    )
  })
})
