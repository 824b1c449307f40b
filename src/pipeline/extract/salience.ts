import { sentencesOf } from '../../lib/sentences.ts'
import { isBoilerplate } from './small-talk/boilerplate.ts'
import { isCourtesy } from './small-talk/courtesies.ts'
import { clauseAfterGreeting } from './small-talk/greeted-clause.ts'
import { isIdiom, isNewsInPlainWords } from './small-talk/idioms.ts'
import { isSetPhrase } from './small-talk/phrases.ts'
import { isSmallTalk } from './small-talk/small-talk.ts'

// Sentences without content; measured as harmless to skip when they stand alone.
const ACK_WORD =
  "(?:ok|okay|k|kk|yes|yep|yup|yeah|ya|no|nope|nah|sure|right|good|fine|cool|nice|great|awesome|perfect|excellent|amazing|wow|haha+|hehe+|lol|hmm+|oh|ah|aha|ooh|hey|hi|hello|yo|bye|cheers|thanks|thank you|thx|ty|tysm|np|no problem|you['’]?re welcome|welcome|please|sorry|good morning|good evening|good night|morning|got it|gotcha|makes sense|sounds good|sounds great|will do|on it|done|agreed|exactly|indeed|true|same|same here|me too|of course|absolutely|definitely|for sure|all good|no worries|my pleasure|take care|see you|see ya|talk soon|talk later|good luck|well done|good job|congrats|congratulations|(?:that['’]?s|that is|this is|it['’]?s|sounds|looks) (?:(?:so|really|very|pretty|super|just) )?(?:great|good|awesome|cool|nice|amazing|fine|right|true|sweet|wonderful|fantastic|lovely|interesting|funny|fun|beautiful)|(?:good|great|nice) to (?:see|hear from|meet) you|how are you(?: doing)?|how have you been|how['’]?s it going|what['’]?s up|you too|talk to you|soon|later|now|hope you(?:['’]re| are) (?:well|doing well)|have a (?:good|great|nice) (?:day|evening|weekend|one)|so much|very much|a lot|again|all|everyone|team|guys|man|mate|dude|then|there|danke|hallo|liebe|lieber|moin|servus|guten (?:morgen|tag|abend)|bonjour|bonsoir|salut|hola|buenos d[ií]as|ciao|привет|здравствуйте|добрый день|merci|спасибо|да|нет|ок|ja|nein|oui|non|好的|谢谢|ありがとう|はい|네|감사합니다)"
const ACKNOWLEDGEMENT = new RegExp(
  `^(?:[\\s,.!?…()\\-~*_+]|:[a-z0-9_+-]+:|\\p{Extended_Pictographic}|[\\u200d\\ufe0f]|${ACK_WORD}(?![\\p{L}\\p{N}'’]))+$`,
  'iu',
)
const LONGEST_ACKNOWLEDGEMENT = 80
export const SIGN_OFF =
  /^(?:(?:best|kind|kindest|warm|warmest|many)?\s*(?:regards|wishes|greetings)|best|yours|sincerely|yours (?:sincerely|faithfully|truly)|(?:(?:viele|liebe|beste|schöne|herzliche|sportliche|kollegiale|sonnige|musikalische|winterliche|freundliche) )+grüße|(?:(?:bien|très) )?cordialement|amicalement|(?:un|reciba un|recibe un) (?:cordial )?saludo(?: cordial)?|(?:un )?(?:fuerte )?abrazo|atentamente|bien à (?:vous|toi)|mit (?:(?:freundlichen|kollegialen|besten|herzlichen) )+grüßen|cordialement|saludos|с уважением)[,\s]*(?:\p{Lu}[\p{L}.-]*\s*){0,4}[.!]?$/iu

/** "Ok, thanks!", "Sounds good", an emoji: true whether or not a name follows. */
export function isAcknowledgement(sentence: string): boolean {
  if (sentence.length > LONGEST_ACKNOWLEDGEMENT) return false
  return (
    SIGN_OFF.test(sentence) ||
    ACKNOWLEDGEMENT.test(sentence) ||
    ACKNOWLEDGEMENT.test(sentence.replace(/[,\s]+@?\p{Lu}[\p{L}-]+(?=[!,.…\s]*$)/u, ''))
  )
}

