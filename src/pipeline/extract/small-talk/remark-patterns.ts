import type { SmallTalkLanguage } from './small-talk.ts'

/** What the features of a remark look for in one language. */
export interface RemarkPatterns {
  readonly past: RegExp
  readonly commits: RegExp
  readonly denies: RegExp
  readonly first: RegExp
  readonly listener: RegExp
  readonly opens: RegExp
  readonly praises: RegExp
  readonly evaluates: RegExp
  readonly pointsBack: RegExp
  readonly wishes: RegExp
  readonly particle: RegExp
  /** A noun behind an article or a possessive, as the first group. */
  readonly determined: RegExp
}

const word = (...patterns: string[]): RegExp => new RegExp(`(?<!\\p{L})(?:${patterns.join('|')})(?!\\p{L})`, 'iu')
const opening = (pattern: string): RegExp => new RegExp(`^[¡¿\\s]*(?:${pattern})(?!\\p{L})`, 'iu')
const ending = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})(?:${pattern})[!?. ]*$`, 'iu')
const determiner = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})(?:${pattern})(\\p{L}{3,})`, 'giu')

const SOUNDS = 'oh|ah+|aw+|ooh|wow|ha+(?:ha)*|hm+|huh|ok(?:ay)?|brr+|omg|lol|hey'

const ENGLISH: RemarkPatterns = {
  past: word(
    "(?:i|we|he|she|they|it|who|nobody|somebody|someone|(?:the|my|your|our|his|her) \\p{L}+)(?:'ve|'s|'d| has| have| just| finally| already| never| also)* (?:(?!need|speed|feed)\\p{L}{2,}ed|went|got|sold|bought|left|lost|found|met|took|gave|broke|came|told|paid|sent|put|ran|fell|won|began|quit|stole|grew|taught|was|were|did|had|made|saw|chose|forgot|wrote|drove|flew|caught|kept|moved|hit|cut|hurt)",
  ),
  commits: word(
    "(?:i|we)'ll|(?:i|we) will|i promise|please|(?:can|could) you|needs?|have to|has to|must|remember|owe|should|wants?|wanted|decid\\p{L}+|bring",
  ),
  denies: word("not|never|no|nobody|none|without|\\p{L}+n't|cannot"),
  first: word("(?:i|we|my|mine|our|me|us)(?:'\\p{L}+)?"),
  listener: word("you(?:'\\p{L}+)?|yours?|u|yourself"),
  opens: opening(
    `${SOUNDS}|well|right|yep|yup|yes|yeah|sure|nah|no way|gosh|ugh|hi|hello|honestly|cheers|thanks?|ta|sounds|damn|man|dude|wait|go on|come on|finally`,
  ),
  praises: word(
    'awesome|amazing|beautiful|lovely|wonderful|fantastic|hilarious|impressive|incredible|inspiring|gorgeous|stunning|cute|brilliant|adorable|legend|gem|epic|magical',
  ),
  evaluates: word(
    'good|great|nice|cool|sweet|perfect|funny|fun|interesting|impressed|exciting|excited|crazy|wild|insane|ridiculous|neat|delicious|tasty|yummy|terrible|awful|best|better|proud|glad|happy|sorry|luck|lucky|star|fancy|sad|poor|super|powerful',
  ),
  pointsBack: opening('that|this|it|what|such|how|who|those|these|so'),
  wishes: opening(
    '(?:(?:just|so|and|please|now),? )*(?:let me|go on|keep|enjoy|rest|welcome|sleep|feel|stay|hold on|take care|have an?|look at)',
  ),
  particle: ending("right|isn't it|doesn't it|innit|huh|honestly|truly|really|though|actually"),
  determined: determiner('(?:the|a|an|my|our|his|her|their) '),
}

const GERMAN: RemarkPatterns = {
  past: word(
    '(?:habe?|hat|haben|bin|ist|sind|wurden?|war) (?:\\p{L}+ ){0,6}(?:(?:\\p{L}{2,4})?ge\\p{L}+(?:t|en)|\\p{L}+iert|(?:ver|be|zer|ent|er)\\p{L}+(?:t|en))',
  ),
  commits: word('bitte|muss|kannst du|könnt|will|soll\\p{L}*|bringe|schulde|nehme\\p{L}*'),
  denies: word('nicht|kein\\p{L}*|nie|niemand|ohne'),
  first: word('ich|wir|mein\\p{L}*|unser\\p{L}*|mir|mich|uns'),
  listener: word('du|dir|dich|dein\\p{L}*|ihr|euch|euer|eure\\p{L}*'),
  opens: opening(`${SOUNDS}|ach|na|boah|oje|hach|tja|nee|puh|ui|ja|jo|endlich`),
  praises: word('tolle?[mnrs]?|herrlich\\p{L}*|geil|wahnsinn'),
  evaluates: word(
    'schön\\p{L}*|süß\\p{L}*|lecker\\p{L}*|klasse|spitze|krass\\p{L}*|lieb|liebe[rns]?|witzig|lustig|hammer|super',
  ),
  pointsBack: opening('das|es|dies\\p{L}*|so|was|wie'),
  wishes: opening('kommt?|drück|grüß|halt|mach|schlaf|erzähl'),
  particle: ending('oder|halt|eben|doch|mal|ne|gell'),
  determined: determiner('(?:der|die|das|den|dem|eine?[nmr]?|mein\\p{L}*|unser\\p{L}*) '),
}

