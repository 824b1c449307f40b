/**
 * English questions as clauses after "asked": `Are you coming on Sunday?` by Mum to me becomes `whether I am coming on
 * Sunday`, and `When does the lease end?` becomes `when the lease ends`. Questions with more complex grammar are
 * quoted.
 */

import { VERBS } from './speech-acts.ts'

/** Speaker and listener. */
interface Asking {
  readonly byMe: boolean
  /** Whether "you" means the account's owner. */
  readonly toMe: boolean
  /** Whether "we" includes that person. */
  readonly withMe: boolean
  /** `me` or a display name; `undefined` with several listeners. */
  readonly listener: string | undefined
}

const LONGEST = 160
const OPENING =
  /^(?:(?:so|and|but|ok|okay|he+y+|hi+|then|also|wait|oh|btw|by the way|(?:quick |one )?question)[,:]?\s+|just wondering,? )+/i
/** Quotations, code, lists and a second sentence can't be reworded word by word. */
const UNTOLD = /[{}<>=\\"“”|;:]|\bhttps?:|\.\.\.|…|[?!.]\s/
const AUXILIARY = "(?:are|is|was|were|do|does|did|can|could|will|would|should|shall|have|has|had|might|must)(?:n[’']t)?"
const PRONOUN = '(?:I|you|we|they|he|she|it|there|anyone|anybody|everyone|everybody|someone|somebody)'
const WH =
  '(?:who|whom|what|which|where|when|why|how|how (?:much|many|long|far|often|late|early)|what time|(?:which|what|how many|how much) [a-z]+)'
const YES_NO = new RegExp(`^(${AUXILIARY}) (${PRONOUN})\\b(.*)$`, 'i')
const OPEN = new RegExp(`^(${WH}) (${AUXILIARY}) (${PRONOUN})\\b(.*)$`, 'i')
const DETERMINER = '(?:the|a|an|my|your|our|their|his|her|this|that|these|those)'
/** `When does the lease end?` */
const WITH_SUBJECT = new RegExp(`^(?:(${WH}) )?(do|does|did) (${DETERMINER} .+)$`, 'i')
/** `What's the code for the door?` */
const WHAT_IS = new RegExp(
  `^(who|what|where|when|how) ?(is|are|was|were|['’]s|['’]re) (${DETERMINER} [a-z-]+(?: [a-z-]+){0,2}(?: (?:of|for|to|in|on|at|from|with) [\\p{L}\\p{N} '’-]{1,40})?)$`,
  'iu',
)
/** `Who signs?` */
const SUBJECT =
  /^(who|what|which [a-z]+|how many [a-z]+) ((?:will|can|could|would|should|is|are|was|were|has|have|had|needs|wants|takes|brings|knows|goes|comes|pays|signs|owns|runs|changed|happened|broke|wrote|said|did|took|made)\b.*)$/i
const OWN = /\b(?:I|me|my|mine|myself)\b/i
const OTHERS = /\b(?:they|them|their|theirs|themselves|he|she|him|her|his)\b/i
const WE = /\b(?:we|us|our|ours|ourselves)\b/i
const YOU = /\b(?:you|your|yours|yourself)\b/i

/** `whether I am coming on Sunday`; `undefined` if the question must be quoted. */
export function indirectQuestion(sentence: string, asking: Asking): string | undefined {
  const words = sentence
    .replace(OPENING, '')
    .replace(/(?<![\w.])i(?=['’ ])/g, 'I')
    .trim()
  if (!/[?？]$/.test(words) || words.length > LONGEST) return undefined
  const asked = words.replace(/[?？!.\s]+$/, '')
  if (UNTOLD.test(asked) || /,? (?:right|isn[’']t it|don[’']t you|no|or not|eh|huh)$/i.test(asked)) return undefined
  const clause = statementOf(asked)
  return clause && turnPersons(clause, asking)
}

/** In the order of a statement, with unchanged persons: `whether you are coming`. */
function statementOf(asked: string): string | undefined {
  const closed = YES_NO.exec(asked)
  // `Could someone with a Mac test it?` has a longer subject.
  if (closed && OF_SUBJECT.test(`${closed[2]}${closed[3]}`)) return undefined
  if (closed) return withVerb('whether', closed[2]!, closed[1]!, closed[3]!)
  const open = OPEN.exec(asked)
  if (open) return withVerb(lower(open[1]!), open[3]!, open[2]!, open[4]!)
  const withSubject = WITH_SUBJECT.exec(asked)
  if (withSubject) {
    const [, wh, auxiliary = '', words = ''] = withSubject
    const clause = withNoun(auxiliary, words.split(' '))
    return clause && `${wh ? lower(wh) : 'whether'} ${clause}`
  }
  const what = WHAT_IS.exec(asked)
  if (what)
    return `${lower(what[1]!)} ${what[3]} ${COPULA[what[2]!.replace('’', "'").toLowerCase()] ?? lower(what[2]!)}`
  const subject = SUBJECT.exec(asked)
  return subject && !/^(?:what|who) (?:is|are|was|were) (?!\S+ing\b)/i.test(asked)
    ? `${lower(subject[1]!)} ${subject[2]}`
    : undefined
}

const OF_SUBJECT = /^(?:any|every|some)(?:one|body) (?:else )?(?:with|from|of|in|on|at|who) /i

/** `the lease ends`: only if one word can be the verb. */
function withNoun(auxiliary: string, words: readonly string[]): string | undefined {
  const verbs = words.flatMap((word, i) => {
    const isVerb = i > 1 && BARE_VERBS.has(word.toLowerCase()) && !BEFORE_NOUN.test(words[i - 1] ?? '')
    return isVerb ? [i] : []
  })
  const [at, ...others] = verbs
  if (at === undefined || others.length > 0) return undefined
  return [...words.slice(0, at), inflected(auxiliary, words[at]!), ...words.slice(at + 1)].join(' ')
}
const BEFORE_NOUN =
  /^(?:the|a|an|my|your|our|their|his|her|this|that|these|those|of|from|for|in|on|at|with|to|and|or|new|first|last|next|other)$/i

const COPULA: Readonly<Record<string, string>> = { "'s": 'is', "'re": 'are' }

/** Subject, then the auxiliary with the rest; "do" is merged into the verb. */
function withVerb(wh: string, subject: string, auxiliary: string, rest: string): string | undefined {
  const who = /^(?:i|I)$/.test(subject) ? 'I' : lower(subject)
  if (!/^(?:do|does|did)$/i.test(auxiliary)) {
    if (/n['’]t$/i.test(auxiliary)) return undefined
    return `${wh} ${who} ${lower(auxiliary)}${rest}`
  }
  const verb = /^ ((?:(?:still|already|also|really|actually|ever|even|all|both) )?)([a-z]+)(.*)$/i.exec(rest)
  if (!verb || !BARE_VERBS.has(verb[2]!.toLowerCase())) return undefined
  return `${wh} ${who} ${verb[1]}${inflected(auxiliary, verb[2]!)}${verb[3]}`
}

function inflected(auxiliary: string, verb: string): string {
  const base = verb.toLowerCase()
  if (/^do$/i.test(auxiliary)) return base
  return /^did$/i.test(auxiliary) ? pastOf(base) : thirdPersonOf(base)
}

const IRREGULAR: Readonly<Record<string, string>> = {
  ...{ be: 'was', become: 'became', begin: 'began', break: 'broke', bring: 'brought', build: 'built', buy: 'bought' },
  ...{ choose: 'chose', come: 'came', cost: 'cost', cut: 'cut', do: 'did', drink: 'drank', drive: 'drove', eat: 'ate' },
  ...{ fall: 'fell', feel: 'felt', find: 'found', fly: 'flew', forget: 'forgot', get: 'got', give: 'gave', go: 'went' },
  ...{ have: 'had', hear: 'heard', hold: 'held', keep: 'kept', know: 'knew', leave: 'left', let: 'let', lose: 'lost' },
  ...{ make: 'made', mean: 'meant', meet: 'met', pay: 'paid', put: 'put', read: 'read', run: 'ran', say: 'said' },
  ...{
    see: 'saw',
    sell: 'sold',
    send: 'sent',
    set: 'set',
    sleep: 'slept',
    speak: 'spoke',
    spend: 'spent',
    stand: 'stood',
  },
  ...{ swim: 'swam', take: 'took', teach: 'taught', tell: 'told', think: 'thought', understand: 'understood' },
  ...{
    wake: 'woke',
    wear: 'wore',
    win: 'won',
    write: 'wrote',
    draw: 'drew',
    freeze: 'froze',
    hang: 'hung',
    hurt: 'hurt',
  },
  ...{
    lead: 'led',
    lend: 'lent',
    quit: 'quit',
    ride: 'rode',
    ring: 'rang',
    shake: 'shook',
    shine: 'shone',
    shoot: 'shot',
  },
  ...{ shut: 'shut', sing: 'sang', sit: 'sat', split: 'split', spread: 'spread', stick: 'stuck', throw: 'threw' },
}
const REGULAR =
  'accept add agree allow answer apply approve arrive ask attach bill block book borrow call cancel change charge check choose claim clean clear click close collect complain complete confirm connect consider contact contain cook copy count cover damage dance decide delay deliver depend deploy describe dial double download drain draw dress earn edit email end enjoy escape exist expect expire explain express fail fill finalize finish fix flag fold follow forward freeze gain guess hand handle hang happen hate head heat help hire hope hurt identify ignore import include inform insist inspect install insure invite invoice involve issue join joke judge jump kick land last laugh lead learn lend lift like limit link list live load lock log look love lower mail manage map mark marry match matter measure meet mention merge mind miss mix monitor mount move name need note notice notify object occur offer open order own pack paint park pass pause phone photograph pick play plug point post practise prefer prepare present press print process produce promise promote protect prove provide publish pull push quit raise reach react realise recall receive recognise recommend record reduce refer refund refuse register relax release rely remember remove renew rent repair repeat replace reply report represent request require rescue reserve reset respond rest restart restore result retire return review ride ring roll rule sail sample save scan schedule score seal search seem serve settle shake share shine ship shoot show shut sign sing sit skip slip smell solve sort sound split spread start stay stick still stop store study submit suffer suggest suit supply support suppose surprise survive suspect switch talk taste teach tend test thank throw tie touch track trade train transfer translate travel treat trigger trust try turn type update upgrade upload use visit vote wait wake walk want warn wash watch water weigh welcome wish wonder work worry write yell'.split(
    ' ',
  )
export const BARE_VERBS: ReadonlySet<string> = new Set([
  ...Object.keys(IRREGULAR),
  ...REGULAR,
  ...VERBS.split('|').filter((verb) => /^[a-z]+$/.test(verb)),
])
const DOUBLED =
  /^(?:ship|stop|plan|drop|chat|swap|cancel|travel|map|plug|skip|slip|log|flag|jog|refer|prefer|occur|submit|step|scan|wrap|grab|pin|tip|trip)$/

function pastOf(verb: string): string {
  const irregular = IRREGULAR[verb]
  if (irregular) return irregular
  if (verb.endsWith('e')) return `${verb}d`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  return DOUBLED.test(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`
}

export function thirdPersonOf(verb: string): string {
  if (verb === 'have') return 'has'
  if (verb === 'be') return 'is'
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return /(?:s|sh|ch|x|z|o)$/.test(verb) ? `${verb}es` : `${verb}s`
}

/** The persons from the owner's point of view; `undefined` if one of them is ambiguous. */
function turnPersons(clause: string, { byMe, toMe, withMe, listener }: Asking): string | undefined {
  if (WE.test(clause) && !withMe) return undefined
  if (/\byou['’]/i.test(clause)) return undefined
  const hasYou = YOU.test(clause)
  const hasOwn = OWN.test(clause)
  if (OTHERS.test(clause) && ((hasOwn && !byMe) || (hasYou && byMe))) return undefined
  if (hasYou && !toMe && !(byMe && listener !== undefined && !hasOwn)) return undefined
  if (CHOICE.test(clause)) return undefined
  // It is ambiguous which of two is subject and which object.
  if ((clause.match(/\byou\b/gi)?.length ?? 0) > 1) return undefined
  // "Whether there is anything that you enjoy" has the subject of a second clause.
  if (SECOND_SUBJECT.test(clause) || hasSecondVerb(clause)) return undefined
  const own = byMe ? clause : clause.replace(OWN_WITH_BE, (_, word: string, be = '') => theirs(word, be))
  const isSubject = YOU_AS_SUBJECT.test(own) && !CAUSED.test(own)
  return own.replace(YOU_WITH_BE, (_, word: string, be = '') => {
    const isSubjectWord = word.toLowerCase() === 'you' && isSubject
    if (!toMe) return `${isSubjectWord ? 'they' : THEM[word.toLowerCase()]}${be}`
    return isSubjectWord ? `I${SINGULAR[be.trim().toLowerCase()] ?? be}` : `${MINE[word.toLowerCase()]}${be}`
  })
}

/** `whether there is anything specific you enjoy`: "you" with a verb of its own. */
function hasSecondVerb(clause: string): boolean {
  const [, verb] = /(?<=\S \S+ )you ([a-z]+)/i.exec(clause) ?? []
  return verb !== undefined && BARE_VERBS.has(verb.toLowerCase()) && !CAUSED.test(clause)
}

/** `Are you picking up Leo or me?` */
const CHOICE = /\b(?:or|and|than) (?:me|you|I)\b/i
/** A pronoun followed by the verb "be", which depends on it. */
const OWN_WITH_BE = /\b(I|me|my|mine|myself)\b( (?:am|was)\b)?/gi
const YOU_WITH_BE = /\b(you|your|yours|yourself)\b( (?:are|were)\b)?/gi
const YOU_AS_SUBJECT = new RegExp(`^(?:whether|${WH}) you\\b`, 'i')
/** `What made you choose it?` */
const CAUSED =
  /^(?:what|who) (?:made|makes|took|takes|brought|brings|got|gets|helped|helps|led|leads|stopped|stops) you\b/i
const SECOND_SUBJECT =
  /(?<=\S )(?:that|which|who|because|if|when|where|since|while|before|after|until|than|like) you\b/i
const PLURAL: Readonly<Record<string, string>> = { am: ' are', was: ' were' }
const SINGULAR: Readonly<Record<string, string>> = { are: ' am', were: ' was' }
const THEIRS: Readonly<Record<string, string>> = {
  i: 'they',
  me: 'them',
  my: 'their',
  mine: 'theirs',
  myself: 'themselves',
}
const MINE: Readonly<Record<string, string>> = { you: 'me', your: 'my', yours: 'mine', yourself: 'myself' }
const THEM: Readonly<Record<string, string>> = { you: 'them', your: 'their', yours: 'theirs', yourself: 'themselves' }

function theirs(word: string, be: string): string {
  return `${THEIRS[word.toLowerCase()] ?? word}${PLURAL[be.trim().toLowerCase()] ?? be}`
}

function lower(words: string): string {
  return words.toLowerCase()
}
