import { describe, expect, it } from 'vitest'
import { findNamedDays } from '../../../../src/lib/dates/named-days.ts'

/** A Tuesday. */
const AT = new Date('2026-11-24T10:00:00Z')

function daysIn(text: string): string[] {
  return findNamedDays(text, { at: AT, timeZone: 'UTC' }).map(({ start }) => start.toISOString().slice(0, 10))
}

describe('a weekday', () => {
  it.each([
    ['The oven comes next week, on Thursday.', '2026-12-03'],
    ['Der Ofen wird nächste Woche geliefert, genauer am Donnerstag.', '2026-12-03'],
    ['Livraison la semaine prochaine, le mercredi.', '2026-12-02'],
    ['Llega la semana que viene, el miércoles.', '2026-12-02'],
    ['Wednesday next week works for me.', '2026-12-02'],
    ['I am away next week but can do Friday.', '2026-11-27'],
    ['Dinner Saturday week, 28 a head.', '2026-12-05'],
    ['The plumber comes on Tuesday week.', '2026-12-08'],
    ['We leave Saturday fortnight.', '2026-12-12'],
  ])('is of the week that is named with it: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
  })

  it.each([
    ['The demo was postponed to Friday.', '2026-11-27'],
    ['I booked a table for Saturday.', '2026-11-28'],
    ['Ich habe den Termin auf Freitag verschoben.', '2026-11-27'],
    ['Le match est reporté à samedi.', '2026-11-28'],
    ["J'ai réservé une table pour samedi.", '2026-11-28'],
    ['La reunión se movió al viernes.', '2026-11-27'],
    ['会議を金曜日に変更しました。', '2026-11-27'],
    ['会议改到周五了。', '2026-11-27'],
  ])('is ahead where something was moved to it: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
  })

  it.each([
    ['Am Sonntag fehlten 60 Brötchen.', '2026-11-22'],
    ['El técnico vino el lunes.', '2026-11-23'],
    ['Elle est venue lundi.', '2026-11-23'],
    ['我周五去了上海。', '2026-11-20'],
    ['Sie ist seit Sonntag krank.', '2026-11-22'],
    ['The invoice was due Friday.', '2026-11-20'],
    ['It was due on the 2nd.', '2026-11-02'],
    ['On Friday, I got the keys.', '2026-11-20'],
    ['Upgrade done on Friday.', '2026-11-20'],
    ['Elle a fait un test vendredi.', '2026-11-20'],
    ['Il a tout vendu vendredi.', '2026-11-20'],
  ])('is over where the sentence is in the past: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
  })

  it.each([
    ['I have a test on Friday.', '2026-11-27'],
    ['We have a visit on Friday.', '2026-11-27'],
    ['There is a lot to do on Friday.', '2026-11-27'],
    ['The new saw comes Friday.', '2026-11-27'],
    ['On Friday, I will get the keys.', '2026-11-27'],
    ['We get it done on Friday.', '2026-11-27'],
    ['La réunion a lieu vendredi.', '2026-11-27'],
  ])('is ahead where only a noun looks like a verb of the past: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
  })

  it.each([
    ['She called on Friday and comes on Saturday.', ['2026-11-20', '2026-11-28']],
    ['He said the parcel comes Thursday.', ['2026-11-26']],
    ['La salle est prise vendredi.', ['2026-11-27']],
    ['¿Qué hacemos el jueves?', ['2026-11-26']],
  ])('follows the verb of its own clause: %s', (text, days) => {
    expect(daysIn(text)).toEqual(days)
  })

  it.each(['She got a seat on the Thursday flight.', 'I cancelled the course on Thursday.'])(
    'is left open where it may be either: %s',
    (text) => {
      expect(daysIn(text)).toEqual([])
    },
  )
})

describe('a weekday or a month', () => {
  it('adds nothing to the date behind it', () => {
    expect(daysIn('Wir lesen am Freitag, den 11.12.2026, ab.')).toEqual(['2026-12-11'])
  })

  it('is the next one before which something is to be done', () => {
    expect(daysIn('Abre una reclamación antes del lunes.')).toEqual(['2026-11-30'])
    expect(daysIn('Our contract runs till August.')).toEqual(['2027-08-01'])
  })
})

