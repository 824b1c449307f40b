import type { Chunk } from '../../../domain/document.ts'
import { STOP_WORDS } from '../../../lib/analyze.ts'
import { calendarWord } from '../../../lib/calendar-names.ts'
import { splitSentences } from '../../../lib/sentences.ts'
import { type People, splitAddressee } from '../people.ts'
import { excludesListener, includesReader } from '../speech/addressing.ts'
import { sentenceWeight } from '../speech/quotations.ts'
import { reportSentence } from '../speech/reported-speech.ts'
import { IN_ANY_PERSON, speechAct } from '../speech/speech-acts.ts'
import { COMMON_WORDS } from '../tags.ts'
import { fitted } from './headline-cut.ts'

/** Maximum characters, so that it fits one line in a list of memories. */
export const LONGEST = 90
/** Minimum topical words of a sentence that needs no title. */
export const TELLING = 4
const CONTENT_WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}|[\p{L}\p{N}]{3,}/gu
/** Minimum characters of a sentence with a fact. */
export const LEAST_FACT = 18

/** First persons, who could be anybody in a headline. */
export const OWN = /\b(?:I|my|we|our|ich|wir|je|nous|yo)\b/

/** How much of a passage is searched. */
export const LOOKED_AT = { chunks: 12, characters: 600, sentences: 4, factCharacters: 1_500 }

