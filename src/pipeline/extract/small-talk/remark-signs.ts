import { isEnglishNoun } from '../../../lib/word-kinds.ts'
import { fewestUnknownWords, isSmallTalkWord } from './small-talk.ts'

/**
 * Signs that a sentence of a conversation is a remark rather than news, in six languages. Each is weak alone; they are weighed together
 * by `likely-remarks.ts`, with weights fitted to labeled sentences (decision 135). All are words of closed classes or marks, so that
 * they are found in wordings that nobody listed.
 */
export interface RemarkSigns {
  /** Words in tens, up to 2.5; two characters of a script without spaces count as one. */
  readonly length: number
  /** Words that small talk seldom has, in threes, up to 2. */
  readonly unknown: number
  readonly unknownShare: number
  /** English nouns among them, up to 3. */
  readonly nouns: number
  /** Such words behind an article or a possessive, up to 3: `the boiler`, `mi contrato`. */
  readonly determined: number
  /** Marks of objects, subjects and places in Japanese and Chinese, up to 3: `お肉を`, `放在`. */
  readonly caseMarks: number
  /** In scripts without spaces, a word in katakana of three characters or more. */
  readonly katakana: number
  readonly past: number
  readonly commits: number
  readonly denies: number
  readonly first: number
  readonly listener: number
  /** Begins with an interjection or assent. */
  readonly opens: number
  readonly evaluates: number
  /** Begins with `that`, `what a`, `it`. */
  readonly pointsBack: number
  /** Begins like a wish or an encouragement: `stay`, `enjoy`. */
  readonly wishes: number
  readonly exclaims: number
  readonly emoji: number
  /** Ends with a particle: `though`, `halt`, `quoi`, `ね`, `吧`. */
  readonly particle: number
}

const word = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'iu')
const opening = (pattern: string): RegExp => new RegExp(`^[¡¿\\s]*(?:${pattern})(?!\\p{Ll})`, 'iu')
const either = (one: RegExp, other: RegExp): RegExp => new RegExp(`${one.source}|${other.source}`, 'iu')

const EVALUATES = either(
  word(
    [
      'good|great|nice|cool|awesome|amazing|beautiful|lovely|sweet|wonderful|fantastic|perfect|funny|fun|hilarious|interesting|impressive|impressed|incredible|inspiring|gorgeous|stunning|cute|exciting|excited|crazy|wild|insane|ridiculous|brilliant|neat|delicious|tasty|yummy|adorable|terrible|awful|best|better|loved?|proud|glad|happy|sorry|luck|lucky|legend|star|gem|epic|fancy|sad|poor|super|powerful|magical',
      'toll\\p{L}*|schön\\p{L}*|süß\\p{L}*|lecker\\p{L}*|herrlich\\p{L}*|klasse|spitze|geil|krass\\p{L}*|lieb|liebe[rns]?|witzig|lustig|wahnsinn|hammer',
      'trop|génial\\p{L}*|belles?|beau|joli\\p{L}*|mignon\\p{L}*|magnifique\\p{L}*|drôle|merveille\\p{L}*|parfait\\p{L}*|bravo|chouette|dingue|fou|folle',
      'bonit\\p{L}*|lind\\p{L}*|guap\\p{L}*|precios\\p{L}*|maravill\\p{L}*|genial\\p{L}*|increíble|mejor|loc[oa]s?|chul\\p{L}*|gracios\\p{L}*',
    ].join('|'),
  ),
  /かわい|可愛|おいし|美味し|すご|素敵|すてき|最高|楽し|嬉し|うれし|さすが|やば|ヤバ|好看|好吃|可爱|真.{1,4}|厉害|棒|逗|离谱|开心|高兴/,
)
const OPENS = opening(
  'oh|ah+|aw+|wow|ha+(?:ha)*|hm+|well|ok(?:ay)?|right|yep|yup|yes|yeah|sure|nah|no way|gosh|ooh|ugh|brr+|omg|lol|hey|hi|hello|honestly|cheers|thanks?|ta|sounds|huh|damn|man|dude|wait|go on|come on|finally|ach|na|boah|oje|hach|tja|nee|puh|ui|ja|jo|endlich|bon|ben|bah|ouais|oui|alors|allez|eh|tiens|zut|heureusement|enfin|uy|ay|vaya|anda|bueno|pues|venga|madre mía|hala|oye|menos mal|por fin|え|うわ|わあ|ほんと|めっちゃ|めちゃ|やっと|哇|哎|啊|嗯|哈|终于|还好',
)
const PAST = either(
  word(
    [
      "(?:i|we|he|she|they|it|who|nobody|somebody|someone|(?:the|my|your|our|his|her) \\p{L}+)(?:'ve|'s|'d| has| have| just| finally| already| never| also)* (?:(?!need|speed|feed)\\p{L}{2,}ed|went|got|sold|bought|left|lost|found|met|took|gave|broke|came|told|paid|sent|put|ran|fell|won|began|quit|stole|grew|taught|was|were|did|had|made|saw|chose|forgot|wrote|drove|flew|caught|kept|moved|hit|cut|hurt)",
      '(?:habe?|hat|haben|bin|ist|sind|wurden?|war) (?:\\p{L}+ ){0,6}(?:(?:\\p{L}{2,4})?ge\\p{L}+(?:t|en)|\\p{L}+iert|(?:ver|be|zer|ent|er)\\p{L}+(?:t|en))',
      "(?:j'ai|ai|as|a|ont|avons|est|suis|sont|sommes) \\p{L}+(?:é|ée|és|ées|u|ue|i|ie|is|ise|it|ert)",
      '(?:he|ha|has|han|hemos|está|están) (?:\\p{L}+(?:[aií]d[oa])|roto|hecho|puesto|dicho|visto|muerto|abierto)|\\p{L}{2,}(?:ó|aron|ieron|amos|imos)|fue|fueron',
    ].join('|'),
  ),
  /(?:た|んだ)(?:よ|けど|。|！|!|$)|ました|(?<!太.{0,3}|好|对|行|是)了(?!吧|吗|呢)|过/,
)
const FIRST = either(
  word(
    "(?:i|we|my|mine|our|me|us)(?:'\\p{L}+)?|ich|wir|mein\\p{L}*|unser\\p{L}*|mir|uns|je|j|nous|on|mon|ma|mes|notre|nos|yo|mi|mis|nosotr\\p{L}+",
  ),
  /私|僕|俺|我/,
)
const LISTENER = either(
  word(
    "you(?:'\\p{L}+)?|yours?|u|yourself|du|dir|dich|dein\\p{L}*|ihr|euch|euer|eure\\p{L}*|tu|te|toi|ton|ta|tes|vous|votre|vos|tú|ti|os|vuestr\\p{L}+|usted\\p{L}*|vosotros",
  ),
  /みんな|你|您|大家/,
)
const COMMITS = either(
  word(
    "(?:i|we)'ll|(?:i|we) will|i promise|please|(?:can|could) you|needs?|have to|has to|must|remember|owe|should|wants?|wanted|decid\\p{L}+|bring|bitte|muss|kannst du|könnt|will|soll\\p{L}*|bringe|schulde|nehme\\p{L}*|doit|dois|peux|pouvez|veut|apporte|faut|quiere|puedes|debo|tengo que|hay que|llevo|por favor",
  ),
  /ください|くれる|必要|つもり|することに|行く|请|要求|打算|要(?!不)|得(?:去|在)/,
)
const DENIES = either(
  word(
    "not|never|no|nobody|none|without|\\p{L}+n't|cannot|nicht|kein\\p{L}*|nie|niemand|ne|n|pas|plus|jamais|nunca|nadie|sin",
  ),
  /ない|ません|不|没/,
)
const POINTS_BACK = opening(
  'that|this|it|what|such|how|who|those|these|das|es|dies\\p{L}*|so|was|wie|ce|c|cette?|ça|quel\\p{L}*|que|qué|esto|eso|cómo|それ|これ|この|その|这|那|它',
)
const WISHES = either(
  opening(
    '(?:(?:just|so|and|please|now),? )*(?:let me|go on|keep|enjoy|rest|welcome|sleep|feel|stay|hold on|take care|have an?|look at|kommt?|drück|grüß|halt|mach|schlaf|erzähl|raconte|rentre\\p{L}*|fais|embrasse|dale|cuenta|llega\\p{L}*|cuida\\p{L}*)(?!\\p{L})',
  ),
  /(?:てね|って|して)[!！。]*$/,
)
const PARTICLE =
  /(?:[ねよなわぞ]+|かな|だろう|でしょう|じゃん)[!！。~〜♪笑w]*$|(?:吧|啊|呢|哦|啦|呗|嘛|呀|哈)[!！。~〜]*$|(?<!\p{L})(?:right|isn't it|doesn't it|innit|huh|honestly|truly|really|though|actually|oder|halt|eben|doch|mal|ne|gell|quoi|hein|non|vraiment|surtout|vamos|de verdad|verdad|no)[!?. ]*$/iu
