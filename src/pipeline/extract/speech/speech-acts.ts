import { isAssistant } from '../names/participant-kinds.ts'

/**
 * Speech acts in reported form: `I fixed the pool` by Ann becomes `Ann fixed the pool`, and `Can you send me the file?`
 * becomes `Ann asked me to send them the file`. Covers deeds, promises, proposals, requests and intentions. Refuses
 * uncertain ones, which are then reported or quoted.
 */

/** Speaker and listener. */
interface Speaking {
  /** Whether the account's owner speaks. */
  readonly byMe: boolean
  /** Whether "you" means the owner. */
  readonly toMe: boolean
  /** Whether "we" includes the owner. */
  readonly withMe: boolean
  /** `me` or a display name; `undefined` with several listeners. */
  readonly listener: string | undefined
  /** Who spoke before, if not the owner: of several listeners, a promise is to them. */
  readonly answers?: string | undefined
  /** Whether sentences without a subject are requests, as to an agent. */
  readonly commands?: boolean
  /** Whether it is the first thing that a person says, so that `Will call you` is of themselves. */
  readonly isOpening?: boolean
}

const ADVERB =
  '(?:just|also|already|only|finally|then|recently|really|even|quickly|actually|now|still|probably|gladly|happily)'
/** Verbs in their base form, joined by `|`. */
export const VERBS = `add|adjust|answer|apply|arrange|arrive|ask|attend|be|bake|begin|book|bring|build|buy|call|cancel|carry|change|check|clean|close|collect|come|confirm|contact|continue|cook|copy|create|cut|deliver|deploy|discuss|dispute|do|double-check|draft|drive|email|explain|extend|fetch|file|find|finish|fix|fly|follow|forward|get|give|go|handle|have|help|hand|implement|increase|install|introduce|investigate|invite|join|keep|leave|let|look|mail|make|measure|meet|merge|message|migrate|move|offer|open|order|organi[sz]e|pack|pay|phone|pick|ping|place|plan|post|prepare|present|print|propose|publish|push|put|raise|reach|read|rebook|rebuild|release|remind|remove|renew|repair|replace|reply|report|request|reserve|reset|restart|resend|return|review|revert|rewrite|run|schedule|see|sell|send|set|ship|show|sign|speak|start|stay|stop|submit|switch|take|talk|teach|tell|test|travel|try|turn|update|upgrade|upload|use|visit|wait|walk|wash|watch|work|write`
/** Services to others: about one's own future, they are promises. */
const PROMISED = new RegExp(
  `^(?:${'add|answer|arrange|ask|bake|book|bring|buy|call|cancel|check|clean|collect|confirm|contact|cook|create|deliver|dispute|do|double-check|draft|email|explain|fetch|file|find|finish|fix|follow|forward|get (?:you|us|them|the|a|an|some|two|three|four|five|more|another|new|his|her|my|your|our|their)|give|handle|hand|help|implement|introduce|investigate|let|look|mail|make|merge|message|migrate|order|organi[sz]e|pay|phone|pick|ping|post|prepare|print|publish|raise|rebook|release|remind|remove|renew|repair|replace|reply|report|resend|reserve|restart|return|review|revert|rewrite|schedule|send|set|ship|show|sign|submit|take|talk|teach|tell|test|update|upload|watch (?:it|that|this|them|the)|write'}) `,
  'i',
)
/** `need` and `proceed` are not past tense. */
export const REGULAR_PAST = '(?!(?:need|feed|bleed|breed|speed|exceed|proceed|succeed)(?![a-z]))[a-z]{2,}ed'
export const IRREGULAR_PAST =
  'was|had|did|went|made|took|got|found|saw|wrote|ran|sent|met|told|gave|came|left|kept|broke|built|bought|brought|chose|felt|forgot|held|knew|led|lost|paid|said|spent|spoke|thought|won|put|set|cut|drove|flew|sold|read|began|sat|stood|taught|understood|woke|threw|drew|grew|rode|rose|sang|slept|swam|tore|wore|rang|caught|fell|heard|grew|ate|drank|fed|stole|hung|hid|froze|lent|shook|fought'
