import { describe, expect, it } from 'vitest'
import { fitted, shortened } from '../../../../src/pipeline/extract/headline/headline-cut.ts'
import { documentOf, extractFrom, minute, turns } from './extract-document-builder.ts'

const ROOM = 90
const ME = 'Mara Lindqvist'
type Said = readonly [speaker: string, text: string]

describe('where a long headline ends', () => {
  it.each([
    [
      'Bitte sorgen Sie dafür, dass alle Heizkörper in der Wohnung und im Keller am Dienstag ab acht Uhr zugänglich sind',
    ],
    [
      'Ich habe den neuen Mietvertrag für die Garage in der Osterstraße und den Zusatz zum Stellplatz heute unterschrieben',
    ],
    ['Wir haben im Sommer die Heizung, die Fenster im Erdgeschoss und das Dach der Scheune endlich reparieren lassen'],
  ])('is not before what it says: %s', (sentence) => {
    expect(shortened(sentence, ROOM)).toBeUndefined()
  })

  it.each([
    [
      'Ich habe gestern mit Frau Okafor telefoniert, und sie hat gesagt, dass der Keller bis Ende November leer sein muss',
      'Ich habe gestern mit Frau Okafor telefoniert',
    ],
    [
      'Ihr Antrag ist am 3. November bei uns eingegangen, und wir haben ihn an die zuständige Stelle im Rathaus weitergeleitet',
      'Ihr Antrag ist am 3. November bei uns eingegangen',
    ],
    [
      'The boiler guy, Mr. Hansen, said the pressure valve is leaking, and that it has to be replaced before winter comes',
      'The boiler guy, Mr. Hansen, said the pressure valve is leaking',
    ],
    [
      'Le recordamos que tiene cita con la Dra. Campos el jueves 19 de noviembre. Traiga la última radiografía y la tarjeta',
      'Le recordamos que tiene cita con la Dra. Campos el jueves 19 de noviembre',
    ],
  ])('%s', (sentence, headline) => {
    expect(fitted(sentence, ROOM)).toBe(headline)
  })
})

describe('the headline', () => {
  const headlineOf = async (...args: Parameters<typeof extractFrom>) =>
    (await extractFrom(...args)).memories[0]?.content.headline

  it('of a conversation called by its people is what was said', async () => {
    const said = turns(
      ['Rasmus Dahl', 'Do you still have the contract with Kestrel Print?'],
      ['Mara Lindqvist', 'Yes, in the safe.'],
    )
    const meta = { title: 'Mara Lindqvist, Rasmus Dahl', participants: ['Mara Lindqvist', 'Rasmus Dahl'] }
    expect(await headlineOf(documentOf('chat', said, meta))).toContain('contract with Kestrel Print')
  })

  it('of a bare request to an agent is its answer', async () => {
    const asked = { type: 'turn', role: 'user', at: minute(0) } as const
    const done = { type: 'turn', role: 'assistant', speaker: 'Claude Code', at: minute(1) } as const
    const document = documentOf('agent', [
      ['Please add it to the README', asked],
      ['I added a section on backups to README.md with both flags.', done],
    ])
    expect(await headlineOf(document)).toContain('README.md with both flags')
  })

  it('begins behind more than one opener', async () => {
    const said = turns(['Kofi', 'oh btw I got the job at Monzo!!'], ['Mara Lindqvist', 'WHAT'])
    expect(await headlineOf(documentOf('chat', said))).toBe('Kofi got the job at Monzo')
  })

  it.each<readonly [what: string, question: Said, answer: Said, headline: string]>([
    [
      'a question for little has its answer',
      [ME, 'Did the plumber come?'],
      ['Ann Lee', 'He said between ten and noon.'],
      'Did the plumber come? He said between ten and noon',
    ],
    [
      'an answer by a pronoun has its question',
      ['Ann Lee', 'Wer hat noch die Lichterkette vom letzten Jahr?'],
      [ME, 'Die liegt bei uns im Keller, bring ich mit.'],
      'Wer hat noch die Lichterkette vom letzten Jahr? Die liegt bei uns im Keller, bring ich mit',
    ],
    [
      'what is cut of it is the end of the answer',
      ['Ann Lee', 'Wer hat eigentlich noch die Lichterkette vom letzten Jahr?'],
      [ME, 'Die liegt bei uns im Keller, bring ich mit.'],
      'Wer hat eigentlich noch die Lichterkette vom letzten Jahr? Die liegt bei uns im Keller',
    ],
    [
      'an article before a noun is no pronoun',
      ['Ann Lee', 'Wann wird geliefert?'],
      [ME, 'Die neue Spülmaschine kommt am Dienstag um neun.'],
      'Die neue Spülmaschine kommt am Dienstag um neun',
    ],
    [
      'nor is one before a capitalized noun that ends like a verb',
      ['Ann Lee', 'Hat die Firma sich wegen der Heizung gemeldet?'],
      [ME, 'Das Angebot liegt bei 900 Euro und gilt bis Freitag.'],
      'Das Angebot liegt bei 900 Euro und gilt bis Freitag',
    ],
    [
      'nor is one before a city',
      ['Ann Lee', 'Warum ist da heute so viel Stau?'],
      [ME, 'Die Stadt sperrt die Brücke, ab Montag für zwei Wochen.'],
      'Die Stadt sperrt die Brücke, ab Montag für zwei Wochen',
    ],
  ])('of an exchange: %s', async (_, question, answer, headline) => {
    expect(await headlineOf(documentOf('chat', turns(question, answer)))).toBe(headline)
  })

  it('of a notification says which program sent it', async () => {
    const text = 'Notifications, 18 November 2026'
    const said = turns(['Boiler', 'Pressure is low, 0.7 bar'], ['DHL', 'DHL delivered your parcel at 11:20'])
    const { memories } = await extractFrom(documentOf('chat', said, { title: text }))
    expect(memories.map(({ content }) => content.headline)).toEqual([
      'Boiler: Pressure is low, 0.7 bar',
      'DHL delivered your parcel at 11:20',
    ])
  })

  it('of a letter in German is what it asks for, with its day', async () => {
    const letter =
      'Kannst du am 21. November die Aufsicht in der Halle übernehmen? Es wären zwei Stunden, von 10 bis 12 Uhr.'
    const document = documentOf('email', turns(['SV Lindenau', letter]), { title: 'Frage zum Training' })
    expect(await headlineOf(document)).toBe(
      'Frage zum Training: Kannst du am 21. November die Aufsicht in der Halle übernehmen?',
    )
  })
})
