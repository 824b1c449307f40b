import type { Answer } from './write-answer.ts'

/** Names that may follow thanks and greetings. */
const REST =
  '(?: (?:there|you|so much|very much|a lot|again|all|everyone|for (?:that|this|(?:the|your) (?:help|answer))|claude|recalld|then|now))*'
const KINDS: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `^(?:(?:ok(?:ay)?|great|perfect|cool|nice|wow|oh|ah)[ ,.!]+)*(?:many |big )?(?:thanks|thank you|thx|ty|cheers|much appreciated|danke(?: schön| dir)?|vielen dank|merci(?: beaucoup)?|(?:muchas )?gracias|谢谢你?|ありがとう(?:ございます)?)${REST}$`,
      'iu',
    ),
    'You’re welcome.',
  ],
  [
    new RegExp(
      `^(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening)|hallo|guten (?:morgen|tag|abend)|bonjour|salut|hola|你好|こんにちは)${REST}$`,
      'iu',
    ),
    'Hello!',
  ],
  [
    new RegExp(
      `^(?:bye|goodbye|good night|see you(?: (?:soon|later|tomorrow))?|tschüss|au revoir|adiós|再见)${REST}$`,
      'iu',
    ),
    'See you!',
  ],
  [/^(?:ok(?:ay)?|great|cool|got it|i see|all right|alright|sounds good)$/iu, 'All right.'],
]
const LONGEST = 60

/** A reply to thanks, a greeting or a farewell, which ask for nothing in memory; `undefined` for everything else. */
export function smallTalkReply(text: string): Answer | undefined {
  const words = text
    .replace(/[\p{P}\p{S}\p{Extended_Pictographic}]+|\ufe0f|\u200d/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (words.length > LONGEST) return undefined
  const reply = KINDS.find(([pattern]) => pattern.test(words))?.[1]
  if (reply === undefined) return undefined
  const response = `${reply} Ask me anything about your memories.`
  return { response, text: response, abstained: false, citations: [] }
}
