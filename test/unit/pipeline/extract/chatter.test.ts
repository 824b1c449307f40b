import { describe, expect, it } from 'vitest'
import { isEmptyNotification, isNotificationList } from '../../../../src/pipeline/extract/letters/notifications.ts'
import { isChatter, isOffer } from '../../../../src/pipeline/extract/salience.ts'

describe('chatter', () => {
  it.each([
    'Right, next slide.',
    'Okay great, shall we move on then?',
    'Sorry, I was on mute.',
    'Can everybody see my screen, Priya?',
    'Any update on this?',
    'thanks, looks good',
    "That's it from my side.",
    'See you tomorrow (25 November 2026)!',
    'Hört ihr mich?',
    'Okay, dann fangen wir mal an.',
    'na dann, frohes Schaffen',
    'on peut y aller ?',
    "N'hésitez pas à nous contacter pour toute question.",
    'perfecto, me pongo con ello',
    'Descarga nuestra app y llévate un 5 % en tu próxima compra.',
    'わかりました、よろしくお願いします',
    '聞こえますか?',
    '好的收到',
    '哈哈哈太好了',
    'missed, unknown number',
    'Thank you for shopping with us!',
  ])('is what says nothing new: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(true)
  })

  it.each([
    'The pump costs 4,300 pounds.',
    "I'll do it.",
    'I think we should wait.',
    'They moved the meeting.',
    'Can you help?',
    'Next week is fine.',
    'Ines is on leave.',
    'Der Ofen ist kaputt.',
    'La console est morte.',
    'El ecógrafo no enciende.',
    '模具昨天到了',
    'ボイラーが壊れました',
    'Thank you for your order 4417, it ships on Monday.',
  ])('is nothing that holds a name, a thing, a day, a number or an act: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(false)
  })

  it('is what a program offers to do next', () => {
    expect(isOffer('Would you like me to draft the reply?')).toBe(true)
    expect(isOffer('¿Quieres que lo haga más formal?')).toBe(true)
    expect(isOffer('You would like the second draft more.')).toBe(false)
  })
})

describe('a notification', () => {
  it.each(['Your streak is in danger!', 'See what your friends are up to', '你关注的主播开播啦'])(
    'says nothing without a name, a number, a day or an event: %s',
    (text) => {
      expect(isEmptyNotification(text)).toBe(true)
    },
  )

  it.each(['You paid £86.40', 'Your parcel was delivered', 'Message from Malcolm', 'Frost tonight'])(
    'is kept with one: %s',
    (text) => {
      expect(isEmptyNotification(text)).toBe(false)
    },
  )

  it('is known by the title of its list', () => {
    const note = { kind: 'note', blocks: [], meta: {}, text: '' } as const
    expect(isNotificationList({ ...note, meta: { title: 'Notifications, 27 November 2026' } }, 'a.txt')).toBe(true)
    expect(isNotificationList({ ...note, text: 'Benachrichtigungen\n07:01 DHL: Paket' }, 'a.txt')).toBe(true)
    expect(isNotificationList({ ...note, meta: { title: 'Plan for notifications' } }, 'notifications.txt')).toBe(false)
  })

  it.each([
    ['several programs', ['Evri', 'Monzo', 'Trainline', 'LinkedIn'], true],
    ['several people', ['Ann', 'Ben', 'Chloe', 'Evri'], false],
    ['two that answer each other', ['Evri', 'Monzo', 'Evri', 'Monzo'], false],
  ])('is known by its senders: %s', (_, speakers, isList) => {
    const blocks = speakers.map((speaker, i) => ({ type: 'turn', speaker, start: i, end: i + 1 }) as const)
    expect(isNotificationList({ kind: 'chat', blocks, meta: {}, text: '' }, 'a.txt')).toBe(isList)
  })
})
