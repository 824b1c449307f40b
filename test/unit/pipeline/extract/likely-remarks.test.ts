import { describe, expect, it } from 'vitest'
import { isChatter } from '../../../../src/pipeline/extract/salience.ts'
import { isLikelyRemark } from '../../../../src/pipeline/extract/small-talk/likely-remarks.ts'
import { isRemark } from '../../../../src/pipeline/extract/small-talk/remarks.ts'
import { documentOf, extractFrom, turns } from './extract-document-builder.ts'

describe('remarks in wordings that no list has', () => {
  it.each([
    'Those drawings are truly incredible!',
    'Wow, that sounds like the perfect weekend for you!',
    'Your dedication to this community is amazing.',
    'It is really inspiring to see you this happy.',
    'Aw, you two are adorable!',
  ])('are recognized: %s', (sentence) => {
    expect(isLikelyRemark(sentence, true)).toBe(true)
  })

  it.each([
    ['Amazing, great leaving present', true],
    ['Works for me, thank you so much!', true],
    ['写真ありがとう、かわいい', false],
    ['素敵な写真をありがとう！', false],
  ] as const)('are recognized by praise or thanks without anything done: %s', (sentence, english) => {
    expect(isLikelyRemark(sentence, english)).toBe(true)
  })

  it.each([
    'Thanks, I left the stove on',
    'Thanks to you the car is gone',
    'Merci, tu apportes le vin',
    'Thanks, you need a new tire',
    'Amazing, the landlord said yes',
    'ありがとう、鍵がない',
    'ありがとう、鍵は机の上です',
    'ありがとうございます、会議は三階です',
    '谢谢，钥匙在桌上',
  ])('are not what stands behind thanks or praise: %s', (sentence) => {
    expect(isLikelyRemark(sentence, /^[A-Z][a-z]+, (?:I|you|the)|^Thanks/.test(sentence))).toBe(false)
  })

  it.each(["Let's wait one more minute for the others", "I'll leave you to it", '画面見えていますか'])(
    'are set phrases of meetings: %s',
    (sentence) => {
      expect(isChatter(sentence)).toBe(true)
    },
  )

  it.each(["Let's wait one more month for the others", "I'll leave you the car"])('are not plans: %s', (sentence) => {
    expect(isChatter(sentence)).toBe(false)
  })

  it.each([
    'Your mum called',
    'You need a new tire',
    'You can have my ticket',
    'You missed the turn',
    'You tell the others about the cellar.',
    'You left the stove on!',
    "You're on the guest list",
    'It works now!',
    "It's cancer",
    "It's a girl!",
    "It's gluten free!",
    "That's my brother in the picture",
    'That was the cheapest option',
    'This is the wrong key',
    'Take the second exit',
    'Get milk please',
    'Wait for me at the station',
    'Tell her the shop is shut',
    'I love sushi!',
    'I also enjoy reading, watching movies and exploring nature.',
    "I'm good at chess",
    'Finally got the visa!',
    'Nice, we get the deposit back!',
    'They have a pool!',
    "She's a vegetarian now!",
    'Sure, I can pick her up',
    'Hey mum died',
    'Wow, Ruth said yes!',
    'Great, the parcel arrived.',
    'Great job on the report by Friday',
    'How long have you been married?',
  ])('are not what says something of a person, a thing or a plan: %s', (sentence) => {
    expect(isLikelyRemark(sentence, true)).toBe(false)
  })

  it.each([
    'You have asthma.',
    'You are lactose intolerant.',
    'You love cilantro.',
    'You are diabetic',
    'You prefer tea',
    'You love coffee',
    "You're my boss now",
    'You like your coffee black',
    'Your blood pressure is great',
    'Keep your helmet on',
    'Hey, your zip is open',
    'Let me know your blood type',
    'I love a ton of sugar in tea',
    'Du bist laktoseintolerant',
    'Du magst lieber Tee',
    'Haltet die Katze drinnen',
    'Tu es allergique',
    "T'es végétarienne",
    'Eres alérgico',
    'Tienes asma',
    '你不能吃花生',
    '嗯你真的不能吃花生',
    '卵を買ってきてね',
  ])('are not what is said of the listener, or asked of them: %s', (sentence) => {
    for (const english of [true, false]) expect(isLikelyRemark(sentence, english)).toBe(false)
  })

  it.each([
    'Das ist mein Bruder',
    'Ja, ich komme mit',
    'Die hat jetzt einen Hund!',
    "C'est une fille !",
    'Ça ne marche plus',
    '¡Es una niña!',
    'Ya no como carne',
    '飛行機取るね',
    'お肉を食べるのをやめた',
    '您的快件由快递员派送中',
    '报价太贵了',
  ])('keep news in other languages: %s', (sentence) => {
    expect(isLikelyRemark(sentence, false)).toBe(false)
  })

  it('make no memory of a conversation', async () => {
    const remark = 'Those drawings are truly incredible!'
    expect(isChatter(remark) || isRemark(remark)).toBe(false)
    const { memories, chunks } = await extractFrom(
      documentOf('chat', turns(['Ann Lee', remark], ['Mara Lindqvist', 'I sold the old piano to the school.'])),
    )
    expect(memories.map(({ content }) => content.narrative)).toEqual([
      'On 4 March 2026: I sold the old piano to the school.',
    ])
    expect(chunks.map(({ text }) => text)).toContain(remark)
  })

  it('stay in notes, which nobody writes to be polite', async () => {
    const { memories } = await extractFrom(
      documentOf('note', turns(['Ann Lee', 'Those drawings are truly incredible!'])),
    )
    expect(memories).toHaveLength(1)
  })
})