const FRENCH: RemarkPatterns = {
  past: word("(?:j'ai|ai|as|a|ont|avons|est|suis|sont|sommes) \\p{L}+(?:é|ée|és|ées|u|ue|i|ie|is|ise|it|ert)"),
  commits: word('doit|dois|peux|pouvez|veut|apporte|faut'),
  denies: word('ne|n|pas|plus|jamais|sans'),
  first: word('je|j|nous|on|mon|ma|mes|notre|nos'),
  listener: word("tu|te|t'\\p{L}+|toi|ton|ta|tes|vous|votre|vos"),
  opens: opening(`${SOUNDS}|bon|ben|bah|ouais|oui|alors|allez|eh|tiens|zut|heureusement|enfin`),
  praises: word('génial\\p{L}*|magnifique\\p{L}*|merveille\\p{L}*|bravo'),
  evaluates: word('trop|belles?|beau|joli\\p{L}*|mignon\\p{L}*|drôle|parfait\\p{L}*|chouette|dingue|fou|folle|super'),
  pointsBack: opening('ce|c|cette?|ça|quel\\p{L}*|que'),
  wishes: opening('raconte|rentre\\p{L}*|fais|embrasse'),
  particle: ending('quoi|hein|non|vraiment|surtout'),
  determined: determiner("(?:le|la|les|une?|mon|ma|mes|notre|nos|du) |l'"),
}

const SPANISH: RemarkPatterns = {
  past: word(
    '(?:he|ha|has|han|hemos|está|están) (?:\\p{L}+(?:[aií]d[oa])|roto|hecho|puesto|dicho|visto|muerto|abierto)|\\p{L}{2,}(?:ó|aron|ieron|amos|imos)|fue|fueron',
  ),
  commits: word('quiere|puedes|debo|tengo que|hay que|llevo|por favor'),
  denies: word('no|nunca|nadie|sin'),
  first: word('yo|mi|mis|nosotr\\p{L}+'),
  // Verbs too, since a statement about the listener seldom has the pronoun.
  listener: word(
    'tú|tus?|te|ti|os|vuestr\\p{L}+|usted\\p{L}*|vosotr\\p{L}+|eres|estás|tienes|puedes|sois|estáis|tenéis',
  ),
  opens: opening(`${SOUNDS}|uy|ay|vaya|anda|bueno|pues|venga|madre mía|hala|oye|menos mal|por fin`),
  praises: word('precios[oa]s?|maravill\\p{L}*|genial\\p{L}*|increíble'),
  evaluates: word('bonit\\p{L}*|lind[oa]s?|guap\\p{L}*|mejor|loc[oa]s?|chul[oa]s?|gracios\\p{L}*|super|súper'),
  pointsBack: opening('que|qué|esto|eso|es|cómo'),
  wishes: opening('dale|cuenta|llega\\p{L}*|cuida\\p{L}*'),
  particle: ending('vamos|de verdad|verdad|no'),
  determined: determiner('(?:el|la|los|las|una?|mis?) '),
}

/** In one list, as short sentences of the two often share their script. */
const JAPANESE_AND_CHINESE: RemarkPatterns = {
  past: /(?:た|んだ)(?:よ|けど|。|！|!|$)|ました|(?<!太.{0,3}|好|对|行|是)了(?!吧|吗|呢)|过/,
  commits: /ください|くれる|必要|つもり|することに|行く|请|要求|打算|要(?!不)|得(?:去|在)/,
  denies: /ない|ません|不|没/,
  first: /私|僕|俺|我/,
  listener: /みんな|你|您|大家/,
  opens: /^\s*(?:え|うわ|わあ|ほんと|めっちゃ|めちゃ|やっと|哇|哎|啊|嗯|哈|终于|还好)/,
  praises: /かわい|可愛|すご|素敵|すてき|さすが|好看|可爱|厉害|棒(?!球)/,
  evaluates: /おいし|美味し|最高|楽し|嬉し|うれし|やば|ヤバ|好吃|真(?!的).{1,4}|逗|离谱|开心|高兴/,
  pointsBack: /^\s*(?:それ|これ|この|その|这|那|它)/,
  wishes: /(?:てね|って|して)[!！。]*$/,
  particle: /(?:[ねよなわぞ]+|かな|だろう|でしょう|じゃん)[!！。~〜♪笑w]*$|(?:吧|啊|呢|哦|啦|呗|嘛|呀|哈)[!！。~〜]*$/,
  determined: /(?!)/g,
}

export const REMARK_PATTERNS: Readonly<Record<SmallTalkLanguage | 'unspaced', RemarkPatterns>> = {
  english: ENGLISH,
  german: GERMAN,
  french: FRENCH,
  spanish: SPANISH,
  unspaced: JAPANESE_AND_CHINESE,
}
