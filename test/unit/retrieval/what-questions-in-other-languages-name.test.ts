import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leavesOpen } from '../../../src/retrieval/answer/sentences/left-open.ts'
import { createQueryTerm } from '../../../src/retrieval/question/query-terms.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

describe('what a question in German or French names', () => {
  const note = (at: string, text: string): Told => ({ form: 'note', at, text })
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        note('2026-11-02T10:00Z', 'Pfingsten sind wir bei Ulrike in Bremen, vom 22. bis 25. Mai.'),
        note('2026-11-03T10:00Z', 'Die neue Dachrinne kostet 840 €, Angebot vom Spengler Huber.'),
        note('2026-11-04T10:00Z', 'Werkstatt Kern: gesamt 512,00 €. Die Kupplung ist noch in Ordnung.'),
        note('2026-11-05T10:00Z', 'Im September nach Kreta, eine Woche, ich weiß aber noch nicht welche.'),
        note('2026-11-06T10:00Z', 'Segelschein für Ulrike? Kosten 390 €?'),
        note('2026-11-07T10:00Z', 'Unsere Tierärztin ist Frau Dr. Möller.'),
        note('2026-11-08T10:00Z', 'Ihr Lieben, der Kardiologe sagt, ich soll kürzer treten.'),
        note('2026-11-09T10:00Z', 'Le rendez-vous de Maud chez le vétérinaire est le 24 juin à 10h20.'),
        note('2026-11-10T10:00Z', 'Le kiné dit que je dois marcher un peu chaque jour.'),
      ],
      [],
    )
  })

  afterAll(async () => memory.close())

  test.each([
    ['Was kostet die neue Dachrinne?', '840'],
    ['Was will der Spengler für die Dachrinne?', '840'],
    ['Wann sind wir an Pfingsten bei Ulrike?', '22. bis 25. Mai'],
    ['Wie heißt unsere Tierärztin?', 'Möller'],
    ['À quelle heure est le rendez-vous chez le vétérinaire ?', '10h20'],
  ])('is answered where all of it is named: %s', async (question, expected) => {
    const { response, abstained } = await memory.ask(question, 'Martin Krause')
    expect(abstained).toBe(false)
    expect(response.split('\n').slice(0, 2).join('\n')).toContain(expected)
  })

  test.each([
    ['another thing of the same person and place', 'Wann hat Ulrike ihre Hüft-OP in Bremen?'],
    ['another appointment', 'À quelle heure est mon rendez-vous chez le dentiste ?'],
    ['an amount before something without one', 'Was hat die neue Kupplung gekostet?'],
    ['a time that is not known yet', 'In welcher Septemberwoche genau fahren wir nach Kreta?'],
    ['a question', 'Was hat der Segelschein gekostet?'],
    ['a noun with a capital that is no name', 'Wie heißt der Kardiologe?'],
    ['an article with a capital that is no name', "Comment s'appelle le kiné ?"],
  ])('is not answered by %s: %s', async (_, question) => {
    const { abstained } = await memory.ask(question, 'Martin Krause')
    expect(abstained).toBe(true)
  })
})

test.each([
  ['Ideen für den Sommer (nix gebucht)', 'gebucht', true],
  ['Der Flug ist noch nicht gebucht', 'gebucht', true],
  ['Im Juli, weiß aber noch nicht wann', 'fahren', true],
  ['Hotel gebucht, Flug noch nicht', 'gebucht', false],
  ['Am 3. Mai gebucht, nicht teuer', 'gebucht', false],
])('%s leaves open what is asked with %s: %s', (text, word, isOpen) => {
  const asked = { locale: 'de', kind: 'time', terms: [createQueryTerm(word, 10, 1)] } as const
  expect(leavesOpen({ text }, asked, {})).toBe(isOpen)
})

test('a sentence in English is read as before', () => {
  const asked = { kind: 'time', terms: [createQueryTerm('book', 10, 1)] } as const
  expect(leavesOpen({ text: 'Nothing booked yet' }, asked, {})).toBe(false)
})
