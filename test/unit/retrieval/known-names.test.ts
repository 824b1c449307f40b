import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { askedCategory } from '../../../src/retrieval/question/asked-category.ts'
import { isWritten, namesOfKind, namesOfMentions } from '../../../src/retrieval/question/known-names.ts'
import type { Told } from '../../lib/labelled-pair.ts'
import { openToldMemory } from '../../lib/told-memory.ts'

const stemsOf = (kind: string) => namesOfKind(kind).map(({ stem }) => stem)

test.each([
  ['cars', 'polo', 'barclai'],
  ['bank', 'sparkass', 'polo'],
  ['streaming service', 'netflix', 'dhl'],
  ['phone company', 'vodafon', 'iphon'],
  ['programming languages', 'kotlin', 'italian'],
  ['medicine', 'ibuprofen', 'magnesium'],
  ['board game', 'carcassonn', 'tetri'],
])('%s: %s, but not %s', (kind, name, other) => {
  expect(stemsOf(kind)).toContain(name)
  expect(stemsOf(kind)).not.toContain(other)
})

test('only letters and hyphens are in names that have to be written in one way', () => {
  const text = readFileSync(packagePath('models/words-en/names.txt'), 'utf8')
  const marked = text.match(/(?<=: .*)(?<= )[~^\p{Lu}]\S*/gu) ?? []
  expect(marked.length).toBeGreaterThan(100)
  expect(marked.filter((name) => !/^[~^]?[\p{L}-]+$/u.test(name))).toEqual([])
})

test.each([
  ['Which car do I drive?', 'car', []],
  ['What streaming service did I cancel?', 'servic', ['stream']],
  ['Which appliance did I cancel?', 'applianc', []],
])('%s asks for a kind of %s', (question, term, others) => {
  expect(askedCategory(question)?.term).toBe(term)
  expect(askedCategory(question)?.others).toEqual(others)
})

test.each([
  ["When is the car's inspection?", 'car', true],
  ['How much did my new phone cost?', 'phone', true],
  ["What does Ben's bank charge?", 'bank', true],
  ['Who broke the washing machine?', 'wash', true],
  ['Did I ever rent a car?', 'car', false],
  ['Who won the game?', 'game', false],
  ['How much does the app cost?', 'app', false],
])('%s: whether names of %s count is %s', (question, stem, isMentioned) =>
  expect(namesOfMentions(question).has(stem)).toBe(isMentioned),
)

test.each([
  ['Polo', 'Sold the Polo today.', true],
  ['Polo', 'The Polo’s MOT', true],
  ['Polo', 'a polo shirt', false],
  ['~Golf', 'I parked my Golf outside.', true],
  ['~Golf', 'the old Golf', true],
  ['~Golf', 'Golf on Saturday', false],
  ['~Golf', 'We play Golf on Saturdays.', false],
  ['~Golf', 'the Golf Club', false],
  ['~Ford', 'Dinner with Harrison Ford', false],
  ['^Orange', 'My contract with Orange ends.', true],
  ['^Orange', 'Orange is a nice color.', false],
  ['^Orange', 'an orange', false],
  ['Polo', 'the Polo neck of my sweater', false],
  ['~Golf', 'I sold my Golf clubs.', false],
  ['^Galaxy', 'The Galaxy lamp broke.', false],
  ['garmin', 'I put the Garmin strap into the drawer.', false],
  ['garmin', 'I put the Garmin into the drawer.', true],
  ['garmin', 'I put the garmin away.', true],
  ['Polo', 'Sold the Polo yesterday', true],
])('%s in %s: %s', (name, text, isName) => expect(isWritten(name, text)).toBe(isName))

const note = (text: string): Told => ({ form: 'note', at: '2026-06-01T09:00Z', text })

async function ask(question: string, ...texts: readonly string[]) {
  const memory = await openToldMemory(texts.map(note), [])
  const { response, abstained } = await memory.ask(question, 'Tess Moreau')
  await memory.close()
  return { response, abstained }
}

describe('a name answers a question for its kind', () => {
  test.each([
    ['Which car do I drive?', 'I drive to work in the Polo when it rains.', /Polo/],
    ['What car does Ben have?', 'Ben has bought a Skoda.', /Skoda/],
    ['What car did Ben buy?', 'Ben bought an old Golf in May.', /Golf/],
    ['Which bank has my salary account?', 'My salary account is at the Sparkasse.', /Sparkasse/],
    ['What is the name of my bank?', 'My bank account is at the Sparkasse.', /Sparkasse/],
    ["What's my phone company called?", 'The phone is with Vodafone until May.', /Vodafone/],
    ['What streaming service did I cancel?', 'Cancelled Netflix on 3 April.', /Netflix/],
    ['Which airline did we fly to Porto with?', 'We flew to Porto with Ryanair.', /Ryanair/],
    ['Which laptop does Ben use?', 'Ben uses a ThinkPad.', /ThinkPad/],
    ['What database do we use for orders?', 'We use Postgres for the orders.', /Postgres/],
  ])('%s', async (question, text, right) => {
    const { response, abstained } = await ask(question, text, 'The plumber comes on Monday at ten.', 'We had soup.')
    expect(abstained, response).toBeFalsy()
    expect(response).toMatch(right)
  })
})

test.each([
  ['car', ['Lupo', 'Niro']],
  ['medicine', ['Frontline']],
  ['instrument', ['Hammond']],
])('first names and words among names of a %s count only behind a determiner', (kind, listed) => {
  const written = namesOfKind(kind).map((name) => name.written)
  expect(written).toEqual(expect.arrayContaining(listed.map((name) => `~${name}`)))
})