const DETERMINED =
  /(?<!\p{L})(?:(?:the|a|an|my|our|his|her|their|der|die|das|den|dem|eine?[nmr]?|mein\p{L}*|unser\p{L}*|le|la|les|une?|mon|ma|mes|notre|nos|du|el|los|las|una|mis?) |l')(\p{L}{3,})/giu
const CASE_MARKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}](?:を|が|に|から|まで|在|把|被|给|从|到|跟)/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** @param sentence of one writer, without a speaker */
export function remarkSigns(sentence: string): RemarkSigns {
  const text = sentence.replaceAll('’', "'")
  const has = (pattern: RegExp): number => (pattern.test(text) ? 1 : 0)
  const characters = text.match(UNSPACED)?.length ?? 0
  const isUnspaced = characters > text.length / 3
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const count = Math.max(1, isUnspaced ? characters / 2 : words.length)
  const unknown = isUnspaced ? 0 : fewestUnknownWords(words)
  const determined = [...text.toLowerCase().matchAll(DETERMINED)].filter(([, noun = '']) => !isSmallTalkWord(noun))
  return {
    length: Math.min(count, 25) / 10,
    unknown: Math.min(unknown, 6) / 3,
    unknownShare: unknown / count,
    nouns: Math.min(words.filter((one) => !isSmallTalkWord(one) && isEnglishNoun(one)).length, 3),
    determined: Math.min(determined.length, 3),
    caseMarks: isUnspaced ? Math.min(text.match(CASE_MARKS)?.length ?? 0, 3) : 0,
    katakana: isUnspaced ? has(/[\p{Script=Katakana}ー]{3}/u) : 0,
    past: has(PAST),
    commits: has(COMMITS),
    denies: has(DENIES),
    first: has(FIRST),
    listener: has(LISTENER),
    opens: has(OPENS),
    evaluates: has(EVALUATES),
    pointsBack: has(POINTS_BACK),
    wishes: has(WISHES),
    exclaims: has(/[!！]\s*$/),
    emoji: has(/\p{Extended_Pictographic}/u),
    particle: has(PARTICLE),
  }
}