/** Removes the first word of `Und das Tor ist offen` and `Perfecto, yo llevo pan`. */
export function withoutConnective(sentence: string): string {
  const bare = sentence.replace(SALUTED, '').replace(CONNECTIVE, '')
  if (bare.length < LEAST_FACT / 2) return sentence
  // `src/parse.ts` keeps its case.
  return PATH.test(bare) ? bare : bare.charAt(0).toUpperCase() + bare.slice(1)
}
/** `Liebe Eltern, der Umzug ...` */
const SALUTED =
  /^(?:liebe[rs]?|sehr geehrte[rs]?|dear|chère?s?|cher|querid[oa]s?|estimad[oa]s?) (?:\p{L}[\p{L}.’'-]{0,30} ){0,3}\p{L}[\p{L}.’'-]{0,30}, (?=\p{L})/iu
const PATH = /^[\w.-]+[/_]\S|^[\w-]{1,40}\.[a-z]{1,4}(?=[ ,:]|$)/
/** `Dann brauche ich` asks without its first word; before a subject the word can go. */
const SUBJECT =
  "(?=(?:ich|wir|du|ihr|er|es|der|die|das|ein|eine|mein|meine|unser|unsere|je|j['’]|on|nous|il|elle|le|la|les|l['’]|un|une|mon|ma|el|los|las|mi|yo|I|we|you|they|he|she|it|there|the|a|an|my|our|your)(?![\\p{L}]))"
/** `Quick update: `, `Note to self. `, `Petit rappel : `: what kind of remark follows. */
const LABEL_WORDS =
  '(?:(?:just )?(?:an? )?(?:quick|short|small|gentle|friendly|kurze[rs]?|kleine[rs]?|petite?|pequeñ[oa]) )?(?:update|reminder|note(?: to self)?|fyi|ps|p\\.s\\.|nb|info|zur info|hinweis|erinnerung|nachtrag|rappel|nota|aviso|recordatorio|question|quick q|frage|pregunta)'
const LABEL = `${LABEL_WORDS}(?: ?[:：]| [–—-]|\\.|(?<=self),) `
/** `Le confirmamos que`, `We are pleased to inform you that`, `Done.`: what is said follows. */
const ANNOUNCED =
  "as (?:discussed|agreed|promised|mentioned)(?: (?:earlier|yesterday|on the phone))?[:,] |wie (?:besprochen|vereinbart)[:,] |comme convenu[:,] |como (?:quedamos|acordamos)[:,] |(?:all )?(?:done|fixed|sorted)[.!] (?=\\S+ \\S+ )|(?:le|les|os|te) (?:confirmamos|informamos|comunicamos|recordamos)(?: de)? que |nous (?:vous|t['’]) ?(?:confirmons|informons|rappelons) que |je (?:vous|te) (?:confirme|informe|rappelle) que |(?:(?:we are|we['’]re|I am|I['’]m) (?:pleased|happy|glad|sorry|delighted|writing) to|(?:just )?to|we (?:hereby|can)|this is to) (?:confirm|inform you|let you know|tell you|advise you|remind you) that "
const CONNECTIVE = new RegExp(
  `^(?:(?:(?:und|aber|et|mais|donc|y|pero|and|but|so)[,]? |(?:dann|alors|entonces|then|also|additionally|in addition|außerdem|zudem|auch|aussi|además|también)(?:, | ${SUBJECT})|(?:moi|ich|me), (?=j['’]|je |ich |I )|(?:top|super|genau|ja|nein|okay?|oui|non|bon|bueno|sí|no|perfecto|claro|vale|dale|perfect|great|lovely|thanks|thank you|yes|d['’]accord|einverstanden|parfait|génial|genial|gut|gern|klar|also|alors|fine|right|morgen|moin)[,!.:]+ ?|(?:でも|それで|じゃあ|はい|わかりました|了解(?:です|しました)|あと|ちなみに|那|好的?|行)[，、,。!！]|(?:じゃあ?|それじゃあ?|那就?)(?=[\\p{Script=Han}\\p{Script=Katakana}])|${ANNOUNCED}|${LABEL}))+`,
  'iu',
)
/** `Note to self.`, `Quick update:` alone. */
export function isLabel(sentence: string): boolean {
  return LABEL_ALONE.test(sentence)
}
const LABEL_ALONE = new RegExp(`^(?:(?:ok|okay|so|right),? )*${LABEL_WORDS} ?[.:!：]?$`, 'iu')

/** Scripts without spaces. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** `Ann promised to send the contract`; the owner's start with "I". */
export function actHeadline(
  sentence: string,
  { speaker }: Pick<Chunk, 'speaker'>,
  people: People,
  addressee?: string,
): string | undefined {
  if (speaker === undefined) return undefined
  const byMe = people.isMe(speaker)
  const { to = addressee, text } = splitAddressee(sentence, people, speaker)
  const isToMe = !byMe && (to === undefined ? people.partner !== undefined : people.isMe(to))
  const listener = byMe ? (to ?? people.partner) : isToMe ? 'me' : to
  const act = speechAct(text, { byMe, toMe: isToMe, withMe: people.hasMe, listener })
  return act && `${byMe ? 'I' : people.familiar(people.display(speaker))} ${act}`
}

/** `I replaced`, `I've just sent`: a deed, which can be told of a name. */
const DID =
  /^I(?:['’]ve| have)?(?: just| already| also| then)? (\p{Ll}+ed|sent|made|found|took|got|wrote|built|bought|left|put|set|ran|saw|met|told|gave|went|kept|lost|paid|began|chose|drove|brought|spoke|booked|cut|rebuilt)(?=[ .,;])(.*)$/u
const FIRST_PERSON = /\b(?:I|me|my|mine|we|us|our|myself)\b/i
/** Where what somebody does begins after a statement: `The plotter is out of ink, I ordered more`. */
const OWN_CLAUSE = /(?:[,;.–—] (?:and |so |but )?|,? (?:and|so|but) )(?=I\b)/

/** Adds the name to the "I" of others, because "I" in the narrative is the owner. */
export function attributed(headline: string, { speaker }: Pick<Chunk, 'speaker'>, people: People): string {
  if (speaker === undefined || people.isMe(speaker)) return headline
  const isFirm = people.isOrganization(people.display(speaker))
  const isOfSpeaker = OF_SPEAKER.test(headline) || (isFirm && OF_FIRM.test(headline) && !includesReader(headline))
  if (!isOfSpeaker) return headline
  const name = people.familiar(people.display(speaker))
  const heavier = heavierSentence(headline)
  if (heavier !== headline) return actHeadline(heavier, { speaker }, people) ?? attributed(heavier, { speaker }, people)
  const [, did, rest = ''] = DID.exec(headline) ?? []
  if (did !== undefined && !FIRST_PERSON.test(rest) && `${name} ${did}${rest}`.length <= LONGEST)
    return `${name} ${did}${rest}`
  const reported = reportSentence(headline, {
    byMe: false,
    toMe: people.partner !== undefined,
    withMe: people.hasMe && !isFirm && !excludesListener(headline),
    isTheirWe: isFirm,
    isFirm,
    isCommonWord: () => false,
    isName: () => true,
  })
  const told = reported.form === 'clause' ? toldOf(name, reported.clause) : undefined
  if (told !== undefined && told.length <= LONGEST) return told
  const [unowned] = headline.split(OWN_CLAUSE, 1)
  if (unowned !== undefined && topicalWords(unowned) >= TELLING - 1 && !FIRST_PERSON.test(unowned)) return unowned
  return `${name}: ${fitted(headline, LONGEST - name.length - 2)}`
}

const OF_SPEAKER = /\b(?:I|me|my|mine)\b/i
/** "We" of a firm is the firm. */
const OF_FIRM = /^we\b/i

/** Of two short sentences, the one that tells more: a headline of both would repeat the name or need a colon. */
function heavierSentence(headline: string): string {
  const sentences = splitSentences(headline)
  return sentences.reduce((a, b) => (sentenceWeight(b) > sentenceWeight(a) ? b : a)).replace(/\.$/, '')
}

/** `Sunil could do Tuesday`, `Jonah's brother has a van`: of the speaker by name, else what the speaker said. */
function toldOf(name: string, clause: string): string | undefined {
  // Only the first of two sentences would follow "that".
  if (splitSentences(clause).length > 1) return undefined
  const [, own, rest = ''] = OWN_CLAUSE_BEGINS.exec(clause) ?? []
  if (own === undefined) return `${name} said that ${clause}`
  // `Bob's sister and their brother` would be of two people.
  if (own === 'their ' && /\b(?:their|theirs|they|them)\b/.test(rest)) return `${name} said that ${clause}`
  if (own === 'their ') return `${name}${name.endsWith('s') ? "'" : "'s"} ${rest}`
  const form = OF_ONE[own.replace('’', "'")]
  if (form !== undefined) return `${name} ${form}${rest}`
  return OF_ANYBODY.test(rest) ? `${name} ${rest}` : `${name} said that ${clause}`
}
const OWN_CLAUSE_BEGINS =
  /^(their |they(?:['’](?:re|ve|ll|d) | (?:are|were|have|do|don['’]t|need|want|live|work|like|know) | ))(.+)$/
/** What follows "they", of one person. */
const OF_ONE: Readonly<Record<string, string>> = {
  ...{ "they're ": 'is ', "they've ": 'has ', "they'll ": 'will ', "they'd ": 'would ', 'they are ': 'is ' },
  ...{ 'they were ': 'was ', 'they have ': 'has ', 'they do ': 'does ', "they don't ": "doesn't " },
  ...{ 'they need ': 'needs ', 'they want ': 'wants ', 'they live ': 'lives ', 'they work ': 'works ' },
  ...{ 'they like ': 'likes ', 'they know ': 'knows ' },
}
const OF_ANYBODY = new RegExp(
  `^(?:(?:just|already|also|still|never|really|probably|finally) )?(?:(?:can|could|wo|would|should|did)n['’]t|(?!was |had |read |put |set |cut )(?:${IN_ANY_PERSON})) `,
)

/** Possible topics: neither function words nor fillers. */
export function topicalWords(sentence: string): number {
  const words = sentence.match(CONTENT_WORD) ?? []
  return words.filter((word) => {
    const lower = word.toLowerCase()
    return (!COMMON_WORDS.has(lower) && !STOP_WORDS.has(lower)) || calendarWord(word)?.kind === 'weekday'
  }).length
}

/** Refers to earlier text. */
export const REFERRING =
  /^(?:it|that|this|these|those|they|he|she|same|both|then|(?:sie|er|das|es) (?:hat|ist|war|kommt|wird|will|kann|soll|muss|braucht|geht|macht|passt|schaffe|schafft|klappt|kostet|dauert|reicht|wäre|meint|sagt|fährt|holt|bringt)|ça|cela|elles?|ils|c['’](?:est|était)|il(?! (?:y |n['’]y |fau|reste|manque|fai|pleut|neige|s['’]agit|vaut mieux|est (?:\d|possible|prévu|temps|midi|minuit)))|ell[ao]s?|él|lo(?! (?:de|del|que|más|mejor|peor|mismo|único|importante)(?!\p{L}))|eso|est[oa]|(?:それ|これ|あれ)[はがをも]|[そこあ]の(?=\p{Script=Han})|(?:彼|彼女)[はが]|(?:这|那)(?:个|样|是))(?=['’ \p{Script=Han}\p{Script=Hiragana}]|$)/iu

/** A sentence as a headline, cut where a part of it stands alone. */
export function headlineFrom(sentence: string): string {
  return fitted(headlineWords(sentence), LONGEST)
}

/** The time at the beginning of an entry: `09:05 Helen`, `11 October 2026 Long walk`. */
const WRITTEN_AT =
  /^(?:\d{1,2}[:.h]\d{2}(?: ?(?:Uhr|h|am|pm))?[,:]?(?: [-–])? (?!(?:EUR|Euros?|USD|GBP|CHF|Dollars?|Pounds?|Prozent)(?!\p{L}))|(?:\p{L}{4,10}, )?\d{1,2}\.? \p{L}{3,9} (?:19|20)\d\d[,:.]? )(?=\p{Lu})/u
/** How long a call took: `Helen Prior, 12 min - she approved`. */
const CALLED =
  /^((?=\p{Lu})(?:(?:\p{Lu}[\p{L}.'’-]*|at|de|del|du|from|la|le|of|the|van|von)(?: (?=\p{L})|(?=,| \())){1,5})(?:, ?\d{1,3} ?(?:min|Min|mn|minutes)\.?(?: ?[-–:,] )| \(\d{1,3} ?(?:min|Min|mn|minutes)\.?\)(?: ?[-–:,])? )(?=\p{L})/u

/** Of entries with their times in one line, the first. */
function firstEntry(sentence: string): string {
  const [own = ''] = WRITTEN_AT.exec(sentence) ?? []
  const next = own === '' ? -1 : sentence.slice(own.length).search(NEXT_ENTRY)
  return next < 0 ? sentence : sentence.slice(0, own.length + next)
}
const NEXT_ENTRY =
  /(?<!(?<!\p{L})(?:about|after|and|around|at|before|by|from|the|till|to|until|ab|bis|gegen|nach|um|und|von|vor|à|après|avant|dès|et|vers|las|y)) \d{1,2}[:.h]\d{2} (?=\p{L})/iu

/** `JD.com: Delivery reminder: 【JD.com】`: who sent a notification. */
const SENDER = /^(?:[^【】\n]{1,80}[:：] ?)?【[^】]{1,30}】 ?(?=.{10})/u

/** A sentence without its time and final mark. */
export function headlineWords(sentence: string): string {
  const bare = firstEntry(sentence)
    .replace(SENDER, '')
    .replace(/^\[\d[\d.,:/ -]{5,24}\] ?/, '')
    .replace(WRITTEN_AT, '')
    .replace(CALLED, '$1: ')
    .replace(/ ?\[…\]$/, '')
    .replace(/[.。:]$/, '')
    // `Term | 12 months`: a row of a table.
    .replace(/^([^|]{1,40}) \| (?=[^|]*$)/, '$1: ')
    .replaceAll(' | ', ', ')
  // `https://...`, `package.json` and `fooBar()` keep their case.
  return /^\p{L}[\p{Ll}'’-]*(?:[\s,!?]|\.\s|$)/u.test(bare) ? bare.charAt(0).toUpperCase() + bare.slice(1) : bare
}