const QUALITY =
  '(?:cool|nice|great|awesome|amazing|beautiful|lovely|sweet|wonderful|fantastic|perfect|funny|fun|hilarious|interesting|good|impressive|incredible|inspiring|gorgeous|cute|exciting|tough|rough|sad|crazy|wild|insane|fair|true|right|fine|ok|okay|helpful|kind|thoughtful|brilliant|super|neat|delicious|adorable|terrible|awful)'
const INTENSIFIER = '(?:so|really|very|pretty|such|a|an|just|quite|absolutely|too|super|always) '
const PRAISED =
  '(?: (?:news|idea|stuff|work|job|picture|photo|shot|story|way|plan|point|question|thing|of you|for you|to hear|to hear that|to know|to see|then|though|too|as well|so far|indeed|actually|right|man|dude)){0,2}'
const OCCASION =
  '(?:day|evening|afternoon|morning|weekend|week|night|meal|lunch|dinner|trip|flight|journey|holidays?|vacation|break|time|one|fun|rest|drive|ride|party|start)'
const WISHED =
  '(?:you|it|this|that|everyone|everybody|everything|all|we|so|they|he|she|your|merge|to see you|to hear|to meet)'
const THANKED =
  '(?:the|your|all|this|that|everything|letting|sharing|asking|coming|checking|being|having|understanding|reaching|getting back|listening)'
