import { describe, expect, it } from 'vitest'
import { findNamedDays } from '../../../../src/lib/dates/named-days.ts'
import { dayAccount } from '../../../../src/pipeline/extract/day-accounts.ts'
import { isNotificationList } from '../../../../src/pipeline/extract/letters/notifications.ts'
import { isChatter } from '../../../../src/pipeline/extract/salience.ts'
import { isCheer } from '../../../../src/pipeline/extract/small-talk/likely-remarks.ts'
import { withWrittenLines } from '../../../../src/pipeline/extract/written-lines.ts'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

/** A Tuesday. */
const AT = new Date('2026-11-24T10:00:00Z')
const daysIn = (text: string) =>
  findNamedDays(text, { at: AT, timeZone: 'UTC' }).map(({ start }) => start.toISOString().slice(0, 10))

const mail = (from: string, text: string, title = 'News') =>
  narrate(
    documentOf('email', [[text, { type: 'turn', speaker: from }]], {
      title,
      author: from,
      participants: [from, 'Mara Lindqvist'],
    }),
  )

describe('a day', () => {
  it.each([
    ['Our last night here is 29 November 2026.', ['2026-11-29']],
    ['It was the last night of the tour.', []],
    ['The boiler broke last night.', ['2026-11-23']],
  ])('is the night before only where no article stands before "last night": %s', (text, days) => {
    expect(daysIn(text)).toEqual(days)
  })

  it.each([
    ['Le kiné passe jeudi.', '2026-11-26'],
    ['Il y a le marché samedi.', '2026-11-28'],
    ['Elle a payé le kiné lundi.', '2026-11-23'],
    ['Le llamé el lunes.', '2026-11-23'],
  ])('is not past because a French noun ends with é: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
  })
})

describe('an answer of an agent', () => {
  it('is quoted where little of it can be reworded', async () => {
    const document = documentOf('agent', [
      ['Why is the donor export so slow, like 4 min for 9k rows??', { type: 'turn', role: 'user' }],
      [
        'Found it. `DonorSerializer` runs one query per row for the address. I added `select_related("address")` in exports/views.py; it now takes 6 seconds.',
        { type: 'turn', role: 'assistant' },
      ],
    ])
    const narrative = await narrate(document, { sourceType: 'claude_code' })
    expect(narrative).toContain('one query per row for the address.')
    expect(narrative).toContain('it now takes 6 seconds.')
  })
})

describe('a chat', () => {
  it('tells what two people did whom nobody named before', async () => {
    const document = documentOf(
      'chat',
      turns(
        ['Tamsin', 'Fi and Luke broke up'],
        ['Mara Lindqvist', 'NO. since when'],
        ['Tamsin', "Since the wedding. He's moved into his brother's in Cardiff."],
      ),
    )
    expect(await narrate(document)).toContain('that Fi and Luke broke up.')
  })

  it('is quoted without the thanks before a request, which begins its headline', async () => {
    const { memories } = await extractFrom(
      documentOf(
        'chat',
        turns(['Mara Lindqvist', "Thx. can we please freeze until the trustees have looked, that's Friday noon"]),
      ),
    )
    expect(memories[0]?.content.headline).toMatch(/^Can we please freeze/)
  })
})

describe('an issue', () => {
  it('tells in what it was fixed', async () => {
    const document = documentOf(
      'issue',
      turns(
        ['kofim', 'The map freezes on the iPad after it is rotated twice.'],
        ['devika', "The resize observer fires before the style is loaded. I'll take it."],
        ['devika', 'Fixed in #423.'],
      ),
      { title: 'Map freezes', author: 'kofim' },
    )
    expect(await narrate(document)).toContain('it was fixed in #423.')
  })

  it('quotes a half sentence with the sentence that it belongs to', async () => {
    const document = documentOf(
      'issue',
      turns([
        'kofim',
        'Rotate the iPad twice while the tiles load and the whole thing is toast. Only on iPadOS 19, older ones are fine.',
      ]),
      { title: 'Map freezes', author: 'kofim' },
    )
    const narrative = await narrate(document)
    expect(narrative).not.toContain('that only on')
    expect(narrative).toContain('is toast. Only on iPadOS 19, older ones are fine.')
  })
})

