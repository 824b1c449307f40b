import { describe, expect, it } from 'vitest'
import { isChatter } from '../../../../src/pipeline/extract/salience.ts'

describe('a sentence that says nothing', () => {
  it.each([
    'What a relief, well done Callum!',
    'Can everyone see the spreadsheet?',
    'Let me just find the right tab.',
    'Anyone fancy lunch?',
    'Track your order in the app.',
    'Your weekly report is ready',
    'Callum gave you kudos!',
    '11:40 Missed call, unknown number',
    '- 15:02 spam, hung up',
    'Wünsche euch noch einen gemütlichen Abend',
    'Klasse Arbeit, danke dir!',
    'Bon app à tous',
    'Ça roule',
    'Te echamos de menos',
    'Vale, estupendo',
    'では今日はこの辺で。',
    '画面共有しますね',
    '没问题,马上安排',
    '路上注意安全',
  ])('is chatter: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(true)
  })

  it.each([
    'The pump is broken again.',
    'The heating works again.',
    "I'll bring the cake.",
    'We need more chairs.',
    'No milk left.',
    'She said yes.',
    'Passport expires soon.',
    'Die Heizung geht wieder.',
    'Der Hund ist weg.',
    'La voiture est en panne.',
    'Vendí el coche.',
    '妹が結婚する',
    '妈妈住院了',
  ])('is none where something happened or somebody does something: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(false)
  })
})
