import { describe, expect, it } from 'vitest'
import { reportsDone } from '../../../../src/pipeline/extract/speech/done-reports.ts'
import { documentOf, extractFrom } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const at = (hour: number) => new Date(Date.UTC(2026, 2, 4, hour))

/** A request of Bob in the morning, what I promised, and what I said in the evening. */
async function narrativesOf(asked: string, promised: string, later: string) {
  const { memories } = await extractFrom(
    documentOf(
      'chat',
      [
        [asked, { type: 'turn', speaker: 'Bob', at: at(8) }],
        [promised, { type: 'turn', speaker: ME, at: at(8) }],
        [later, { type: 'turn', speaker: ME, at: at(18) }],
      ],
      { participants: [ME, 'Bob'] },
    ),
  )
  return memories.map(({ content }) => content.narrative)
}

describe('what was promised and done', () => {
  it.each([
    ['Kannst du den Tisch bei Luigi buchen?', 'Ja, mach ich heute Abend', 'ist gebucht', 'Ist gebucht.'],
    [
      'Schickst du mir bis Freitag die Fotos?',
      'Klar, schick ich dir morgen',
      'hab ich geschickt',
      'Hab ich geschickt.',
    ],
    ['Tu peux envoyer le devis à Marc ?', "Oui je l'envoie demain", "c'est fait", "C'est fait."],
    ['¿Puedes mandar el contrato a Ximena?', 'Sí, lo mando mañana', 'ya está, lo mandé', 'Ya está, lo mandé.'],
    ["Can you book the table at Luigi's?", "Yes, I'll do it tonight", "it's booked", "I said that it's booked."],
  ])('is one memory, hours later too: %s', async (asked, promised, later, report) => {
    const narratives = await narrativesOf(asked, promised, later)
    expect(narratives).toHaveLength(1)
    expect(narratives[0]).toContain(report)
  })

  it('is not what else somebody says hours later', async () => {
    const narratives = await narrativesOf(
      'Kannst du den Tisch buchen?',
      'Ja, mach ich',
      'Die Heizung ist seit heute kaputt',
    )
    expect(narratives).toHaveLength(2)
  })

  it.each([
    ['Could you book the hall for 12 December?', "It's closed."],
    ['Could you send the photos?', 'I paid him.'],
    ['Hast du die Heizung schon repariert?', 'ist schon bezahlt'],
  ])('is not another deed: %s %s', async (asked, later) => {
    expect(await narrativesOf(asked, 'I will look.', later)).toHaveLength(2)
  })

  it.each([
    ['Can you cancel the order?', "it's cancelled"],
    ['Kannst du das Paket abholen?', 'ist abgeholt'],
    ['Could you transfer the deposit?', 'I paid it'],
  ])('is the same deed in another form: %s %s', async (asked, later) => {
    expect(await narrativesOf(asked, 'I will look.', later)).toHaveLength(1)
  })

  describe('among several people', () => {
    const among = async (asked: string, reporter: string) => {
      const said = [
        ['Ann Lee', asked, 8],
        ['Carla Ruiz', 'Nice hall, by the way.', 8],
        [reporter, "It's booked.", 18],
        ['Ben Ode', 'The heating is broken since this morning.', 20],
      ] as const
      const { memories } = await extractFrom(
        documentOf(
          'chat',
          said.map(([speaker, text, hour]) => [text, { type: 'turn', speaker, at: at(hour) }]),
        ),
      )
      return memories.map(({ content }) => content.narrative).find((narrative) => narrative?.includes('12 December'))
    }

    it('is reported by whoever was asked', async () => {
      expect(await among('Ben, could you book the hall for 12 December?', 'Ben Ode')).toContain("it's booked")
    })

    it('is not reported by a third person', async () => {
      expect(await among('Ben, could you book the hall for 12 December?', 'Dan Fox')).not.toContain("it's booked")
    })
  })

  it.each([
    'erledigt',
    'ist schon bezahlt',
    'hab ihm geschickt',
    'ok, done',
    'sent it',
    "je l'ai envoyé",
    "c'est réservé",
    'lo mandé',
    'ya lo pagué',
  ])('is reported by %s', (text) => {
    expect(reportsDone(text)).toBe(true)
  })

  it.each([
    'ist kaputt',
    'it is raining',
    'hab Hunger',
    "c'est cher",
    'la casa',
    'done with this job for good',
    'lo siento',
    'habe ich nicht geschickt',
  ])('is not reported by %s', (text) => {
    expect(reportsDone(text)).toBe(false)
  })
})