/** Sentences that only express courtesy or feelings. */
const CHATTER_FORMS: readonly string[] = [
  `(?:and |oh,? |well,? )?have (?:a |an |some )?(?:[a-z]+ ){0,2}${OCCASION}.{0,25}`,
  `(?:i |we |just |really )*hope(?:s|fully)? ${WISHED}\\b.{0,60}`,
  `(?:happy (?:birthday|anniversary|new year|holidays|easter|weekend)|merry christmas|good luck|best of luck|safe travels|safe flight|sweet dreams|sleep well|get well|take care|all the best|cheers|enjoy(?![^,;]*[,;] [a-z]+ [a-z]+)|bon app[eé]tit|fingers crossed|stay safe|see you|see ya|talk (?:to you )?(?:soon|later|then)|catch (?:you|up)|keep (?:it )?up|keep me posted)\\b.{0,40}|best of luck (?:for|with|on|to|in) (?:your|the|it|that|everything)\\b.{0,70}`,
  `(?:i )?(?:can['’]?t wait|look(?:ing)? forward)\\b.{0,40}`,
  `(?:(?:wow|oh|aww+|haha+|yeah|yes|ok|nice|cool|well|omg)[,!. ]+)?(?:that|this|it|you)(?:['’](?:s|re)| is| are| was| were| sounds?| looks?| seems?| must be| must have been) (?:${INTENSIFIER})*${QUALITY}${PRAISED}`,
  `(?:sounds|looks) (?:${INTENSIFIER}|like )*(?:${QUALITY}|a plan|fun)${PRAISED}`,
  `(?:so |very |really |that['’]s )?(?:glad|happy|proud|sorry|excited|jealous)(?: to hear| for you| of you| you| that you| about that| about it)\\b.{0,40}`,
  `i['’]?m (?:so |very |really )?(?:glad|happy|proud|sorry|excited|jealous)(?: to hear| for you| of you| you| that you| about that| about it)\\b.{0,40}`,
  `what (?:a|an) (?:[a-z]+ )?[a-z]+`,
  `how ${QUALITY}(?: of you| is that)?`,
  `(?:many |big |huge )?(?:thanks|thank you|thx)(?: so much| very much| a (?:lot|bunch|million|ton)| again)?(?:,? [a-z]+)?(?: for ${THANKED}\\b[^,;–—]{0,40})?`,
  `i (?:really |so |do )?(?:appreciate (?:it|that|this|you).{0,20}|agree|know,? right|see|love it|like it|know)`,
  `(?:there|here) you go|on it|my bad|bump|ping|lgtm|\\+1|same here|me too|you too|tell me about it|no kidding|oh my (?:god|gosh|goodness)|good (?:for you|point|plan|idea|question|call|thinking|stuff|one|job|work)|fair enough|why not|you (?:got this|rock|deserve it|can do it)|you(?: are|['’]re|r| were)? (?:the best|right|welcome|so kind|too kind|amazing|awesome)|any (?:news|updates?|thoughts)|(?:no|not) (?:rush|hurry|stress)|let['’]s (?:go|do (?:it|this|that))|whenever you (?:can|have time)|nothing much|not much`,
  "(?:(?:ok|okay|so|anyway|right|sorry)[,. ]+)*(?:i|we)(?:['’]ve| have|['’]d)? ?(?:got to|gotta|have to|need to|must|should|better) (?:run|dash|rush|jump off|drop off|hop off|shoot off|get going|be off|head off|go)(?: now| then| soon| here)?(?:,? (?:i['’]ve got|got) (?:an?|the|my|another) (?:meeting|call|train|bus|class|lesson|school run|dentist))?|(?:let['’]s|we(?:['’]ll| can)) (?:just )?(?:wait|give (?:it|them|people|everyone)) (?:an?|one|two|another|a few)(?: more)? (?:minutes?|moments?|seconds?|secs?|mins?)(?: (?:for|until|till) (?:the (?:others?|rest)|every(?:one|body)|people).{0,20})?|i['’]ll (?:leave|let) (?:you|u) (?:to it|get (?:on|back to it))",
  '(?:good )?(?:morning|evening|afternoon|night)(?: (?:all|both|everyone|everybody|team|folks|there))?|(?:hey|hi|hello) (?:all|both|everyone|everybody|team|folks|there)|certainly|tragic|perfect|no,? thanks|wonderful,? (?:thank you|thanks)|you star|nice (?:find|catch|one)|great question|same here',
  '(?:please )?let me know if (?:you have|there are) any (?:other |more |further )?questions.{0,30}|is there anything else (?:i can (?:do|help)).{0,30}|(?:do you want|would you like) me to (?:do|draft|write|go|make|continue|show|explain) ?.{0,30}|can (?:everybody|everyone|you(?: all)?|anyone) hear me',
  '(?:are there )?(?:any )?(?:objections|questions|comments)(?: to (?:that|this))?|i hear none|(?:with )?(?:best|kind|warm|many) (?:wishes|regards|greetings).{0,30}',
  "(?:hi|hey|hello|oh|and|so|anyway)?[,! ]*how(?:['’]s| is| are|['’]re| was| were) (?:you(?: (?:all|both|two|guys|lot))?|things|life|everyone|everybody|it|(?:the|your) (?:kids?|family|little one|baby|boys|girls|wife|husband|folks|weekend|week|day|evening|morning|holidays?|trip))(?: (?:doing|going|keeping|getting on|today|then|these days))?(?:,? (?:and )?how(?:['’]s| is| are) .{1,30})?|i['’]?m (?:(?:doing|very|pretty|quite|really) )*(?:alright|all right|fine|good|well|okay|ok|great)(?:,? (?:thanks|thank you|and you|you)(?: for asking)?(?:,? \\p{Lu}\\p{L}+)?)*|(?:really|no|wow|oh no|why)?[?!,. ]*what happened(?: to you)?|(?:so )?what (?:did|do) you (?:want|need) (?:to (?:ask|tell|talk to|say to|discuss with) (?:me|us))?.{0,12}",
  "(?:(?:so|ok|okay|just|well),? )?(?:there(?:['’]s| is| are)|here(?:['’]s| is| are)|i(?:['’]ve got| have)|we(?:['’]ve got| have)|es gibt|ich habe|il y a|j['’]ai)? ?(?:an?|one|two|three|four|five|six|a few|a couple of|some|several|zwei|drei|vier|ein paar|deux|trois|quelques|dos|tres|unas?) (?:(?:more|other|quick|small|short|minor|last|final|realistic|good|possible|different|main|simple|weitere|kurze|kleine|autres|petites?) ){0,2}(?:things?|points?|questions?|notes?|remarks?|comments?|thoughts?|updates?|options?|ways?|ideas?|possibilities|suggestions?|approaches|items?|nits?|dinge|punkte|fragen|sachen|anmerkungen|möglichkeiten|choses|questions|remarques|cosas|preguntas)(?: (?:here|though|then|first|from me))?",
  '(?:hi|hello|hey)?[,! ]*welcome to (?:the )?[^.?,;]{2,40}|(?:pull requests?|prs|contributions?|feedback|patches|suggestions|ideas|questions|comments|bug reports?)(?: and (?:pull requests?|contributions?|feedback|issues|suggestions|questions))? (?:are |is )?(?:always |very |most |more than |warmly )*welcome(?: here)?',
  'this (?:e-?mail|message)(?: and any attachments?)? (?:is|are|was|may be) (?:confidential|automatically generated|generated automatically|intended).{0,60}|this is an auto(?:mated|matically generated) (?:message|e-?mail).{0,40}|(?:please )?do not (?:reply to|forward) this.{0,40}|prices (?:are )?subject to change|join (?:microsoft )?teams meeting',
  '(?:vielen|herzlichen|besten|tausend) dank.{0,30}|schönen? (?:tag|abend|feierabend|urlaub|wochenende).{0,20}|viel (?:spaß|erfolg|glück).{0,30}|guten appetit|alles (?:gute|klar|liebe).{0,20}|gute besserung|bis (?:morgen|dann|später|bald|gleich)|kein (?:problem|stress)|klingt gut|passt|huhu(?: zusammen)?|guten (?:morgen|tag|abend)(?: zusammen)?|(?:noch )?(?:einen )?schönen (?:tag|abend)(?: noch)?|schade|ne+i+n+|feierabend|mit (?:freundlichen|besten|lieben) grüßen.{0,30}',
  "merci beaucoup.{0,20}|bon(?:ne)? (?:appétit|journée|soirée|week-end|courage|chance|vacances).{0,20}|à (?:demain|bientôt|plus|tout à l['’]heure)|de rien|pas de (?:souci|problème)|muchas gracias.{0,20}|buen (?:provecho|viaje|fin de semana|día)|que (?:tengas|te vaya|descanses).{0,30}|hasta (?:luego|mañana|pronto)|de nada|saludos(?: cordiales)?|buen d[ií]a+|buen[oa]s (?:noches|tardes|días)|gracias+|¡?claro|(?:ja){2,}.{0,25}|quedo atent[oa].{0,40}|espero que (?:se encuentre|esté|estés|te encuentres).{0,30}|(?:bueno,? )?(?:pues,? )?(?:buen )?provecho(?: a todos)?|¡?felicidades|claro que sí|¡?felicita a .{0,60}",
  '(?:画面|声|音)は?(?:見え|聞こえ)て(?:い)?ますか|お昼(?:ごはん)?行きましょう|見ます|おはようございます|(?:いつも|平素(?:より|は)|大変)?(?:大変)?お世話になって(?:おり|い)ます|(?:何卒|どうぞ)?よろしくお願い(?:申し上げ|いた|致)(?:し)?ます|おやすみ(?:なさい)?|元気(?:です|だよ)?|もちろん(?:です)?|さすが(?:です)?(?:ね|笑)*|楽しんで(?:ください|きて)(?:ね)?|大家早|早|6+|お疲れ(?:様|さま)(?:です|でした)?|(?:どうぞ)?よろしくお願い(?:いた|致)?します|了解(?:です|しました)?|承知しました|ありがとうございま(?:す|した)|お大事に|いいですね|楽しみ(?:です|にしています)|辛苦了|收到|好的?|没问题|谢谢(?:你|您|大家)?|太好了|加油|晚安|早上好|不客气',
]
const CHATTER = new RegExp(
  `^(?:${CHATTER_FORMS.join('|')})[\\s,.!?…~♪☆、。！？)(:;*_-]*(?:\\p{Extended_Pictographic}|[\\u200d\\ufe0f\\s])*$`,
  'iu',
)
const LONGEST_CHATTER = 100
/** A time, a number or an address is content. */
const SAYS_SOMETHING =
  /[0-57-9]|https?:|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december)\b/i

