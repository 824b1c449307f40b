import { describe, expect, it } from 'vitest'
import { documentOf, fileOf, narrate } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'

/** The narrative of a mail by one sender. */
function narrated(author: string, text: string): Promise<string> {
  const meta = { author, participants: [author, ME], title: 'November', when: AT }
  return narrate(documentOf('email', [[text, { type: 'paragraph' }]], meta), fileOf({ sourceType: 'email' }))
}
const AT = { start: new Date('2026-11-08T18:00:00Z'), precision: 'minute' } as const

describe('a short letter in another language', () => {
  it('is quoted whole, with its questions', async () => {
    const narrative = await narrated(
      'Dieter Voss',
      "Am 21. November streichen wir das Tor. Los geht's um 10 Uhr. Kannst du den großen Grill mitbringen? Dein Beitrag für 2026 (180 €) ist noch nicht da, magst du das bitte überweisen?",
    )
    expect(narrative).toContain("Los geht's um 10 Uhr. Kannst du den großen Grill mitbringen? Dein Beitrag")
    expect(narrative.match(/: "/g)).toHaveLength(1)
  })

  it('keeps the sentence that names its subject', async () => {
    const narrative = await narrated(
      'Petra Novak',
      'I talked to our owner. He accepts 7 % if you deliver by 24 April. Our tax number is CZ25596641.',
    )
    expect(narrative).toContain('"I talked to our owner. He accepts 7 %')
  })

  it('keeps what a practice asks for', async () => {
    const narrative = await narrated(
      'Clínica Dental Rivas',
      'Le recordamos que tiene cita con la Dra. Campos el jueves 19 de noviembre a las 17:15. No olvide traer la última radiografía.',
    )
    expect(narrative).toContain('con la Dra. Campos el jueves 19 de noviembre a las 17:15. No olvide traer la última')
    expect(narrative).toContain('Clínica Dental Rivas wrote: "')
  })

  it.each(['Haben Sie schon an einen Mietwagen gedacht?', 'Kommen Sie gut an!'])(
    'leaves out what a company says to please: %s',
    async (appeal) => {
      const narrative = await narrated(
        'DB Vertrieb',
        `Hinfahrt: Fr, 20.11.2026, ICE 571, Hamburg 08:24. ${appeal} Die Rückfahrt kostet 59,90 EUR.`,
      )
      expect(narrative).not.toContain(appeal)
      expect(narrative).toContain('59,90 EUR')
    },
  )

  it.each([
    'Der Keller steht unter Wasser!',
    'Die Heizung ist kaputt!',
    'Die Ärztin ist krank!',
    'Rex lebt! Er frisst wieder!',
    'Der Ausweis fehlt noch!',
    'Votre fils a été mordu !',
    'Bringen Sie den Ausweis mit!',
  ])('keeps what a company exclaims as its news: %s', async (news) => {
    expect(await narrated('DB Vertrieb', `Termin am 20. November um 8 Uhr. ${news}`)).toContain(news)
  })

  it.each([
    ['Opa ist tot.', 'Am Freitag ist die Beerdigung in Kiel.'],
    ["J'ai vendu la maison.", 'Le notaire vient le 12 décembre à 9 h.'],
    ['Vendimos el piso. Perdí el trabajo.', 'El 12 de diciembre voy a Madrid.'],
  ])('keeps short statements: %s', async (told, rest) => {
    expect(await narrated('Dieter Voss', `${told} ${rest}`)).toContain(told)
  })

  it('leaves out questions of a few words', async () => {
    const narrative = await narrated('Dieter Voss', 'Llego el 12 de diciembre a las 9. Voy con Ana. ¿Y tú qué?')
    expect(narrative).not.toContain('Y tú qué')
  })

  it('has neither salutation nor the name at its end', async () => {
    const narrative = await narrated(
      '河野自転車',
      '中島 亮 様\n\nいつもお世話になっております。\n\n自転車の修理が完了いたしました。料金は合計8,250円です。11月20日までにご来店ください。\n\n河野自転車 小林',
    )
    expect(narrative).toContain(
      '"自転車の修理が完了いたしました。 料金は合計8,250円です。 11月20日までにご来店ください。"',
    )
  })
})

describe('the day of a month', () => {
  it('is open where the text names it with another month', async () => {
    const narrative = await narrated('Sofie Holm', 'Party on 18 June for 60 people. The venue is free on the 18th.')
    expect(narrative).not.toContain('18 November')
  })

  it.each([
    ['Invoice of 12 March attached. I will pay on the 12th.', '12 November 2026'],
    ['Born 12 March 1980. The appointment is on the 12th at 9.', '12 November 2026'],
    ['We were in Rome on 18 June. The plumber comes on the 18th.', '18 November 2026'],
    ['We need 12 may be 14 chairs. See you on the 12th.', '12 November 2026'],
  ])('is resolved where the other date is over or none: %s', async (text, day) => {
    expect(await narrated('Sofie Holm', text)).toContain(day)
  })

  it('is resolved where the text names it with the same month', async () => {
    const narrative = await narrated('Sofie Holm', 'I asked for 18 November. The venue is free on the 18th.')
    expect(narrative).toContain('18 November 2026')
  })
})
