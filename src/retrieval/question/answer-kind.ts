import { isNoEnglish } from '../../lib/english-words.ts'
import { kindsOf } from '../../lib/word-kinds.ts'
import { askedNoun } from './asked-noun.ts'
import { ANY_MONTH } from './calendar-names.ts'
import { namesOfKind } from './known-names.ts'
import { sentenceForm } from './languages/english-form.ts'
import type { Locale } from './languages/language.ts'
import { PATH } from './paths.ts'
import { assignsTask } from './question-form.ts'
import { RELATION } from './relations.ts'

/** The kind of answer that a question asks for, by its words. */
export type AnswerKind =
  | 'time'
  | 'duration'
  | 'money'
  | 'number'
  | 'frequency'
  | 'measure'
  | 'size'
  | 'extent'
  | 'code'
  | 'reference'
  | 'reason'
  | 'speaker'
  | 'person'
  | 'place'
  | 'yes-no'
  | 'list'
  | 'age'
  | 'decision'
  | 'other'

/** Kinds of answers that are recognized by their form: a day, an amount, a code. */
export const KINDS_OF_FORM: ReadonlySet<AnswerKind> = new Set([
  'time',
  'duration',
  'frequency',
  'money',
  'age',
  'measure',
  'size',
  'extent',
  'number',
  'code',
])
/** The same without numbers and codes, because digits in a sentence may be of anything. */
export const MEASURED_KINDS: ReadonlySet<AnswerKind> = KINDS_OF_FORM.difference(new Set(['number', 'code']))