/** Salutations alone: `Dear Ms Lee,`, `Hola Ana:` and `山田様`. */
const SALUTATION =
  /^(?:(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|sehr geehrte[rs]?|guten (?:tag|morgen|abend)|moin|bonjour|bonsoir|salut|ch[eè]re?s?|hola|estimad[oa]s?|querid[oa]s?|apreciad[oa]s?|buen[oa]s (?:días|tardes|noches))(?:(?: [\p{L}.'’-]+){0,4}|(?: [\p{L}\d.'’-]+){1,4}(?=[,:，：]))|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,8}(?:[ 　][\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,8})?[ 　]?(?:様|さん|先生|经理|总)|尊敬的\p{Script=Han}{1,8})[\s,:!.，：！。]*$/iu

/** Whether a line is only a salutation: `Dear Ms Lee,`. */
export function isSalutation(line: string): boolean {
  return line.length <= 60 && SALUTATION.test(line) && clauseAfterGreeting(line) === undefined
}

/** `Have a nice meal!`, `That sounds amazing`, `Hope to see you soon`: searchable, but not in memories. */
export function isChatter(sentence: string): boolean {
  if (sentence.length > LONGEST_SENTENCE) return false
  const bare = sentence
    .replace(RESOLVED_DAY, '')
    .replace(LINE_TIME, '')
    .replace(DURATION, '')
    .replace(KISSES, '')
    .trim()
  const told = clauseAfterGreeting(bare)
  if (told !== undefined) return isChatter(told)
  if (isNewsInPlainWords(bare)) return false
  if (isIdiom(bare) || isChainOfChatter(bare)) return true
  if (isAcknowledgement(bare) || isSalutation(bare) || isThanks(bare)) return true
  if (bare.length <= LONGEST_CHATTER && !SAYS_SOMETHING.test(bare.replace(/^\+1/, '')) && CHATTER.test(bare))
    return true
  return isSmallTalk(withoutVocative(bare)) || isBoilerplate(bare) || isSetPhrase(bare) || isCourtesy(bare)
}