describe('a wish behind a fact', () => {
  it.each([
    "Je prends un bagage par personne et le chat voyage avec nous, j'espère que tu n'es pas allergique !",
    'The boiler is mended and the flat is warm again, hope you are well.',
  ])('leaves the fact: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(false)
  })

  it.each(["J'espère que tu vas bien !", 'Hi Ann, I hope this finds you well.'])(
    'is small talk without one: %s',
    (sentence) => {
      expect(isChatter(sentence)).toBe(true)
    },
  )
})

describe('a list of calls', () => {
  it.each([
    '17:30 missed - no caller ID',
    '13:20 unbekannt, aufgelegt',
    '18h10 numéro masqué, pas répondu',
    '11:40 Missed call, unknown number',
    'Llamada perdida, número oculto',
    '未接来电 骚扰电话',
  ])('has no memory of whom nobody knows: %s', (line) => {
    expect(isChatter(line)).toBe(true)
  })

  it.each([
    '17:30 missed - Dad',
    '13:20 Brandes, nicht erreicht',
    'Unknown number, wants to sell the boat',
    'Number 12 is in',
    'No call from the clinic',
    'Anruf von der Schule',
  ])('keeps who it was or what it was about: %s', (line) => {
    expect(isChatter(line)).toBe(false)
  })

  it('has no headline of who was called and how long', async () => {
    const text =
      "Calls, 19 October 2026\n\n08:50 out - surgery, 14 min\nFerritin is low, start the tablets.\n\n10:15 in - Otis' school\nHe bumped his head."
    const { memories } = await extractFrom(documentOf('note', [[text, { type: 'paragraph' }]]))
    expect(memories[0]?.content.headline).not.toContain('14 min')
  })
})

describe('a photo', () => {
  it('has no caption where a program filled in the name of its file', () => {
    const text =
      '2 photos and videos of mine, taken on 2026-07-04 between 10:02 and 18:40\n\n- 10:02 IMG_3319.jpg: IMG_3319\n- 18:40 IMG_3320.jpg: Lange Anna'
    expect(dayAccount({ sourceType: 'photos', text, day: undefined, people: [] })?.narrative).toContain(
      'They show "Lange Anna".',
    )
  })
})

describe('a list of notifications', () => {
  const turn = { type: 'turn', speaker: 'Komoot', start: 0, end: 1 } as const

  it('is known by the name of its file', () => {
    const chat = { kind: 'chat', blocks: [turn], meta: {}, text: '' } as const
    expect(isNotificationList(chat, 'Mitteilungen.txt')).toBe(true)
    expect(isNotificationList(chat, 'family.txt')).toBe(false)
    expect(isNotificationList({ ...chat, kind: 'document' }, 'notifications.md')).toBe(false)
  })
})

describe('a headline', () => {
  it('has no colon behind a title that ends with a mark', async () => {
    const document = documentOf(
      'email',
      [['We close on Sunday 29 November 2026.', { type: 'turn', speaker: 'The Brass Monkey' }]],
      { title: "We're moving!", author: 'The Brass Monkey', participants: ['Mara Lindqvist'] },
    )
    const { memories } = await extractFrom(document)
    expect(memories[0]?.content.headline).toBe("We're moving! We close on Sunday 29 November 2026")
  })
})

describe('a headline of a note', () => {
  const headlineOf = async (text: string) => {
    const { memories } = await extractFrom(documentOf('note', [[text, { type: 'paragraph' }]]))
    return memories[0]?.content.headline
  }

  it.each([
    [
      'things the plumber said\n- boiler is from 2009, parts until 2028 max\n- leave the red valve',
      /^Things the plumber said: Boiler/,
    ],
    ['Omas Apfelkuchen\n250 g Mehl, 125 g Butter\n5 Äpfel, Boskoop\n180 Grad, 50 Minuten', /^Omas Apfelkuchen: /],
  ])('begins with the first line of a list: %s', async (text, headline) => {
    expect(await headlineOf(text)).toMatch(headline)
  })

  it.each(['oat milk\neggs from Ann\nbread', 'We met Ann.\n- She moves to Graz in May'])(
    'takes no first item and no sentence for the title of a list: %s',
    async (text) => {
      expect(await headlineOf(text)).not.toMatch(/^(?:Oat milk|We met Ann\.?): /)
    },
  )

  it('tells the heaviest entry of a list of calls', async () => {
    expect(
      await headlineOf(
        '08:50 out - surgery, 14 min\nHeld for ages on the phone.\n\n10:15 Halifax\nNew offer is 4.12 percent for five years.',
      ),
    ).toContain('4.12 percent')
  })
})

