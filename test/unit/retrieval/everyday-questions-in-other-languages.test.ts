import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstTerm } from '../../../src/lib/analyze.ts'
import { type AnswerKind, answerKind, holdsKind } from '../../../src/retrieval/question/answer-kind.ts'
import { englishForm } from '../../../src/retrieval/question/languages/english-form.ts'
import { inflections } from '../../../src/retrieval/question/languages/inflections.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'

describe('what a question without a verb asks for, in another language', () => {
  const KINDS: readonly (readonly [question: string, kind: AnswerKind])[] = [
    ['Höhe der Kaution', 'money'],
    ['Hoehe Kaution Nordstraße', 'money'],
    ['Heizölpreis ab Oktober?', 'money'],
    ['Nummer von Rolf', 'code'],
    ['Termin beim Augenarzt', 'time'],
    ['prix de la terrasse', 'money'],
    ['date du contrôle technique', 'time'],
    ['numéro de Camille', 'code'],
    ['precio del cubierto', 'money'],
    ['hora de la tutoría', 'time'],
    ['q día es la boda', 'time'],
    ['¿Cuánto cobra Irene por hora?', 'money'],
    ['Combien dois-je payer pour la haie ?', 'money'],
    ['wieviel muss ich für die Brille zahlen', 'money'],
    ['In welcher KW kommt der Estrich?', 'time'],
    ['Um wieviel Uhr gehts los?', 'time'],
  ]

  test.each(KINDS)('%s asks for %s', (question, kind) => {
    expect(answerKind(englishForm(question).text)).toBe(kind)
  })
})

test.each<readonly [AnswerKind, string, 'de' | 'fr' | 'es']>([
  ['time', 'Filter gewechselt am 11. Mai', 'de'],
  ['time', 'Abnahme 4.12.', 'de'],
  ['time', 'cita el 10/12', 'es'],
  ['time', 'comemos a las dos y media', 'es'],
])('a %s is recognized in a few words, in the language of the question: %s', (kind, sentence, locale) => {
  expect(holdsKind(kind, sentence, 0, locale)).toBe(true)
})

test('an English sentence stays one beside a question in another language', () => {
  expect(holdsKind('time', 'She said that die is a word', 0, 'de')).toBe(false)
})

test.each([
  ['Wann wird Lena operiert?', 'operiert', 'operation'],
  ['Wer hat Paul abgeholt?', 'abgeholt', 'holt'],
  ['Wann fährt der Bus?', 'fahrt', 'gefahren'],
  ['Wo ist Froehlich?', 'froehlich', 'frohlich'],
  ['Quand vient le plombier ?', 'vient', 'venu'],
  ['¿Cuándo empieza el curso?', 'empieza', 'empezo'],
])('%s is also searched for by another form of %s: %s', (question, term, form) => {
  expect(
    inflections(question)
      .get(term)
      ?.map(({ stem }) => stem),
  ).toContain(firstTerm(form))
})

describe('answers to everyday questions in German and Spanish', () => {
  const note = (at: string, text: string): Told => ({ form: 'note', at, text })
  let memory: ToldMemory

  beforeAll(async () => {
    memory = await openToldMemory(
      [
        note('2026-11-02T10:00Z', 'Das Angebot für die Gartenmauer ist da, der Preis der Mauer ist 7.450 €.'),
        note('2026-11-04T10:00Z', 'Keilriemen gewechselt am 11. Mai, Bremsen noch gut.'),
        note('2026-11-05T10:00Z', 'Lena: OP ist am 9. Dezember in der Uniklinik Gießen.'),
        note('2026-11-06T10:00Z', 'Unsere Steuerberaterin ist Frau Heckmann.'),
        note('2026-11-08T10:00Z', 'Der Elternabend ist am 2.12., es geht um die Klassenfahrt.'),
        note('2026-11-09T10:00Z', 'Elternabend: Beginn 19:30 Uhr in Raum 214.'),
        note('2026-11-10T10:00Z', 'Der Töpferkurs ist jetzt donnerstags statt dienstags.'),
        note('2026-11-07T10:00Z', 'La renta del local son 620 € al mes.'),
      ],
      [],
    )
  })

  afterAll(async () => memory.close())

  test.each([
    ['Angebotspreis Gartenmauer?', '7.450'],
    ['Wann hab ich den Keilriemen zuletzt gewechselt?', '11. Mai'],
    ['Wann wird Lena operiert?', '9. Dezember'],
    ['In welcher Klinik wird Lena operiert?', 'Gießen'],
    ['Wer macht jetzt unsere Steuer?', 'Heckmann'],
    ['Um wieviel Uhr gehts beim Elternabend los?', '19:30'],
    ['An welchem Wochentag ist der Töpferkurs?', 'donnerstags'],
    ['¿Cuánto pago ahora de alquiler del local?', '620'],
  ])('%s: %s', async (question, expected) => {
    const { response, abstained } = await memory.ask(question, 'Martin Krause')
    expect(abstained).toBe(false)
    expect(response.split('\n').slice(0, 2).join('\n')).toContain(expected)
  })

  test('a part of a compound alone is no answer', async () => {
    const { abstained } = await memory.ask('Was kostet die Brillenversicherung?', 'Martin Krause')
    expect(abstained).toBe(true)
  })
})