/** `Super, danke, ciao`: nothing but small talk between the commas. */
function isChainOfChatter(sentence: string): boolean {
  if (sentence.length > LONGEST_CHAIN || !sentence.includes(', ') || /\d/.test(sentence)) return false
  const parts = sentence.split(', ')
  if (parts.some(({ length }) => length > LONGEST_PART)) return false
  return (
    parts.length <= MOST_PARTS && !CONDITION.test(sentence) && parts.every((part) => part !== '' && isChatter(part))
  )
}
const LONGEST_CHAIN = 80
const LONGEST_PART = 40
const MOST_PARTS = 5
/** `If you want to, feel free to change it` allows something. */
const CONDITION = /^(?:if|when|wenn|falls|si|quand|cuando) /i
/** Longer ones are not split into sentences, and long runs of spaces take long. */
const LONGEST_SENTENCE = 1_000
/** `Good plan x` */
const KISSES = / x{1,4}$/u

/** `Thank you for having us last Thursday, it was a pleasure`: thanks for what both know, and no news. */
function isThanks(sentence: string): boolean {
  if (sentence.length > LONGEST_THANKS || /\d/.test(sentence) || !THANKED_FOR.test(sentence)) return false
  const [thanks = '', ...others] = sentence.split(/, | – | — | - /)
  return !NAMED_IN.test(thanks) && others.every((part) => PLEASED.test(part) || !/ \S+ /.test(part))
}
const LONGEST_THANKS = 140
const THANKED_FOR =
  /^(?:(?:and|so|many|big|huge|once again,?|again,?|first of all,?) )*(?:thanks|thank you|thx|cheers|danke|vielen dank|herzlichen dank|besten dank|merci|merci beaucoup|(?:muchas )?gracias)(?: (?:so much|very much|a lot|again|all|everyone|nochmals?|encore|dir|euch|ihnen|de nouveau))* (?:for|für|de|d['’]|pour|por)(?![\p{L}])/iu
/** A name within the thanks, but for days. */
const NAMED_IN = /(?<=[\p{Ll}] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|I\b)\p{Lu}\p{Ll}+(?! \p{Lu})(?=[ ,.!]|$)/u
const PLEASED =
  /^(?:and |really |truly )?(?:it|that|das|es|ce|c['’]) ?(?:was|is|has been|means|helps?|meant|war|hat|était)\b.{0,60}$|^(?:much|very|really|greatly) appreciated|^(?:we|i) (?:really |very much |truly |so )?(?:appreciate|enjoyed|loved|liked)\b.{0,50}$/iu

/** An assistant's offer to do something next. */
const OFFER =
  /^(?:(?:would|do) you (?:like|want|prefer)|shall i|should i|want me to|if you(?:['’]d)? (?:like|want),? i can|möchten sie|möchtest du|soll ich|willst du|wenn sie möchten|voulez-vous|veux-tu|souhaitez-vous|souhaites-tu|si vous (?:le )?(?:souhaitez|voulez)|¿?(?:quieres|quiere|te gustaría|le gustaría|deseas|desea)(?!\p{L})|si quieres)|(?:しましょうか|ご希望(?:です|でしょう)か|いかが(?:です|でしょう)か|(?:必要|ご入用)(?:です|でしょう)か)[?？。]?$|^(?:如果(?:你|您)?(?:需要|愿意)|(?:需要|要不要|是否需要|想让)我)/iu

/** `Would you like me to draft it?` of an assistant. */
export function isOffer(sentence: string): boolean {
  return sentence.length <= LONGEST_OFFER && OFFER.test(sentence)
}
const LONGEST_OFFER = 160

/** Announcements by agents of what they will do next. */
const ANNOUNCED =
  /^(?:(?:now |first,? |okay,? |great,? )?(?:i (?:understand|see)|let me|let['’]s|i['’]ll (?:look|check|start|take a look|read|search|now)|i(?:['’]m| am) (?:going to|now))|i can see|looking at|good question|great question|here(?:['’]s| is| are)|you(?:['’]re| are) (?:absolutely |completely |totally )?(?:right|correct)|voici|hier (?:ist|sind|kommt)|aquí (?:tienes|está|van?))\b.{0,80}$/i

/** `Let me look at the file`, `Here is the list` of an assistant. */
export function isAnnouncement(sentence: string): boolean {
  return ANNOUNCED.test(sentence)
}

/** The time before a line of a list: `11:40 Missed call`, `- 15:02: spam`. */
const LINE_TIME = /^(?:[-*•–] ?)?\d{1,2}[:.h]\d{2}(?: ?(?:Uhr|h|am|pm))?(?: ?[-–:|,] ?| )(?=\p{L})/u
/** How long a call took: `, 1 min`, `(0:12)`. */
const DURATION = /[\s,]*(?:\(\d{1,2}:\d{2}\)|\(?\d{1,3} ?(?:s|sec|min|Min|分(?:钟)?|秒)\.?\)?)$/u

/** `See you tomorrow (25 November 2026)!` */
const RESOLVED_DAY = / ?\((?:week of )?\d{1,2} \p{Lu}\p{L}+ \d{4}\)/gu

/** `Thanks, Ann` and `Ann, can you hear me?` without the name. */
function withoutVocative(sentence: string): string {
  return sentence.replace(/^@?\p{Lu}[\p{L}-]+, |, @?\p{Lu}[\p{L}-]+(?=[!,.?…\s]*$)/gu, '')
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
/** "I" counts: `I quit`. */
const WORD = /[\p{L}\p{M}]{2,}|(?<![\p{L}\p{M}'’])[Ii](?=['’ ])/gu

/** Maximum length of a passage that may be small talk only. */
const MOST_SMALL_TALK = 400

/** Why a passage has no memory; its chunks are still indexed. */
export type PassageFault = 'too_short' | 'chatter' | 'binary_part'

/**
 * `too_short`: fewer than two words, or three characters of a script without spaces. `chatter`: only small talk.
 * `binary_part`: long runs without spaces (base64, minified code), in which words cannot be separated.
 */
export function faultOf(body: string, hasCode: boolean): PassageFault | undefined {
  const sample = body.slice(0, 4_000)
  const spaceless = sample.match(SPACELESS)?.length ?? 0
  const words = sample.match(WORD)?.length ?? 0
  if (!hasCode && spaceless < sample.length / 10 && isBlob(sample)) return 'binary_part'
  if (words < 2 && spaceless < 3) return 'too_short'
  const sentences = hasCode || sample.length > MOST_SMALL_TALK ? [] : sentencesOf(sample)
  return isAcknowledgement(sample.trim()) || (sentences.length > 0 && sentences.every(isChatter))
    ? 'chatter'
    : undefined
}

/** Whether more than half of a long passage is runs of 80 or more characters other than addresses. */
function isBlob(text: string): boolean {
  if (text.length < 200) return false
  let inRuns = 0
  for (const run of text.split(/\s+/)) if (run.length >= 80 && !run.includes('://')) inRuns += run.length
  return inRuns > text.length / 2
}