describe('a headline of a letter', () => {
  const headlineOf = async (text: string) => {
    const document = documentOf('email', [[text, { type: 'turn', speaker: 'La Cave du Coin' }]], {
      title: 'Commande',
      author: 'La Cave du Coin',
      participants: ['Mara Lindqvist'],
    })
    const { memories } = await extractFrom(document)
    return memories[0]?.content.headline
  }

  it('leaves out what stands in parentheses where the sentence is too long', async () => {
    expect(
      await headlineOf('Vos 6 bouteilles de Riesling 2023 (72,00 €) vous attendent au magasin jusqu’au 31 octobre.'),
    ).toBe('Commande: Vos 6 bouteilles de Riesling 2023 vous attendent au magasin jusqu’au 31 octobre')
  })

  it('tells what was booked rather than for whom', async () => {
    expect(await headlineOf('Pasajeros: 2, Rodrigo Cantú y Daniela Cantú.\n\nSalida de Vigo a las ocho.')).toContain(
      'Vigo',
    )
  })
})

describe('a headline of a chat', () => {
  it('does not begin with a pronoun for what another sentence names', async () => {
    const { memories } = await extractFrom(
      documentOf(
        'chat',
        turns(
          ['Ximena', 'La bomba del cisterna sigue goteando, ya van 3 días.'],
          ['Beto', 'Es el sello mecánico. Lo pedí ayer a Refacciones Regio, llega el lunes.'],
        ),
      ),
    )
    expect(memories[0]?.content.headline).not.toMatch(/^Lo /)
  })
})

describe('a list of lines without marks', () => {
  it('is known by short lines, however long others are', () => {
    const lines = [
      'Sábado 5: Renfe hasta Vigo 8:20, luego bus Alsa 12:30 (localizador QX41)',
      'Piso de Marta en Rua do Almada 51, la llave la tiene el panadero',
      'Domingo: Lello a las 10',
      'Vuelta el martes 8',
      'falta: pagar a Marta',
    ]
    expect(withWrittenLines(lines.join('\n')).trimEnd().split('\n\n')).toEqual(lines)
  })

  it('is known by lines that no program wraps that early', () => {
    const lines = [
      'Omas Apfelkuchen (endlich aufgeschrieben)',
      '250 g Mehl, 125 g Butter, 1 Ei, Prise Salz',
      '5 Äpfel, Boskoop!',
      'Zucker weglassen',
    ]
    expect(withWrittenLines(lines.join('\n')).trimEnd().split('\n\n')).toEqual(lines)
  })

  it.each([
    'We are meeting with the team of the airline and the people of\nBritish Airways tomorrow, and they want to see the plans before\nFriday at noon.',
    'Hi Ann,\nwe are meeting with the team of the airline and the people of\nBritish Airways tomorrow at noon.',
  ])('is not what a program wrapped: %s', (text) => {
    expect(withWrittenLines(text)).toBe(text)
  })
})

describe('an invitation', () => {
  it('is told without its salutation and cheers', async () => {
    const text =
      'What: Elterngespräch\nWhen: Tuesday, 3 November 2026, 08:30 to 09:30\n\nLiebe Eltern, bitte bringen Sie das Lesetagebuch mit. Wird richtig gut!'
    const narrative = await narrate(
      documentOf('calendar', [[text, { type: 'paragraph' }]], { title: 'Elterngespräch' }),
    )
    expect(narrative).toContain('"Bitte bringen Sie das Lesetagebuch mit."')
  })
})

describe('a letter of a company', () => {
  it('is told without cheers behind its news', async () => {
    const text =
      'Ihr Kindersitz liegt ab dem 3. November bereit. Der Umbau dauert 20 Minuten. Bei uns wird Service großgeschrieben!'
    const narrative = await mail('Fahrrad Hansen GmbH', text)
    expect(narrative).toContain('20 Minuten')
    expect(narrative).not.toContain('Service')
  })

  it.each([
    'Der Keller steht unter Wasser!',
    'Bitte kommt pünktlich!',
    'Ihre Brille ist da!',
    'Er frisst wieder!',
    'Votre dossier est accepté !',
    'You have won the raffle!',
    'Do not drink the tap water!',
    'Votre chambre est prête.',
    'Wear old clothes!',
  ])('keeps what a reader needs: %s', (sentence) => {
    for (const english of [true, false]) expect(isCheer(sentence, english)).toBe(false)
  })
})