const KINDS: readonly (readonly [AnswerKind, RegExp])[] = [
  [
    'time',
    /^\W*(?:and |so )?(?:when|(?:since|until|till|by) when)\b|\b(?:what|which) (?:day|date|weekday|month|year|time)\b|^\W*what(?:['’]s| is| was) the (?:[a-z-]+ )?(?:day|date|time) (?:of|for)\b|\bhow long ago\b|\b(?:since|until) when\b|^\W*what(?:['’]s| is| was) (?:(?!(?:about|after|at|before|behind|for|from|in|of|on|to|with)\b)\S+ ){0,6}(?:birthday|date of birth|deadline|due date)\W*$|\bhow (?:soon|late|early)\b/i,
  ],
  [
    'measure',
    /\bhow (?:wide|tall|deep|thick|broad|heavy)\b|\bhow long (?:is|are|was|were) (?:the|my|our|your|his|her|their|this|that|a) (?:[\p{L}-]+ ){0,2}?(?:range|distance|river|bridge|tunnel|cable|rope|hose|wall|fence|board|plank|table|boat|garden)s?(?=\W*$| (?:of|in|between)\b)/iu,
  ],
  [
    'extent',
    /\bhow (?:far|fast)\b|(?<!\bfor )\bhow long (?:is|are|was|were) (?:the|my|our|your|his|her|their|this|that|a) (?!\p{L}*ing\b)(?!(?:\S+ ){0,8}(?!(?:need|red|bed|shed)\b)(?:\p{L}+ed|kept|valid|open)(?: for)?\W*$)/iu,
  ],
  ['age', /\bhow old\b|\bwhat age\b/i],
  ['duration', /\bhow (?:long|many (?:seconds|minutes|hours|days|weeks|months|years))\b|\bhow much time\b/i],
  [
    'money',
    /^\W*(?:and |so |but )?how much (?:is|was|are|were) (?:it|that|they|(?:the|my|our|his|her|their|a|an)\b(?! (?:time|temperature)))|\bhow much (?:did|does|do)\b.*\bcome to\b|\bhow much (?:did|do|does|will|would|can|have|has) (?:\S+ ){1,4}?(?:offer|charge|bill|invoice|bid|quote|donate|lend|lent|borrow|sell|sold|refund|get back)\b|\bhow (?:much|expensive|cheap)\b.*\b(?:costs?|pay|paid|spen[dt]|charged?|earn(?:ed)?|worth|rent|owe[ds]?|save[ds]?)\b|\bhow (?:expensive|cheap)\b|^\W*what do (?:I|we) (?:still )?owe\b|^\W*what(?:['’]s| is| was) (?:the (?:grand )?total(?= (?:on|of|for)\b|\W*$)|.*\b(?:first|second|final|original|revised) (?:quote|estimate|bid)\b(?! (?:from|in|of) (?:the|a)\b))|\b(?:what|which)\b.*\b(?:price|fee|costs?|rent|salary|budget|rate(?! limit)|amount|charged?|pa(?:y|id))\b/i,
  ],
  [
    'size',
    /\bhow much (?:(?:free|more|extra|total|disk|video) )*(?:memory|ram|disk|storage)(?: space)?(?= (?:is|are|was|were|do|does|did|can|could|should|will|would|has|have|had)\b|\W*$)|\bhow (?:big|large)\b.*\b(?:files?|downloads?|uploads?|attachments?)(?: (?:be|get|become|grow))?\W*$|\b(?:what|which)\b.*\b(?:(?:file|upload|download|attachment|disk|memory) size\b|size limit\b.*\b(?:file|upload|download|attachment|request))/i,
  ],
  ['reference', /\b(?:what|which) (?:pr|pull request|mr|merge request)\b/i],
  [
    'code',
    /\b(?:what|which)\b.*\b(?:code|password|pin|(?<!\b(?:maximum|minimum|total|average|usual|default|largest|smallest|exact|max|min) )number|plate|serial|version|id|ip|port|e-?mail|address of \w+@|url|link)\b(?! of (?:people|times|hours))/i,
  ],
  ['frequency', /\bhow (?:often|frequently)\b/i],
  [
    'number',
    /\bhow (?:many|much|old|far|big|large|high|tall)\b|\bwhat (?:number|amount|price|share|percentage)\b|\b(?:maximum|minimum|total|average|usual|default|largest|smallest|exact|max|min) number of\b/i,
  ],
  ['reason', /^\W*(?:and |so |but )?why\b|\b(?:reasons?|how come)\b/i],
  ['decision', /\b(?:did|have|has|had)\b[^?]*\b(?:decided?|agreed?|settled?|chosen?|choose)\b|\bdecisions?\b/i],
  [
    'speaker',
    /^\W*(?:and |so )?who(?: else)? (?:said|says|told|tells|wrote|writes|asked|asks|suggested|proposed|mentioned|reported|announced|promised|offered|recommended|complained|thinks|thought)\b/i,
  ],
  ['person', /^\W*(?:and |so )?(?:who|whose|whom|(?:with|from|to|by) whom)\b/i],
  [
    'place',
    /^\W*(?:and |so )?where\b|\b(?:what|which) (?:city|town|country|place|state|location|venue|restaurant|caf[eé]|hotel|shop|room|address|channel|file|folder)\b|\b(?:what|which) (?:hospital|clinic|school|college|university|ward|pub|museum|airport) (?:is|are|was|were|did|does|do|has|have|had|will)\b/i,
  ],
  [
    'yes-no',
    /^\W*(?:and |so |but )?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|might|isn't|aren't|wasn't|didn't|doesn't|don't|hasn't|haven't)\b/i,
  ],
  [
    'list',
    /^\W*(?:list|which (?:\w+ous )?(?!one\b|\w*(?:ss|us|is)\b)\w+s\b)|\bwhat (?!(?:is|was|does|did|has|happens|makes|causes|needs|costs|goes|comes|becomes|remains|means)\b)(?:(?:kinds?|types?|sorts?) of )?(?:\w+ous )?(?!\w*(?:ss|us|is)\b)\w+s\b(?! name\b)|^\W*what (?:are|were) (?:\p{L}+['’]s|the|my|our|his|her|their|some) (?:[\p{L}-]+ ){0,2}(?!\p{L}*ss\b)\p{L}+s\b|^(?!\W*(?:and |so |but )?how\b).*\b(?:everything|every|all (?:the|my|of))\b/isu,
  ],
]

/** `which Italian restaurants did we like`, `what LGBTQ+ events has Mara attended` */
const ASKS_PLURAL =
  /\b(?:what|which) (?:(?:kinds?|types?|sorts?) of )?(?!(?:is|was|does|did|has)\b)(?:[\p{L}+'’/-]+ ){0,2}?(?!\p{L}*(?:ss|us|is)\b)\p{L}{2,}s (?:has|have|had|did|do|does|are|were|am|can|could|will|would|may|might|should)\b/iu
/** `where has Ivo camped`, `what have I painted`, `where did we go on holiday`: what happened more than once. */
const ASKS_REPEATED =
  /^\W*(?:where|what) (?:all )?(?:has|have) (?!been\b)|^\W*where (?:do|does|did) .*\bon (?:holidays?|vacations?)\b/i

const IS_SENTENCE =
  /^\W*(?:and |so |but )?(?:who|what|which|when|where|why|how|is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|might|must|I|we|he|she|they|it|you|there|tell|show|list|find|remind)\b/i
/** Questions without a verb: `dentist when?`, `new date of the fair`, `rent per month?` */
const PHRASES: readonly (readonly [AnswerKind, RegExp])[] = [
  [
    'time',
    /\bwhen\W*$|^\W*(?:(?:the|my|our|next|new|exact|current|original|first|last) )*(?:(?:due|start|starting|closing|opening|delivery|renewal|expiry|end|moving) )?(?:date|day|deadline|time) (?:of|for)\b|^\W*(?:(?!for\b)\S+ ){0,3}?(?:deadline|(?:due|expiry|renewal|closing) date|birthday)\?/i,
  ],
  ['place', /\bwhere\W*$/i],
  ['person', /\bwho\W*$/i],
  [
    'money',
    /^\W*(?:(?!for\b)[\p{L}'’-]+ ){0,4}?(?:price|cost|fee|rent|total|premium|salary|deposit)s?(?= (?:of|for|per|on|now|a (?:week|month|year)|each)\b|\?)/iu,
  ],
]

function kindOfPhrase(question: string): AnswerKind {
  if (IS_SENTENCE.test(question)) return 'other'
  return PHRASES.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other'
}

/** Kinds by a word anywhere behind `which`: `Which bank has my salary account?` asks for a name. */
const BY_LATER_WORD: ReadonlySet<AnswerKind> = new Set(['money', 'code'])

/** The first kind whose words are in the question, otherwise `other`. */
export function answerKind(question: string): AnswerKind {
  const found = KINDS.find(([, pattern]) => pattern.test(question))?.[0] ?? kindOfPhrase(question)
  const isNamed = BY_LATER_WORD.has(found) && namesOfKind(askedNoun(question).at(-1) ?? '').length > 0
  const kind = isNamed ? 'other' : found
  const isOpen = kind === 'other' || kind === 'place'
  return isOpen && (ASKS_PLURAL.test(question) || ASKS_REPEATED.test(question)) ? 'list' : kind
}

/** `at nine`, `by 10`, `half past six`, `five o'clock`; not `at 5 euros`. */
const HOUR = '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9])'
const CLOCK_WORDS = `(?:at|by|until|till|around|half past|quarter past|quarter to) ${HOUR}(?=[.,;!?)]|$| (?:and|or|on|in|to|sharp|because|so|but|with|for|every|from)\\b)|${HOUR} o['’]clock`
const TIME = new RegExp(
  `\\b(?:(?:19|20)\\d\\d|${[
    'january|february|march|april|june|july|august|september|october|november|december',
    'monday|tuesday|wednesday|thursday|friday|saturday|sunday|yesterday|today|tonight|tomorrow|last|next|ago',
    'week|weekend|month|year|morning|afternoon|evening|noon|midnight|summer|autumn|winter|spring',
  ].join(
    '|',
  )}|\\d{1,2}(?::\\d\\d)?\\s?[ap]m|\\d{1,2}:\\d\\d|\\d+ (?:days?|weeks?|months?|years?|hours?|minutes?)|${CLOCK_WORDS})\\b`,
  'i',
)
/** The month: `in May`, `May 2026`, `12 May`, `on 3 may`; not `you may`, `the 2 may differ`. */
const IN_MAY =
  /\bMay (?:\d|and|or|to|until)|\b(?:in|of|since|until|till|by|from|this|next|last|early|late|mid|before|after|during|around|every|each) [Mm]ay\b|\b(?:to|all) May\b|(?<=[\p{L}\p{N},;] )May(?=\W*$|[,;.!?)])|\d(?:st|nd|rd|th)?(?: of)? May\b|\b\d{1,2}(?:st|nd|rd|th)? may(?=\W*$|[,;.!?)]| (?:at|from|in|20\d\d)\b)/u
/** `31 jan 27`, `sat 10 oct`, `fri 23`, `before 31/10`, as people type notes; not `2 may differ`, `a score of 9/10`. */
const TYPED_DATE =
  /\b\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun) (?:[12]?\d|3[01])(?:st|nd|rd|th)?(?=\W*$|[,;!?)]| (?:at|from|for|and|to|till|until)\b)|\b(?:on|by|before|until|till|from|since|due|after|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun) (?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|1[0-2])\b|\b(?:due|before|until|till) (?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\b(?!\.?\d| ?(?:%|\p{L}))/iu
/** `21st Dec`, `Mon 21st`, `on the 21st`; not `he sat 2 rows back`. */
const SHORT_DATE =
  /\b(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\.? (?:the )?\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}(?:st|nd|rd|th)? (?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b|\b(?:Jan|Feb|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.? \d{1,2}\b|\b(?:on|from|until|till|by|to|the) (?:the )?\d{1,2}(?:st|nd|rd|th)\b(?! (?!(?:at|in|on|from|to|or|and|is|it|for|please|of|works?|then|with|because|so|but|after|before|between|till|until)\b)\p{Ll})/u
const WORD_NUMBER =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|once|twice|couple|several|dozen|hundred|thousand'
const NUMBER = new RegExp(`\\d|\\b(?:${WORD_NUMBER})\\b`, 'i')
/** Dates and clock times, whose digits are not counts. */
const DATES =
  /\d{1,2}:\d\d|\d{4}-\d\d(?:-\d\d)?|\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)?(?: of)? \p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+ \d{1,2}(?:st|nd|rd|th)?\b/gu
const AGE = /\b(?:turn(?:s|ed|ing)?|aged?|years? old|\d+-year-old|born)\b|\b\d+(?:st|nd|rd|th) birthday\b/i
const DECISION =
  /\b(?:deci(?:ded?|sions?)|agreed?|settled (?:on|for)|ch(?:ose|osen)|(?:went|go|going) (?:with|for)|let['’]s|we(?:['’]ll| will| do)|instead)\b/i
/** `Noel will do Friday`; not `That is it`. */
const STARTS_WITH_NAME =
  /^(?!(?:I|It|He|She|We|They|You|That|This|There|Here|These|Those|What|Which|Who|Where|When|Why|How|Nobody|Somebody|Someone|Everybody|Everyone|Everything|Nothing|Something|All|Both|Some|Most|Other|Others|One|Each|Today|Tomorrow|Yesterday|So|Then|Now|\p{L}+day)\b)\p{Lu}\p{Ll}+ (?:will|can|is going to) (?:do|take|bring|drive|come|collect|fetch|pick|help|cover|host|cook|bake|write|ask|call)\b/u
/** `on the back steps`, `in the blue folder`, `with the neighbours`; not `in the morning`, `at the moment`. */
const AT_THING =
  /\b(?:in|on|at|under|underneath|behind|inside|above|below|beside|next to|opposite|near|outside) (?:the|my|our|his|her|their|your|an?) (?!(?:\p{L}+ )?(?:mornings?|afternoons?|evenings?|nights?|moment|meantime|end|beginning|start|time|times|day|days|weeks?|weekends?|months?|years?|hours?|minutes?|way|mood|phone|list|future|past|summer|winter|spring|autumn|fall|holidays?|first|last|same|other hand|whole|rush|bit|lot|latest|hurry|diet|discount|opinion|age|hand|case|least|mail|thread|chat|issue|end|price|row)\b)\p{L}{3,}/iu
const ROLE = /\b(?:the|an?|my|our|your|his|her|their) ((?:\p{L}+ )?\p{L}{4,})\b(?! of\b)/giu
/** Somebody without a name: `from a woman in Hietzing`, `his daughter does it`. */
const SOMEBODY = new RegExp(
  `\\b(?:an?|the|my|our|your|his|her|their) (?:\\p{L}+ )?(?:${RELATION}|woman|man|lady|guy|girl|boy|couple|electrician|conductor|agent|coach|tutor|grand(?:ma|pa|mother|father|parent|son|daughter|child|children))s?\\b(?!['’]s| of\\b| clock\\b)`,
  'iu',
)
const REASON =
  /\b(?:because|since(?! (?:last|this|yesterday|then|when|now|early|late|mid|about|around|a|an|the|\d\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)|due to|as a result|reason|so that|in order to|wanted to|caused?|thanks to|that is why|therefore)\b/i
/** `every 15 minutes`, `twice a week`, `on every change`, `on Tuesdays`, `(default: 1s)`; not `I swam once in it` */
const FREQUENCY = new RegExp(
  `\\b(?:${[
    `(?:every|each|per) (?:(?:other|few|\\d+|${WORD_NUMBER}) )?(?:seconds?|minutes?|hours?|days?|nights?|mornings?|evenings?|weeks?|weekends?|months?|quarters?|years?|summers?|winters?|springs?|autumns?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)`,
    `(?:hour|dai|night|week|month|year|annual)ly|(?:only |just )once|once (?:an?|per|every|each|in an?)|twice|(?:\\d+|${WORD_NUMBER}) times|always|rarely|seldom|sometimes|continuously`,
    'whenever|(?:on|after|with) (?:each|every) \\p{L}+|(?:each|every) time|on (?:a|its|their) schedule|(?:mon|tues|wednes|thurs|fri|satur|sun)days',
  ].join(
    '|',
  )})\\b|(?:\\d|\\b(?:${WORD_NUMBER}|an?)\\b)[\\s-]?(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?)(?![\\p{L}\\d])(?! old)|\`\\d+[md]\``,
  'iu',
)
const DURATION = new RegExp(
  `(?:\\d|\\b(?:${WORD_NUMBER}|an?|half|few|whole|all)\\b)[\\s-]?(?:and a half )?(?:full |more )?(?:s|sec|seconds?|min|minutes?|h|hours?|days?|nights?|weeks?|weekend|months?|years?|decades?)\\b|\\w_(?:seconds|minutes|hours|days|weeks|months|years)\\b|\\b(?:until|till)\\b`,
  'i',
)
/** `Friday, 20 November 2026 to Monday, 30 November 2026`, `Nov 20-29`, `14:15 to 16:00` */
const SPAN = new RegExp(
  `\\b\\d{1,2} ${ANY_MONTH}(?: \\d{4})? (?:to|until|till) (?:\\p{L}+day,? )?\\d{1,2} ${ANY_MONTH}\\b|\\b\\d{1,2} (?:to|until|till) \\d{1,2} ${ANY_MONTH}\\b|\\b${ANY_MONTH} \\d{1,2} ?[-–] ?\\d{1,2}\\b|\\b\\d{1,2}:\\d\\d (?:to|-|–) \\d{1,2}:\\d\\d`,
  'iu',
)
const NUMBERED_DURATION = new RegExp(
  `(?:\\d[\\s-]?(?:s|sec|min|h)|(?:\\d[\\s-]?|\\b(?:${WORD_NUMBER}) )(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?))\\b(?! old)`,
  'i',
)
const MONEY =
  /[€$£¥₹]\s?\d|\d ?(?:lakhs?|lacs?|crores?)(?!\p{L})|\d[\d,.]{0,20}\s?(?:k\s)?(?:€|\$|£|¥|kr|nok|sek|dkk|eur|euros?|dollars?|usd|pounds?|gbp|yen|yuan|rmb|cents?|bucks|francs?|chf|kroner)(?!\p{L})|\bfor free\b|\bfree of charge\b/iu
/** `the course is 165 and starts in March`: an amount without its currency, which a chat leaves out. */
const BARE_AMOUNT =
  /(?<!\b(?:code|pin|number|password|room|box|id) (?:\p{L}+ ){0,4})\b(?:is|was|are|were|costs?|pa(?:ys?|id)|charged?|for|total(?:s|led)?|c(?:omes?|ame) to|price)(?: only| just| about| around)? (?!(?:19|20)\d\d\b)(?:\d{1,3}(?:,\d{3})+|\d{2,})(?:\.\d+)?(?=\s*$|[,;!?)]|\.(?!\d)| (?:and|but|so|instead|each|per|plus|altogether|in total|all in|a (?:night|day|week|month|year|person|head|piece))\b)/iu
/** `The rent is 205 from June`; not `Yoga is 18 until 20`. */
const PRICE_FROM =
  /\b(?:prices?|rents?|fees?|costs?|rates?|plans?|subscriptions?|memberships?|tickets?)\b[^.;]{0,60}? (?:is|was) \d{2,}(?:\.\d+)? (?:until|from|since)\b/i
/** `raise my hourly rate to 95` */
const RATE =
  /\b(?:rate|rent|fee|price|salary|wage|budget)s?\b[^.;\d]{0,40} (?:to|at|of) (?!(?:19|20)\d\d\b)\d{2,}(?!\d| ?%)/i
/** `Rent 890 warm, due on the 3rd`, `VAT due 4,870.15`: a label and an amount; not `Total 14 chairs`, `Budget 2026`. */
const LABELED_AMOUNT =
  /^\W*(?:\p{L}+ ){0,3}(?:rents?|fees?|prices?|costs?|salary|wages?|deposit|tax|vat|premium|total|budget|subscription|membership)(?: due| paid)?:? (?!(?:19|20)\d\d\b)\d{2,}(?:[.,]\d+)*(?=\s*$|[,;.]| (?:an?|per|each|warm|cold|plus|incl|including|excluding|net|gross|until|till|from)\b)/iu
/** `Sales 38,412.00`: with cents and thousands. */
const WITH_CENTS = /(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{3,})\.\d\d(?![\d.])/
/** A row of a table whose last cell is a number: `Flowers | Ann | 65` */
const ROW_AMOUNT = / \| .* \| [€$£]?\d[\d.,]* *(?:€|\p{Lu}{3})?$/u
/** `Rs. 11.4 lakhs`; not the cable `RS 232`. */
const RUPEES = /\b(?:Rs\.?|rs\.|INR) ?\d/
const PERCENT = /\d\s?(?:%|per ?cent\b)/i
/** `22/hr`, `1,890 a month`; not `3 times a week`, `2 a day`. */
const PAID_BY_TIME =
  /(?<![\d.,/])\d{2,}(?:[.,]\d+)* ?\/ ?(?:hr|hour|day|wk|week|mo|month|yr|year|night|person|session|lesson)\b|(?<![\d.,/])(?:\d{1,3}(?:[ ,]\d{3})+|\d{3,}) ?k? (?:an?|per) (?:month|year)\b/i
/** `sold, 815,000, ten less than the agent promised` */
const TRADED_FOR =
  /\b(?:sold|bought|paid|pay|costs?|price|worth|offer(?:ed)?|valued|lent|borrowed)\b[^.;\d]{0,30}\b\d{1,3}(?:,\d{3})+(?=\s*(?:$|[,;!?)]|\.(?!\d)|(?:for|each|in total|altogether|all in|cash|and|but|net|less|more)\b))/i
const MONEY_FORMS = [
  PAID_BY_TIME,
  TRADED_FOR,
  MONEY,
  PERCENT,
  BARE_AMOUNT,
  PRICE_FROM,
  RATE,
  LABELED_AMOUNT,
  WITH_CENTS,
  ROW_AMOUNT,
  RUPEES,
]
/** A length, weight or speed. */
const MEASURE =
  /\d ?(?:m|cm|mm|km|kg|g|t|ft|lbs?|mi|km\/h|mph|m\/s|met(?:re|er)s?|(?:kilo|centi|milli)met(?:re|er)s?|miles?|yards?|feet|foot|inch(?:es)?|kilo(?:gram)?s?|grams?|tons?|tonnes?|pounds?|storeys?|stor(?:y|ies)|floors?|blocks?|stops?|lengths?)\b|\d['"”″′]/i
/** Of a file or of memory. */
const SIZE = /\d ?(?:[KMGT]i?B|[kM]B|bytes|(?:kilo|mega|giga|tera)bytes)\b/
/** Of a pull request or a merge request: `#219`, `acme/core#219`, `!42`. */
const REFERENCE = /(?<![\p{L}\p{N}&])(?:[\p{L}\p{N}_./-]{1,100})?[#!]\d{1,7}(?!\p{L})/u
const CODE =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}_.@:/-]{0,60}\d)(?:[\p{Lu}\p{N}][\p{L}\p{N}_.@:/-]{2}|v?\d+\.\d)|\S@\S|https?:/u

let roles: ReadonlySet<string> | undefined

/** `the plumber repaired it`, `our landlord`: somebody by what they do. */
function namesRole(text: string): boolean {
  roles ??= kindsOf('profession')
  return [...text.matchAll(ROLE)].some(([, words = '']) =>
    words.split(' ').some((word) => roles!.has(word.toLowerCase())),
  )
}

/** `Priti takes over`, `Priti: retries`: a word that is no ordinary one, and what somebody does. */
export function startsWithName(text: string): boolean {
  const [, name = ''] = /^(\p{Lu}\p{Ll}[\p{L}\p{M}'’-]*)(?:: \S| (?!and\b|or\b)\p{Ll})/u.exec(text) ?? []
  return isNoEnglish(name)
}

/**
 * Whether a text contains this kind of answer: a time, number, reason or name.
 * @param newNames names that are not in the question
 * @param locale of the question, if it is in another language
 */
export function holdsKind(kind: AnswerKind, written: string, newNames: number, locale?: Locale): boolean {
  const { text } = sentenceForm(written, locale)
  if (kind === 'time') return TIME.test(text) || SHORT_DATE.test(text) || TYPED_DATE.test(text) || IN_MAY.test(text)
  if (kind === 'duration') return DURATION.test(text) || SPAN.test(text)
  if (kind === 'frequency') return FREQUENCY.test(text)
  if (kind === 'size') return SIZE.test(text)
  if (kind === 'measure') return MEASURE.test(text)
  if (kind === 'extent') return MEASURE.test(text) || NUMBERED_DURATION.test(text)
  if (kind === 'money') return MONEY_FORMS.some((pattern) => pattern.test(text))
  if (kind === 'code') return CODE.test(text)
  if (kind === 'reference') return REFERENCE.test(text)
  if (kind === 'number') return NUMBER.test(text.replaceAll(DATES, ''))
  if (kind === 'age') return AGE.test(text)
  if (kind === 'decision') return DECISION.test(text)
  if (kind === 'reason') return REASON.test(text)
  if (
    kind === 'person' &&
    (assignsTask(text) || STARTS_WITH_NAME.test(text) || startsWithName(text) || SOMEBODY.test(text) || namesRole(text))
  )
    return true
  if (kind === 'place' && PATH.test(text)) return true
  if (kind === 'place' && AT_THING.test(text)) return true
  return (kind === 'person' || kind === 'place') && newNames > 0
}
