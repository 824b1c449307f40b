import { describe, expect, it } from 'vitest'
import { fitted, shortened } from '../../../../src/pipeline/extract/headline/headline-cut.ts'
import { documentOf, extractFrom, minute, turns } from './extract-document-builder.ts'

const ROOM = 90

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
})