describe('a name stands for what a question mentions', () => {
  test.each([
    ["When is the car's MOT?", "The Polo's MOT is on 3 May.", /3 May/],
    ['When was the car sold?', 'Sold the Polo on 2 July.', /2 July/],
    ['When was the car sold?', 'Sold the Polo to a young man from Guisborough.', /1 June/],
    ['When did the operation begin?', 'The surgery began at nine.', /nine/],
    ['How much was the car insurance?', 'Allianz for the Polo: 480 euros a year.', /480 euros/],
    ['How much is the phone insurance?', 'Insurance for the iPhone: 8 euros a month.', /8 euros/],
    ['When was the heating serviced?', 'The Vaillant was serviced on 4 February.', /4 February/],
  ])('%s', async (question, text, right) => {
    const { response, abstained } = await ask(question, text, 'The plumber comes on Monday at ten.', 'We had soup.')
    expect(abstained, response).toBeFalsy()
    expect(response).toMatch(right)
  })
})

describe('another use of the word, or another kind, does not', () => {
  test.each([
    ['Which car do I have?', 'I have golf lessons on Fridays.'],
    ['Which car do I have?', 'I have the focus on my exams now.'],
    ['Which car did I buy?', 'I bought a polo shirt and socks.'],
    ['Which car did I buy?', 'I bought a mini fridge for the office.'],
    ['What car does Ben have?', 'Ben has a beetle in a jar.'],
    ['What car does Ben have?', 'Ben has seen a jaguar at the zoo.'],
    ['What car does Ben have?', 'Ben has a Vespa.'],
    ['Which motorbike do I have?', 'I have a Polo and drive it to work.'],
    ['Which motorbike do I have?', 'I have a Brompton for the commute.'],
    ['Which bike did I buy?', 'I bought a Yaris in May.'],
    ['Which bike did I buy?', 'I went on a trek in Nepal and bought a hat.'],
    ['Which bank do I use?', 'I use starling feeders in the garden.'],
    ['Which bank gave me the loan?', 'Allianz gave me the forms.'],
    ['Which phone did I buy?', 'I bought a galaxy of stars for the ceiling.'],
    ['Which phone did I buy?', 'I bought blackberry jam at the market.'],
    ['Which phone company do I use?', 'I use orange juice for the cake.'],
    ['Which phone company do I use?', 'I use salt and pepper.'],
    ['Which energy supplier do we have?', 'We have seen an octopus in the aquarium.'],
    ['Which messenger do we use?', 'We use a signal with the lamp when dinner is ready.'],
    ['Which messenger do I use?', 'I use the Sparkasse.'],
    ['Which payment service do we use?', 'We use a stripe of blue paint.'],
    ['Which programming language do I use?', 'I use a python skin belt.'],
    ['Which programming language do we use?', 'We use the rust remover on the gate.'],
    ['Which programming language do we use?', 'We use Postgres for orders.'],
    ['Which database do we use?', 'We use Kotlin for the service.'],
    ['Which database do we use?', 'We use an oracle from the fair.'],
    ['Which framework do we use?', 'We use rails along the curtain.'],
    ['Which framework do we use?', 'We react at once and use the stairs.'],
    ['Which browser do I use?', 'I use the edge of the table.'],
    ['Which browser do I use?', 'I use chrome polish for the taps.'],
    ['Which airline do I use?', 'I use emirates as an example in class.'],
    ['Which airline did we fly with?', 'We fly with a Yaris.'],
    ['Which shop did I use?', 'I use amazon parrots in the story.'],
    ['Which parcel service do I use?', 'I use hermes as the name of a god.'],
    ['Which laptop did I buy?', 'I bought an iPhone.'],
    ['Which tablet did I buy?', 'I bought a kindle fire starter.'],
    ['Which console do I have?', 'I have a light switch in the hall.'],
    ['Which watch do I have?', 'I have the omega of the alphabet on a card.'],
    ['Which dog do we have?', 'We have a boxer from the club for dinner.'],
    ['What breed is our dog?', 'We have a siamese.'],
    ['Which newspaper do we read?', 'We read to the guardian of the child.'],
    ['Which medicine do I take?', 'I take the Polo.'],
    ['Which instrument do I play?', 'I play padel.'],
    ["When is the car's MOT?", 'The golf club meets on 3 May.'],
    ['When is the car due?', 'The focus of the course is due on 5 May.'],
    ['How much was the car?', 'The polo shirt was 40 euros.'],
    ['How much was the car?', 'The Vespa was 2300 euros.'],
    ['How much was the phone?', 'The galaxy poster was 20 euros.'],
    ['When does the bank call?', 'The Yaris is ready on 5 May.'],
    ["What is the dog's name?", 'The labrador ate my shoe.'],
    ['What is the name of my bank?', 'The Polo was at the garage.'],
    ['How much was the car insurance?', 'Allianz sent a calendar for 12 euros.'],
    ['When was the car sold?', 'Sold the Vespa to a young man.'],
    ['When was the phone sold?', 'Sold the Polo to a young man.'],
    ['When is the game?', 'Carcassonne was delivered on 5 May.'],
  ])('%s isn’t answered by: %s', async (question, text) => {
    const { response, abstained } = await ask(question, text, 'The plumber comes on Monday at ten.', 'We had soup.')
    expect(abstained, response).toBe(true)
  })
})
