interface SpokenTurn {
  readonly speaker: string
  readonly text: string
}

/** English, German, French, Spanish, Italian, Portuguese, Russian. */
const SECOND_PERSON =
  /(?<![\p{L}\p{N}])(?:you|your|yours|u|du|dich|dir|dein\p{L}{0,2}|ihr|euch|tu|te|toi|ton|vous|votre|vos|tú|usted|ustedes|ti|tuo|voi|você|vocês|ты|тебя|тебе|вы|вас|вам)(?![\p{L}\p{N}])/iu

/**
 * Whether labeled texts are a conversation rather than notes below recurring labels (`Breakfast`): a label is a known name,
 * people address each other by it, or they ask questions and say "I" and "you".
 *
 * @param people names in lower case
 */
export function isSpoken(turns: readonly SpokenTurn[], people: ReadonlySet<string>, userName: string): boolean {
  const speakers = new Set(turns.map(({ speaker }) => speaker.toLowerCase()))
  const [firstName = ''] = userName.toLowerCase().split(' ')
  const mine = [userName.toLowerCase(), firstName].filter((name) => name !== '')
  if (mine.some((name) => speakers.has(name)) || [...people].some((name) => speakers.has(name))) return true
  const share = (holds: (turn: SpokenTurn) => boolean) => turns.filter(holds).length / turns.length
  const asked = turns.filter(
    ({ speaker, text }, index) => /[?？]/.test(text) && turns[index + 1] && turns[index + 1]?.speaker !== speaker,
  ).length
  const first = share(({ text }) => isFirstPerson(text))
  const second = share(({ text }) => SECOND_PERSON.test(text))
  if (asked + first + second === 0) return false
  if (callEachOther(turns)) return true
  return asked >= Math.max(1, turns.length / 20) && first >= 0.2 && second >= 0.05
}

function callEachOther(turns: readonly SpokenTurn[]): boolean {
  const names = new Set(turns.map(({ speaker }) => givenName(speaker)).filter((name) => name.length > 2))
  return turns.some(({ speaker, text }) =>
    (text.match(/\p{L}+/gu) ?? []).some((word) => word !== givenName(speaker) && names.has(word)),
  )
}

function givenName(speaker: string): string {
  return /\p{L}+/u.exec(speaker)?.[0] ?? ''
}

/** English, German, French, Spanish, Italian, Portuguese, Russian; without words that differ in meaning ("us", "mi"). */
const FIRST_PERSON =
  /(?<![\p{L}\p{N}])(?:i|i['’](?:m|ve|d|ll)|im|ive|my|me|mine|myself|we|our|ours|ich|mich|mir|mein\p{L}{0,2}|wir|uns|unser\p{L}{0,2}|je|j['’]\p{L}+|moi|mon|mes|nous|notre|nos|yo|mis|nosotr[oa]s|nuestr[oa]s?|io|noi|nostr[oaie]|eu|meu|minha|n[oó]s|nosso|nossa|я|мне|меня|мой|моя|мы|нас|нам|наш\p{L}?)(?![\p{L}\p{N}])/iu

/** Whether it is a first-person statement, which is more frequent in evidence than in other turns of the same person. */
export function isFirstPerson(text: string): boolean {
  return FIRST_PERSON.test(text)
}