/** Verb forms that are the same of "they" and of one. */
export const IN_ANY_PERSON = `can|could|will|would|should|must|might|may|cannot|${REGULAR_PAST}|${IRREGULAR_PAST}`
/** Participles that differ from the past tense. */
const PARTICIPLES: Readonly<Record<string, string>> = {
  ...{ been: 'been', begun: 'began', broken: 'broke', chosen: 'chose', come: 'came', done: 'did', driven: 'drove' },
  ...{ flown: 'flew', forgotten: 'forgot', given: 'gave', gone: 'went', gotten: 'got', known: 'knew', ridden: 'rode' },
  ...{ run: 'ran', seen: 'saw', spoken: 'spoke', taken: 'took', thrown: 'threw', written: 'wrote' },
}
const DID = new RegExp(
  `^I ((?:${ADVERB} )?(?:${REGULAR_PAST}|${IRREGULAR_PAST}|couldn['’]t|didn['’]t|wasn['’]t|hadn['’]t)(?: .+)?)$`,
  'i',
)
const HAS_DONE = new RegExp(
  `^I(?:['’]ve| have) ((?:${ADVERB} )*)(${REGULAR_PAST}|${IRREGULAR_PAST}|${Object.keys(PARTICIPLES).join('|')})( .+)?$`,
  'i',
)
const WILL = new RegExp(
  `^I(?:['’]ll| will| shall|['’]m going to| am going to) ((?:${ADVERB} )*)((?:${VERBS})(?: .+)?)$`,
  'i',
)
const WILL_NOT = new RegExp(`^I(?: won['’]t| will not|['’]m not going to) ((?:${VERBS})(?: .+)?)$`, 'i')
const CAN = new RegExp(`^I can ((?:${ADVERB} )*)((?!have |be )(?:${VERBS}) .+)$`, 'i')
const CANNOT = new RegExp(`^I (?:can['’]?t|cannot) ((?:${VERBS})(?: .+)?)$`, 'i')
const WANTS = /^I (want|need|plan|hope) (to .+)$/i
const IS_DOING = /^I(?:['’]m| am) (not )?((?:(?:currently|still|now|just|already) )?[a-z]{2,}ing(?: .+)?)$/i
/** Behind "let's" any verb is a proposal, except in set phrases. */
const PROPOSES = new RegExp(
  `^(?:(?:ok|okay|so|then|right|fine),? )*(?:(?:let['’]s|let us) (?!(?:me|us|all|both|just|see|say|hope|face|be|pray|assume|pretend|imagine|suppose)\\b)(not )?([a-z]{2,}(?: .+)?)|shall we ()((?:${VERBS})(?: .+)?))$`,
  'i',
)
const OPENING = '(?:(?:hey|hi|so|and|also|ok|okay|then|now)[, ]+)?'
const REQUESTS: readonly RegExp[] = [
  new RegExp(
    `^${OPENING}(?:can|could|would|will) you (?:(?:please|maybe|also|quickly|kindly|perhaps|both) )*((?:${VERBS})(?: .+?)?)(?:,? please)?[?.!]*$`,
    'i',
  ),
  new RegExp(`^${OPENING}you (?:then |also |just )?((?:${VERBS}) .+)\\?$`, 'i'),
  new RegExp(`^${OPENING}please ((?:(?:do not|don['’]t|never) )?(?:${VERBS}|correct|inform)(?: .+?)?)[.!]*$`, 'i'),
  new RegExp(`^${OPENING}((?:${VERBS}) .+?),? please[.!]*$`, 'i'),
]
/** `Any objections to moving the demo?` */
const OBJECTIONS = /^(?:are there )?(?:any|no) objections? (?:to|against) ([a-z]{2,}ing .+?)[?.!]*$/i
/** `Then that's decided.` */
const DECIDED =
  /^(?:(?:ok|okay|so|good|great|then|right|perfect)[, ]+)*(?:that|it)(?:['’]s| is) (decided|settled|agreed)(?: then)?[.!]*$/i
/** `So from now on no daily report.` */
const FROM_NOW_ON =
  /^(?:so |then |okay,? )?from now on,? (?:there (?:is|are|will be) )?((?:no|only one|one) [^,;.]+)[.!]*$/i
const LONGEST = 240
/** Requests that are only made to agents. */
const COMMANDS =
  'analy[sz]e|bisect|bump|clone|commit|compare|compute|configure|convert|debug|delete|describe|design|disable|document|drop|enable|evaluate|execute|explore|extract|fit|format|generate|improve|include|inspect|iterate|list|load|lower|mention|note|optimi[sz]e|parse|plot|profile|rebase|refactor|refine|reformat|regenerate|rename|rerun|research|resolve|restore|save|search|simplify|simulate|split|suggest|summari[sz]e|sync|think|track|translate|undo|validate|verify'
const COMMAND = new RegExp(
  `^${OPENING}(?:please )?(?:go ahead and )?((?:(?:${VERBS}|${COMMANDS}) .{2,${LONGEST}}?)|commit|continue|deploy|push|rebase|retry|undo)[.!]*$`,
  'i',
)
/** `For those take the date of the file` */
const FRONTED = /^((?:for|in|on|with|at|from) (?:those|these|this|that|them)),? ([^.!?,]+)(?=[.!]?$)/i
/** `Rename the column and write a migration` */
export function isCommand(sentence: string): boolean {
  return BEGINS_WITH_VERB.test(sentence)
}
const BEGINS_WITH_VERB = new RegExp(
  `^(?:please )?(?:${VERBS}|${COMMANDS}) (?:the|a|an|my|our|all|this|that|each|every)(?![\\w'’])`,
  'i',
)

/** The beginnings and endings of acts, checked first because that is much faster. */
const MAY_ACT = new RegExp(
  `^${OPENING}(?:I(?=[ '’])|let|(?:right|fine),? let|shall |can |could |would |will |you |please |are there |(?:so |then )?(?:from now on|that['’]s (?:decided|settled|agreed))|any objections|no objection)|please[.!]*$`,
  'i',
)
/** Quotations, code, links and lists can't be reworded word by word. */
const UNTOLD = /[{}<>=\\"“”|;]|:\s|:$|\bhttps?:|\.\.\.|…|[?!.]\s/

/** The predicate after the speaker's name: `fixed the pool`; `undefined` when the sentence is not an act. */
export function speechAct(sentence: string, speaking: Speaking): string | undefined {
  const words = withSubject(sentence.replace(/(?<![\w.])i(?=['’ ])/g, 'I').trim(), speaking.isOpening === true)
  if (speaking.commands && speaking.listener) {
    const command = COMMAND.exec(
      words.replace(FRONTED, (_, front: string, rest: string) => `${rest} ${front.toLowerCase()}`),
    )?.[1]
    // The words of a request stay unchanged, so code in it does no harm.
    if (command && !YOU.test(command))
      return `asked ${speaking.listener} to ${lowerVerb(command)
        .replaceAll('"', "'")
        .replace(/ and (?:please )?(?:don['’]t|do not) /, ' and not ')}`
  }
  if (!MAY_ACT.test(words) || words.length > LONGEST || UNTOLD.test(words)) return undefined
  return requestAct(words, speaking) ?? ownAct(words.replace(SAID_TWICE, '').replace(/[.!,\s–—-]+$/, ''), speaking)
}

/** `I'll call her tonight, promised`; `I'll keep my promise` stays. */
const SAID_TWICE = /, (?:I )?promised?[.!]*$/i

/** `Lost my job yesterday` without its "I". Participles such as `Closed for holidays` have no object. */
function withSubject(words: string, isOpening: boolean): string {
  if (isOpening && UNSAID_PROMISE.test(words) && !NO_PROMISE.test(words))
    return `I ${lowerVerb(words)}`.replace(/^I will do(?=$|[.!]| (?:by|on|this|next)\b)/, 'I will do it')
  return UNSAID_SUBJECT.test(words) ? `I ${lowerVerb(words)}` : words
}
/** `Will watch it over the weekend`, `will do by Wednesday` */
const UNSAID_PROMISE =
  /^will (?:(?:answer|arrange|ask|book|bring|buy|call|check|collect|confirm|contact|draft|email|explain|fetch|forward|give|introduce|investigate|look|message|order|organi[sz]e|pay|phone|pick|ping|post|prepare|print|raise|remind|reply|report|resend|review|rewrite|send|submit|talk|tell|watch|write) \S|do (?:it|that|this|by|on|next)(?!\p{L}))[^?]*$/iu
/** `Will read the contract and found two mistakes` is of somebody named Will. */
const NO_PROMISE = /\b(?:yesterday|ago|last (?:night|week|month|year|\p{L}+day)|and \p{L}+(?:ed|ught|ound|ent))\b/iu
const UNSAID_SUBJECT =
  /^(?:(?:just|also|already|finally|then) )?(?:[a-z]{3,}(?<!need|feed|speed|indeed|hundred)ed|got|took|made|found|sent|bought|lost|left|wrote|saw|met|paid|built|brought|gave|told|forgot|broke|sold|ate|rang|caught|drank|fed|lent) (?:a|an|the|my|our|it|them|him|her|you|some|two|three|four|five|another|all|both|\d+)(?![\w'’])|^(?:just |also |finally )?(?:went (?:to|there|home|for|back|out|in)|came (?:back|home)|slept|spent|had (?:a|an|the|my|lunch|dinner|breakfast|coffee)) /i

function requestAct(words: string, speaking: Speaking): string | undefined {
  const request = REQUESTS.flatMap((pattern) => pattern.exec(words) ?? [])[1]
  const decided = DECIDED.exec(words)?.[1]
  if (decided !== undefined) return `said that it was ${decided}`
  const ended = FROM_NOW_ON.exec(words)?.[1]
  if (ended !== undefined && !YOU.test(ended)) return `decided that from now on there is ${ended}`
  const unopposed = OBJECTIONS.exec(words)?.[1]
  if (unopposed !== undefined) return YOU.test(unopposed) ? undefined : `proposed ${unopposed}`
  if (request !== undefined) {
    const task = speaking.listener && turnPersons(lowerVerb(request), speaking, 'request')
    return task ? `asked ${speaking.listener} ${toDo(task)}` : undefined
  }
  const [, not, ours, , shall] = PROPOSES.exec(words.replace(/[?.!]+$/, '')) ?? []
  const proposed = ours ?? shall
  const plan = proposed && turnPersons(lowerVerb(proposed), { ...speaking, withMe: true }, 'deed')
  return plan ? `proposed ${not === undefined ? '' : 'not '}to ${plan}` : undefined
}

/** `to call`, `not to eat`, `never to push`. */
function toDo(task: string): string {
  const [, never, rest] = /^(?:do not|don['’]t|(never)) (.+)$/is.exec(task) ?? []
  return rest === undefined ? `to ${task}` : `${never === undefined ? 'not' : 'never'} to ${rest}`
}

function ownAct(words: string, speaking: Speaking): string | undefined {
  if (/[?？]$/.test(words) || ENTANGLED.test(words)) return undefined
  const predicate = predicateOf(words, isAssistant(speaking.listener ?? ''))
  if (predicate !== undefined && PLANNED.test(predicate) && OTHER_SUBJECT.test(predicate)) return undefined
  const isToAll = predicate !== undefined && /^(?:promised|offered) to /.test(predicate)
  const act = predicate && turnPersons(predicate, speaking, isToAll ? 'promise' : 'deed')
  // "Was going to" would read as if it never happened.
  const who = speaking.byMe ? 'I' : 'they'
  return act?.replace(/^would (not )?/, (_, not?: string) => `said ${who} ${not === undefined ? 'would' : "wouldn't"} `)
}

/** `I'll write the report and we should add a test`: the second clause is no promise. */
const PLANNED = /^(?:promised|offered|would|wanted|needed|planned|hoped) /
const OTHER_SUBJECT = /(?:,| and| but| so| or) (?:we|they|he|she|it|you)(?:['’]\w+)? /i

/** `fixed it` of `I've fixed it`; nobody promises a program anything. */
function predicateOf(words: string, isToProgram: boolean): string | undefined {
  const done = HAS_DONE.exec(words)
  // "I've been to Oslo" and "I've got to go" are no deeds, and "I've got the play on the 26th" may be ahead.
  if (done && (/^been$/i.test(done[2]!) || /^got to /i.test(`${done[2]}${done[3] ?? ''}`))) return undefined
  if (done && /^got$/i.test(done[2]!)) return AHEAD.test(done[3] ?? '') ? undefined : `${done[1]}had${done[3] ?? ''}`
  if (done) return `${done[1]}${PARTICIPLES[done[2]!.toLowerCase()] ?? done[2]}${done[3] ?? ''}`
  const did = DID.exec(words)
  if (did) return did[1]
  const will = WILL.exec(words)
  if (will && isToProgram) return `planned to ${will[2]}`
  if (will) return willAct(will[2]!, / going to$/i.test(words.slice(0, words.length - will[2]!.length).trimEnd()))
  const not = WILL_NOT.exec(words)
  if (not) return `would not ${not[1]}`
  const can = CAN.exec(words)
  if (can) return PROMISED.test(can[2]!) && !isToProgram ? `offered to ${can[2]}` : `could ${can[2]}`
  const cannot = CANNOT.exec(words)
  if (cannot) return `couldn't ${cannot[1]}`
  const wants = WANTS.exec(words)
  if (wants) return `${PAST_OF_WANTS[wants[1]!.toLowerCase()]} ${wants[2]}`
  const doing = IS_DOING.exec(words)
  // `I'm flying home on Friday` and `I'm not coming` are not over.
  return doing && doing[1] === undefined && !AHEAD.test(doing[2]!) ? `was ${doing[2]}` : undefined
}

/** A day, or a part of one. */
const AHEAD =
  /\b(?:on|at|until|next|this|tomorrow|tonight|today|later) |\bin (?:(?:early|late|mid)[ -])?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|(?:an?|one|two|three|four|five|six|a few|\d+) (?:minutes?|hours?|days?|weeks?|months?|years?))\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d(?:st|nd|rd|th)\b|\b(?:tomorrow|tonight|today|later)$/i

/** A sentence about the future: a promise, a plan, or only what was about to happen. */
function willAct(deed: string, isPlan: boolean): string {
  const bare = deed.replace(/ then$/, '')
  if (PROMISED.test(`${bare} `)) return `promised to ${bare}`
  return isPlan ? `planned to ${bare}` : `would ${bare}`
}

const PAST_OF_WANTS: Readonly<Record<string, string>> = {
  want: 'wanted',
  need: 'needed',
  plan: 'planned',
  hope: 'hoped',
}
/** These can't be reworded word by word. */
const ENTANGLED =
  /\b(?:\p{Lu}[\p{L}-]* and I|I and|me and|and me|[Ii]m|[Ii]ve|if I|whether I|used to|would have|I think|I guess|thank you|thanks)\b/u
const THEIRS: Readonly<Record<string, string>> = {
  me: 'them',
  my: 'their',
  mine: 'theirs',
  myself: 'themselves',
  i: 'they',
}
const OWN = /\b(?:I|me|my|mine|myself)\b/i
const OTHERS = /\b(?:they|them|their|theirs|themselves|he|she|him|her|his)\b/i
const WE = /\b(?:we|us|our|ours|ourselves)\b/i
const YOU = /\b(?:you|your|yours|yourself)\b/i
/** "You" as an object: after a verb or a preposition. */
const YOU_AS_SUBJECT =
  /(?:^|[,;] |\b(?:that|if|when|what|how|where|why|as|because|since|before|after|until|while|and|but|or|than|so|whether) )you\b|\byou(?:['’](?:re|ve|ll|d)| (?:are|were|have|had|can|could|will|would|should|need|want|did|do|said|asked|sent|told))\b/i

const SAME_SUBJECT = new RegExp(
  `\\b(and|but) (?:then )?I (?=(?:${ADVERB} )?(?:${REGULAR_PAST}|${IRREGULAR_PAST})\\b)`,
  'gi',
)

/** The words after the speaker's name, from the owner's point of view; `undefined` if a person is ambiguous. */
function turnPersons(predicate: string, speaking: Speaking, act: ActKind): string | undefined {
  if (WE.test(predicate) && !speaking.withMe) return undefined
  const own = predicate.replace(SAME_SUBJECT, '$1 ')
  const namesOthers = OTHERS.test(own)
  const told = speaking.byMe ? own : turnOwn(own, namesOthers)
  const turned = act === 'request' && speaking.toMe ? told?.replace(OF_MY_DEED, ' I$1') : told
  if (turned === undefined || !YOU.test(turned)) return turned
  // `I'll do your clinic` is said to one person, `I'll send you both the plan` to several.
  const answers = OF_ONE.test(turned) ? speaking.answers : undefined
  const you = YOU_AS_SUBJECT.test(turned) ? undefined : listenerWords({ ...speaking, answers }, act)
  if (you === undefined || (you.you === 'them' && namesOthers)) return undefined
  return turned.replace(/\b(?:you|yours?|yourself)\b/gi, (word) => you[word.toLowerCase()] ?? word)
}

/** `the count you did in October`, asked of me. */
const OF_MY_DEED =
  / you((?:['’]ve)? (?:did|had|have|made|sent|wrote|took|got|mentioned|showed|promised|used|bought|found|said|drew|built)(?![\p{L}'’]))/gu
const OF_ONE = /\byour\b|\bfor you\b(?! (?:all|both|two|guys)\b)/i

/** Another's `my` as `their`; `undefined` if `they` would be somebody else. */
function turnOwn(words: string, namesOthers: boolean): string | undefined {
  if (!OWN.test(words)) return words
  if (namesOthers || /\bI (?:am|was|have)\b|\bI['’]/i.test(words)) return undefined
  return words.replace(/\b(?:I|me|my|mine|myself)\b/gi, (word) => THEIRS[word.toLowerCase()] ?? word)
}

type ActKind = 'request' | 'promise' | 'deed'
type PersonWords = Readonly<Record<string, string>>
const YOU_AS_ME: PersonWords = { you: 'me', your: 'my', yours: 'mine', yourself: 'myself' }
const YOU_AS_US: PersonWords = { you: 'us', your: 'our', yours: 'ours', yourself: 'ourselves' }
const YOU_AS_THEM: PersonWords = { you: 'them', your: 'their', yours: 'theirs', yourself: 'themselves' }

/** The replacement of "you". */
function listenerWords({ byMe, toMe, withMe, listener, answers }: Speaking, act: ActKind): PersonWords | undefined {
  if (listener === undefined && !toMe && act === 'promise' && answers)
    return { you: answers, your: `${answers}'s`, yours: `${answers}'s` }
  if (!byMe) {
    if (toMe) return YOU_AS_ME
    // A promise to several people is a promise to me too; a deed to "you" was done to one of them.
    if (listener === undefined) return withMe && act === 'promise' ? YOU_AS_US : undefined
    return act === 'request' ? YOU_AS_THEM : undefined
  }
  if (act === 'request' || (act === 'promise' && listener === undefined)) return YOU_AS_THEM
  return listener === undefined ? undefined : { you: listener, your: `${listener}'s`, yours: `${listener}'s` }
}

function lowerVerb(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}