describe('a weekday that recurs', () => {
  it.each([
    "I'd like every second Wednesday off.",
    'We meet every other Friday.',
    'Jeden zweiten Dienstag ist Chor.',
    'Lo reparten los martes.',
    'Every 2nd Friday I swim.',
    'Yoga is every Monday and Thursday.',
    'Chaque deuxième vendredi il y a marché.',
  ])('is no single day: %s', (text) => {
    expect(daysIn(text)).toEqual([])
  })
})

describe('a day without a month', () => {
  it.each([
    ['Could I start on 11 January instead? The wedding is on the 9th.', ['2027-01-11']],
    ['The wedding is on the 9th. Could I start on 11 January?', ['2026-12-09', '2027-01-11']],
    ['Deadline is 10 February. I paid the deposit on the 20th.', ['2027-02-10', '2026-11-20']],
    ['We fly on 20 December.\n\nThe form is due on the 30th.', ['2026-12-20', '2026-11-30']],
    ['He was here on 3 November. The next visit is on the 9th.', ['2026-11-03', '2026-12-09']],
  ])('is not told where it may be of a later month that was named before: %s', (text, days) => {
    expect(daysIn(text)).toEqual(days)
  })
})

describe('a weekday with a number', () => {
  it.each([
    ['El sábado 28 hacemos la fiesta.', '2026-11-28'],
    ['On se voit samedi 28 chez moi.', '2026-11-28'],
    ['We meet on Saturday the 28th.', '2026-11-28'],
    ['Samstag 28. wäre gut.', '2026-11-28'],
    ['Am Montag, den 30. geht es los.', '2026-11-30'],
    ['El jueves 19 no estuve.', '2026-11-19'],
  ])('is that day: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
  })

  it.each([
    ['Montag 30 Uhr oder später.', '2026-11-30'],
    ['Samstag 28 Euro pro Person.', '2026-11-28'],
    ['Saturday 28 to 30 people come.', '2026-11-28'],
    ['See you Friday 7 at the station.', '2026-11-27'],
    ['El sábado 28 personas vinieron.', '2026-11-21'],
    ['El lunes 30 personas faltaron.', '2026-11-23'],
    ['Samedi 28 personnes viennent.', '2026-11-28'],
    ['Jeudi 3 places sont libres.', '2026-11-26'],
    ['Lundi 30 minutes de retard.', '2026-11-30'],
    ['Lunes 30 minutos de retraso.', '2026-11-30'],
    ['On Monday 30 was enough.', '2026-11-23'],
    ['Saturday 28 people came.', '2026-11-21'],
    ['Friday 27 boxes arrive.', '2026-11-27'],
    ['Samstag fehlten 28 von 30.', '2026-11-21'],
  ])('is the next such day where the number is something else: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
  })

  it.each([
    ['On se voit samedi 5 à 9 h.', '2026-12-05'],
    ['La cita es el viernes 4 a las 10.', '2026-12-04'],
    ['Lundi 7, on déménage.', '2026-12-07'],
  ])('is that day before a clock or a pause: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
  })

  it('is open where the number may be an hour', () => {
    expect(daysIn('Samstag 5 bei mir?')).toEqual([])
  })
})

describe('a weekday after "got"', () => {
  it('is open, because what somebody got may be an appointment', () => {
    expect(daysIn('got one on Thursday, 8am')).toEqual([])
    expect(daysIn('We got a table on Thursday')).toEqual([])
  })

  it.each([
    ['I got a call on Thursday from the bank', '2026-11-19'],
    ['We got an offer on Thursday', '2026-11-19'],
    ['She got my letter on Friday', '2026-11-20'],
    ['He got a new job on Monday', '2026-11-23'],
    ['We got some rain on Sunday', '2026-11-22'],
  ])('is in the past where somebody received something: %s', (text, day) => {
    expect(daysIn(text)).toEqual([day])
  })

  it('is in the past where something was handed over', () => {
    expect(daysIn('I got the keys on Monday.')).toEqual(['2026-11-23'])
  })
})
