import { describe, expect, it } from 'vitest'
import { documentOf, extractFrom, narrate, turns } from './extract-document-builder.ts'

const ME = 'Mara Lindqvist'
const told = (...said: (readonly [string, string])[]) => narrate(documentOf('chat', turns(...said)))

describe('an exchange in a language that is not reworded', () => {
  it('is one memory with each question before its answer', async () => {
    expect(
      await told(
        ['Nina', 'Oskar hat den Job in Leipzig bekommen.'],
        [ME, 'Echt? Wann fängt er an?'],
        ['Nina', 'Am 1. Februar. Sie suchen jetzt eine Wohnung.'],
      ),
    ).toBe(
      'On 4 March 2026, Nina told me: "Oskar hat den Job in Leipzig bekommen." Nina answered my question "Wann fängt er an?": "Am 1. Februar. Sie suchen jetzt eine Wohnung."',
    )
  })

  it('keeps what follows from it', async () => {
    expect(
      await told(
        ['Léo', 'La pompe est en panne, le technicien vient à 10 h.'],
        [ME, 'Je suis à la maison, donne-lui mon numéro.'],
        ['Léo', "D'accord, merci !"],
      ),
    ).toBe(
      'On 4 March 2026, Léo told me: "La pompe est en panne, le technicien vient à 10 h." I: "Je suis à la maison, donne-lui mon numéro."',
    )
  })

  it('leaves out a yes to a question that was small talk', async () => {
    const narrative = await told(
      ['Nina', 'Hört ihr mich?'],
      [ME, 'Ja, alles gut.'],
      ['Nina', 'Der Termin ist der 12. Dezember, die Aula ist reserviert.'],
      [ME, 'Den großen Topf bringe ich mit.'],
    )
    expect(narrative).not.toMatch(/Hört ihr|alles gut/)
    expect(narrative).toContain('I: "Den großen Topf bringe ich mit."')
  })

  it('asks in one quotation what was said and asked', async () => {
    expect(
      await told(
        ['Álvaro', 'Cierra el bar de Paco, lo han vendido. Hacemos una cena, ¿te apuntas?'],
        [ME, 'Sí, pero llego tarde.'],
      ),
    ).toContain('I answered Álvaro\'s question "Hacemos una cena, ¿te apuntas?": "Sí, pero llego tarde."')
  })

  it('falls back to its heaviest words where it is long', async () => {
    const long = 'Wir haben lange über die Wohnung und den Garten und die Nachbarn gesprochen, und alle waren müde. '
    const { memories } = await extractFrom(
      documentOf('chat', turns(['Nina', long.repeat(5)], ['Tom', 'Die Miete ist 900 Euro ab 1. Juni.'])),
    )
    for (const { content } of memories) expect((content.narrative ?? '').length).toBeLessThan(800)
  })
})
