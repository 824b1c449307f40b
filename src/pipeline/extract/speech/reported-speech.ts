import { remembered } from '../../../lib/remembered.ts'
import { isKinship } from '../names/person-names.ts'
import { includesReader } from './addressing.ts'
import { IRREGULAR_PAST, VERBS } from './speech-acts.ts'

/**
 * Turns a statement into reported speech, keeping tense and hedges. Questions, code, imperatives and sentences with an
 * ambiguous "you" are quoted instead, which is never wrong. Of 60 sentences checked by hand, 2 were wrong.
 */

/** The conversation of a reported sentence. */
interface Speech {
  /** Whether the account's owner speaks. */
  readonly byMe: boolean
  /** Whether "you" means the owner, as the only listener or addressed by name. */
  readonly toMe: boolean
  /** Whether "we" includes the owner, as a participant. */
  readonly withMe: boolean
  /** Whether "we" without the owner is the speaker's family or firm, told as "they"; otherwise such a sentence is quoted. */
  readonly isTheirWe?: boolean
  /** Whether the speaker is a firm. */
  readonly isFirm?: boolean
  /** Whether a capitalized first word is an ordinary word in this document. */
  readonly isCommonWord: (word: string) => boolean
  /** Whether a capitalized first word is a name in this document. */
  readonly isName: (word: string) => boolean
}

const PRONOUN_START =
  /^(?:I|we|they|he|she|it|this|that|there|these|those|everyone|everybody|nobody|nothing|something|everything|somebody|someone)(?=['’ ])/i
const NOUN_START =
  /^(?:the|a|an|my|your|our|their|his|her|its|some|most|many|all|both|each|every|another|one|two|three|yesterday|today|tomorrow|last|next|after|before|because|since|although|while|when|if|in|on|at|for|from|with|during|unfortunately|fortunately|currently|maybe|perhaps|probably|basically|apparently|usually|sometimes|also|then|now|only|otherwise|instead|as|once|until|overall|recently|lately|eventually|finally|initially|afterwards?) /i
const HAS_VERB =
  /(?:['’](?:s|re|m|ve|ll|d)|n['’]t)\b|\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|will|would|can|could|should|may|might|must|shall|got|gets?|goes|went|needs?|wants?|works?|looks?|seems?|makes?|made|says?|said|thinks?|thought|knows?|knew|takes?|took|gives?|gave|comes?|came|runs?|ran|sees?|saw|finds?|found|keeps?|kept|means?|meant|feels?|felt|tells?|told|shows?|uses?|helps?|fails?|broke|breaks?|starts?|stops?|sends?|sent|sells?|sold|wrote|writes?|held|left|lost|paid|met|won|began|became|becomes?|adds|happens|contains|includes|depends|belongs|expects|requires|provides|allows|accepts|rejects|throws|creates|waits|appears|remains|stays|grows|begins|arrives|leaves|loses|tries|refuses|brings|sells|buys|pays|lies|stands|reads|writes|asks|lets|exists|lacks|serves|follows|opens|(?!(?:feed|need|seed|speed|weed|deed|indeed|hundred|shed|sacred|kindred|united|limited)\b)[a-z]{2,}ed)\b|(?<=\S )(?:probably|always|never|still|already|also|often|usually|currently|now|really|only|sometimes|again) [a-z]{2,}s\b|[a-z]s again\b/i
/** Whether an English sentence has a known finite verb. */
export function hasVerb(words: string): boolean {
  return HAS_VERB.test(words)
}

const GREETING =
  /^(?:(?:he+y+|hi+|hello|thanks|thank you|good (?:morning|afternoon|evening)|morning|dear|moin|hallo|guten (?:morgen|tag|abend)|bonjour|bonsoir|salut|hola|buenos días|buenas tardes|olá|ciao|привет|здравствуйте|добрый день)(?: (?:all|everyone|there|team|again|zusammen|à tous|a todos|@?\p{Lu}[\p{L}-]{1,20}))?(?:[,!.…—–-]+\s*|\s+(?=(?:I|we)['’ ])))+/iu
const OPENER =
  /^(?:(?:and |also |oh )*(?:meant|wanted|forgot) to (?:say|mention|add|tell you|let you know)(?: that (?=I|we|the|my)|[:,]? ?[–—-]+ |: |, )|(?:ah|oh|hmm+|yeah|well) (?:yeah|yes|no|well|ok|okay)[,!.…—–-]* +|(?:on it|will do|fair enough|good (?:point|question|call|idea)|my bad|same here|got it|no worries)[,!.…—–-]+\s*|(?:fun fact|say|like|look|listen|honestly|basically|anyways?)(?:[,:] ?| (?=actually\b))|(?:well|so+|yeah|yes|yep|yup|no|nope|oh+|ah+|ok|okay|hey|hi|hmm+|right|sure|actually|anyway|btw|fyi|cool|great|nice|wow|haha|lol|by the way|thanks|thx|absolutely|definitely|exactly|totally|agreed|good|perfect|excellent|fine|then)[,!.…—–-]+\s*|(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|lastly|for example|for instance|in other words|in addition|however|moreover|furthermore|therefore|as (?:discussed|promised|agreed|mentioned|planned|expected|requested)|on another note|on a side note|just so you know|that said|my (?:guy|friend|dear)|buddy|honey|sweetie|darling|bro|dude|additionally|consequently|in fact|in short|in summary|as for me|personally|speaking of which|alright),\s*|(?:bro|dude|mate|guys) (?=(?:are|is|do|does|did|can|could|will|would|have|has|what|when|where|why|how|who)\b)|(?:no (?:rush|worries|problem|stress)|guess what|(?:that(?:['’]s| is| would be| sounds)|sounds|would be) (?:so |really |very )?(?:amazing|great|good|awesome|perfect|wonderful|lovely|fantastic|fine|brilliant|nice|cool))[,!.…—–-]+\s*|(?:btw|by the way|fyi|psa|til|heads[ -]?up|tbh|imo)[,:]? +(?=\S)|(?:done|all done|all set|finished|update|result|root cause|cause|summary|status): +(?=\p{L}{2,} )|i['’]?m afraid (?:that )?(?=(?:I|we|they|he|she|it|the|my|our|there)\b)|(?:just )?(?:wanted to (?:let you know|say|tell you)|letting you know|a (?:quick )?note) that |(?:just )?an? (?:(?:gentle|quick|friendly|kind|short|small|final) )?(?:reminder|heads[- ]up) (?:that|to everyone that|to all that) |(?:lol|lmao|haha+|hehe+|omg|ugh|yikes)[,!.]* +(?=\p{L})|(?:(?:mom|mum|mama|dad|papa|grandma|grandpa|mr\.? (?:chair(?:man)?|speaker)|madam (?:chair|speaker))(?:,| and) ){1,2}(?<=, )(?=(?:I|we|you|it|there|this|that|the|my|our|again|please|can|could)\b)|(?:mum|mom|mummy|mommy|dad|daddy|gran|grandma|grandpa|babe|guys) (?=i(?:['’][a-z]+)? )|note to self[,:.]? (?:um+,? |uh+,? |so,? )*|(?:one|another) (?:more |other )?thing (?:I|we) (?:noticed|forgot|saw): |(?:well|so+|yeah|yes|yep|yup|oh+|ah+|ok|okay|hey|hmm+|haha|lol|and|but|then) (?=(?:and|but|so|well|btw|by the way|I|we|you|they|he|she|it|this|that|these|those|there|the|my|our)\b))+/iu
const I_WORDS = /\bI\b|\b(?:[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b/
const YOU_WORDS = /\b(?:you|your|yours|yourself|yourselves|ya|u|ur|y['’]all)\b/i
const THEY_WORDS = /\b(?:they|them|their|theirs)\b/i
const WE_WORDS = /\b(?:we|us|our|ours|ourselves|let['’]s)\b/i

/** `You won't believe it,` and `The best thing is that`, before a clause. */
const ANNOUNCING =
  /^(?:(?:you (?:won['’]t|will never|['’]ll never) believe (?:it|this|what happened))[,!.:…–—-]+\s*|(?:and |but |so )*(?:what['’]s (?:bad|good|worse|great|nice|sad|more|new|annoying)|the (?:good|bad|big|best|sad|great) (?:thing|part|news)) is(?: that)?(?:[,:]? )(?=(?:the|a|an|my|our|we|they|he|she|it|there|I|you)\b|\p{L}+ (?:is|are|was|were|has|have|\p{L}{3,}ed)\b))/iu

export type Reported =
  /** `clause` follows "that". */
  | { readonly form: 'clause'; readonly clause: string }
  | { readonly form: 'quote'; readonly sentence: string; readonly asks: boolean }

export function reportSentence(sentence: string, speech: Speech): Reported {
  const asks = /[?？]["'”’)\]]*$/.test(sentence)
  const quote: Reported = { form: 'quote', sentence, asks }
  if (
    asks ||
    /\bplease\b/i.test(sentence) ||
    sentence.length > 300 ||
    /[`{}<>=\\"“”|]|:\s*$|:\s|\bhttps?:|\.\.\.|…/.test(sentence.replace(INLINE_CODE, 'x'))
  )
    return quote
  // Lower-case "i" is common in chats.
  const bare = withoutOpener(sentence).replace(/(?<![\w.])i(?=['’ ])/g, 'I')
  // "She said that but all of these are macros".
  const words = bare.replace(/[.!,;\s–—-]+$|^(?:and|but|or|yet|plus|also)[,]? (?!so\b|then\b)/gi, '')
  if (words.length < 8 || !isStatement(words, speech)) return quote
  if (words.includes('`') && !speech.byMe && I_WORDS.test(words)) return quote
  if (speech.byMe) return reportMine(words, speech, quote)
  const shifted = shiftPersons(words, speech)
  const clause = shifted && lowerFirst(shifted, speech)
  return clause ? { form: 'clause', clause } : quote
}

/** A name in code, which stays as it is in a clause. */
const INLINE_CODE = /`[\w./@:()-]{1,60}`/g

/** Removes openers: "Yeah, well, it broke" becomes "it broke". Remembered, because three of four calls repeat an earlier one. */
export const withoutOpener = remembered((sentence) => {
  const bare = sentence.replace(GREETING, '').replace(OPENER, '')
  if (bare === '') return sentence
  const announced = bare.replace(ANNOUNCING, '')
  return HAS_VERB.test(announced) ? announced : bare
})

function isStatement(words: string, speech: Speech): boolean {
  // "She said that that is true" reads badly, and "that" refers to another turn.
  if (/^(?:that|then|which)\b/i.test(words)) return false
  if (/^as (?:for|to) /i.test(words)) return false
  if (IMPERATIVE.test(words) || INSTRUCTION.test(words)) return false
  if (isBroken(words) || SUBJECTLESS.test(words)) return false
  // `The printer, which was expensive` has no verb of its own.
  if (RELATIVE_ONLY.test(words) && !HAS_VERB.test(words.replace(/,? (?:which|who|that) .*$/, ''))) return false
  // `Only on iPadOS 19, older ones are fine` begins with half of a sentence.
  if (ONLY_WHERE.test(words)) return false
  // The second half of a sentence.
  if (HALF_START.test(words) && (!words.includes(',') || REQUEST_BEHIND.test(words))) return false
  // `At 75 % hydration, try three more folds`
  if (INTRODUCED.test(words) && REQUEST_BEHIND.test(words)) return false
  if (FRONTED_REQUEST.test(words)) return false
  if (INDEFINITE.test(words)) return HAS_VERB.test(words) || DOES.test(words)
  if (PRONOUN_START.test(words)) return / \S/.test(words)
  // `You paid 54.20 EUR`: to me, it is about me.
  if (speech.toMe && YOU_START.test(words)) return true
  if (NOUN_START.test(words) && HAS_VERB.test(words)) return true
  return WITH_FINITE_VERB.test(words) || OF_SOMEBODY_DID.test(words) || namesDoer(words, speech)
}

/** `Mum's scan came back clean` */
const OF_SOMEBODY_DID = new RegExp(
  `^\\p{Lu}\\p{Ll}+['’]s (?:\\p{Ll}+ ){1,3}?(?:${IRREGULAR_PAST}|(?!need|feed|speed)[a-z]{2,}ed) \\S`,
  'u',
)
const ONLY_WHERE = /^only (?:at|by|for|from|if|in|on|when|with) [^,]{2,40}, /i
/** `Something like on some radios` has no verb. */
const INDEFINITE =
  /^(?:this|that|these|those|every(?:one|body|thing)|no(?:body|thing)|some(?:one|body|thing)) (?!(?:that|which|who) )/i
/** `This drops 290 kB from the bundle` */
const DOES =
  /^(?:this|that|(?:every|no|some)(?:one|body|thing)) (?:also |now |only |always |never |still |already )?(?!\w*ss )[a-z]{3,}s (?:(?:the|an?|my|our|your|all|every|more|on|in|to|from|with)(?![\w'’])|\d)/i
const YOU_START =
  /^you(?:['’](?:re|ve|ll|d)| (?:are|were|have|had|can|could|will|would|should|must|may|might|need|owe|got|paid|won|made|took|left|sent|spent|said|went|saw|met|bought|[a-z]{2,}ed)) \S/i

/** `Sofia writes down who owns what`. */
function namesDoer(words: string, speech: Speech): boolean {
  const [, name] = DOER.exec(words) ?? []
  // `Fi and Luke` are two people, even if neither is named elsewhere.
  return name !== undefined && (speech.isName(name) || JOINED_NAMES.test(words))
}
const JOINED_NAMES = /^\p{Lu}\p{Ll}+ and \p{Lu}\p{Ll}+ /u
const DOER = new RegExp(
  `^(\\p{Lu}[\\p{Ll}'’-]+)(?: (?:and )?\\p{Lu}[\\p{Ll}'’-]+)? (?:(?:also|just|already|basically|only|never|finally) )?(?:(?:${VERBS})e?s|[a-z]{3,}ed|(?!was |had |felt |thought )(?:${IRREGULAR_PAST})) \\S`,
  'u',
)

/** A sentence that its speaker did not finish: `they got twenty percent but`, `finance is Yeah it's no`. */
export function isBroken(words: string): boolean {
  return UNFINISHED.test(words) || BEGUN_AGAIN.test(words) || ARTICLE_ONLY.test(words)
}
const UNFINISHED = /\b(?:and|but|or|the|a|an|my|your|our|their|because|if|than|into|uh|um)[\s,.…–—-]*$/
/** `there's a if you need it` */
const ARTICLE_ONLY =
  /(?<![\p{L}'’-])(?:an?|the|my|your|our|their) (?:an?|the|my|your|if|it|and|but|we|you|he|she|they|is|are|was|were|there|so|because|I(?:['’](?:m|ll|ve|d))?)(?![\p{L}'’-])/u
const BEGUN_AGAIN =
  /\p{Ll} (?:Yeah|Yes|No|Well|Okay|Oh|So|But|And|First|It|It['’]s|They|We|You|That['’]s|Because|The(?= \p{Ll}))(?= )/u
/** `My sister does`, `It is, but the firmware is the same`: without its question nobody knows what. */
export function isElliptic(words: string): boolean {
  return ELLIPTIC.test(words)
}
const ELLIPTIC =
  /^(?:[\p{L}'’-]+ ){1,3}(?:does|do|did|is|are|am|was|were|can|could|will|would|should|has|have|had|might|must)(?:n['’]t| not)?(?: too)?(?:[,.;!–—-]| but | and |$)/iu

/** `Says there are conflicts`, `Started when I was young`: who does it is not said. */
const SUBJECTLESS =
  /^(?:says?|looks?|seems?|sounds?|works?|means|makes|needs|got|went|had|was|were|is|are|has|been|lost|sent|started|found|made|took|saw|came|bought|felt|thought|figured|guessed|assumed|hoped|reckoned|thinking|going|trying|wondering|hoping|looking) /i
const RELATIVE_ONLY = /,? (?:which|who) /

/** `Nils has it`, `Booth 7-B is paid`: a name or noun, then an unambiguous verb. */
const WITH_FINITE_VERB =
  /^(?!(?:let|make|do|be|have|go|please|what|who|whom|which|where|when|why|how|not|no|yes|there|here|exactly|like|just|so|or|and|but|because|maybe)\b)[\p{L}\p{N}][\p{L}\p{N}'’.&-]*(?: (?:(?:and|of|in|for|on|at|the|my|our|your|their|a|an) )?[\p{L}\p{N}'’.&-]+){0,4}? (?:is|are|was|were|has|had|will|would|can|could|should|might|must|needs|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|won['’]t|doesn['’]t|don['’]t|didn['’]t|can['’]t|couldn['’]t|hasn['’]t|haven['’]t) \S|^(?!(?:let|here|there|what|who|where|how|when|that|it)\b)[\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+)?['’]s (?:a|an|the|not|down|up|back|off|on|out|over|at|in|still|already|gone|done|fine|ready|broken|closed|open|too|very|\p{Ll}{2,}(?:ing|ed)) ?\S/iu

/** Requests after any introduction: "If you want to, feel free". */
const REQUEST_BEHIND =
  /, (?:then )?(?:feel|let|do|don['’]t|be|have|go|ask|tell|call|use|try|make|check|see|send|give|take|keep|look|run|set|write|read|open|add|remove|ping|email|contact|reach|remember|note|consider|just|simply) /i
/** `For those take the date of the file` */
const FRONTED_REQUEST = new RegExp(
  `^(?:at|in|on|for|with|without|from|to|next to|behind) (?:(?:these|those|this|that|them|all|each|both)|(?:the|a|an|my|your) [a-z-]+),? (?:please |just )?(?:${VERBS}) (?:the|a|an|it|them|this|that|my|your|no|some|all|only|one|two|\\d)\\b`,
  'i',
)
const INTRODUCED = /^(?:at|in|on|for|with|without|from|during|to) [^,]{2,60}, /i
const IMPERATIVE = /^(?:suppose|assume|imagine|consider|note|remember|keep|make sure|expect|try|refer|use|see|let) /i
/** `From now on always write ...`, `Please never push` */
const INSTRUCTION =
  /^(?:(?:please|from now on|in (?:the )?future|next time|always|never|don['’]t|do not|just|also),? )+(?!(?:I|we|you|they|he|she|it|there|the|a|an|my|our|your|this|that|these|those)\b)\p{Ll}/iu
const HALF_START = /^(?:because|since|although|while|when|if|after|before|as|once|until) /i

function reportMine(words: string, speech: Speech, quote: Reported): Reported {
  if (YOU_WORDS.test(words)) return quote
  if (/^(?:I|I['’]\w+) /.test(words)) return { form: 'clause', clause: words }
  if (/^(?:we|they|he|she|it|this|that|there|these|those|the|a|an|my|our)(?=['’ ])/i.test(words)) {
    return { form: 'clause', clause: words.charAt(0).toLowerCase() + words.slice(1) }
  }
  const clause = lowerFirst(words, speech)
  return clause ? { form: 'clause', clause } : quote
}

/** Changes the "I" of others to "they", and "you" to "I" or "me" if the owner is meant; `undefined` if ambiguous. */
function shiftPersons(said: string, speech: Speech): string | undefined {
  const isTheirs = speech.isTheirWe && !speech.withMe && WE_WORDS.test(said) && !/\blet['’]s\b/i.test(said)
  if (isTheirs && speech.isFirm === true && includesReader(said)) return undefined
  // With "I" or "they" beside it, "they" could be either.
  if (isTheirs && !THEY_WORDS.test(said) && !I_WORDS.test(said)) return shiftSpeaker(theirWe(said), speech)
  // In "Ann said that they are late", "they" would be read as Ann.
  return THEY_WORDS.test(said) ? undefined : shiftSpeaker(said, speech)
}

/** `We sold our boat` as `they sold their boat`. */
function theirWe(words: string): string {
  return words.replace(/\b(?:we|us|our|ours|ourselves)\b/gi, (word, at: number) => {
    const they = THEIR_WE[word.toLowerCase()] ?? word
    return at === 0 ? they.charAt(0).toUpperCase() + they.slice(1) : they
  })
}
const THEIR_WE: Readonly<Record<string, string>> = {
  ...{ we: 'they', us: 'them', our: 'their', ours: 'theirs', ourselves: 'themselves' },
}

function shiftSpeaker(words: string, speech: Speech): string | undefined {
  if (/^(?:he|she)\b/i.test(words)) return undefined
  const speaksOfSelf = I_WORDS.test(words)
  if (speaksOfSelf && (ENTANGLED.test(words) || (words.match(/\bI\b/g)?.length ?? 0) > MOST_OWN)) return undefined
  if (WE_WORDS.test(words) && (!speech.withMe || /\blet['’]s\b/i.test(words))) return undefined
  // "Their husband and they" would be clumsy.
  let shifted = words.replace(/^[Mm]y (\p{Ll}+) and I\b/u, 'I and my $1')
  if (YOU_WORDS.test(shifted)) {
    const mine = speech.toMe ? shiftYou(shifted) : undefined
    if (!mine) return undefined
    shifted = mine
  }
  return speaksOfSelf ? shiftI(shifted) : shifted.replaceAll(HOLD, '')
}

/** With more of them, "they" is hard to follow. */
const MOST_OWN = 2

/** "Ann and I", "let me" and "was I" can't be changed word by word. */
const ENTANGLED = /\b(?:\p{Lu}[\p{L}-]* and I|[Ll]et me|I and|me and|and me|am I|was I|have I|[Ii]m|[Ii]ve|wasnt)\b/u

/** Marks a word that was already changed, such as an "I" that was "you". */
const HOLD = '\u0001'

const YOU_SUBJECT_BEFORE =
  /(?:^|[,;] |\b(?:that|if|when|what|how|where|why|as|because|since|think|hope|know|guess|believe|said|before|after|until|while|and|but|or|than|sure|glad|sorry) )$/i
const YOU_OBJECT_BEFORE =
  /\b(?:to|for|with|of|from|about|at|on|by|behind|around|without|see|saw|seeing|tell|told|ask|asked|send|sent|give|gave|show|showed|thank|let|call|called|email|emailed|ping|pinged|love|miss|missed|meet|met|join|pay|owe|owed|remind|reminded|invite|invited|bring|brought|help|helped|like|need) $/i
const MADE_BEFORE =
  /\b(?:made|make|makes|making|makin|lets|letting|allows|allowed|helps|helped|got|gets|keeps?|kept) $/i
const LINKS_BEFORE =
  /\b(?:like|before|after|until|whatever|whenever|wherever|whoever|which|who|one|thing|all|way|day|time|things|feel|see|heard|hear|bet|love|mean|knew|by) $/i
const YOU_VERB_AFTER =
  /^ (?:(?:just|really|already|also|still|all|always|never|might|probably|definitely) )?(?:had|have|has|were|are|was|did|do|made|make|got|get|went|go|found|find|want|wanted|need|needed|like|liked|love|loved|enjoy|can|could|will|would|should|may|might|must|said|say|know|knew|think|thought|feel|felt|[a-z]{3,}ed)\b/i
const BE: Readonly<Record<string, string>> = { are: 'am', were: 'was', "aren't": 'am not', "weren't": "wasn't" }

function shiftYou(words: string): string | undefined {
  let open = false
  const shifted = words.replace(
    /\b(you)(['’](?:re|ve|ll|d))?\b( (?:are|were|aren['’]t|weren['’]t)\b)?|\b(your|yours|yourself)\b/gi,
    (
      match,
      you: string | undefined,
      suffix: string | undefined,
      be: string | undefined,
      own: string | undefined,
      at: number,
    ) => {
      if (own) return `${HOLD}${{ your: 'my', yours: 'mine', yourself: 'myself' }[own.toLowerCase()] ?? own}`
      const before = words.slice(Math.max(0, at - 24), at)
      if (suffix) return `I${HOLD}${suffix.replace(/re$/, 'm')}`
      if (be) return `I${HOLD} ${BE[be.trim().replace('’', "'")] ?? be.trim()}`
      const after = words.slice(at + 3)
      if (you && MADE_BEFORE.test(before)) return `${HOLD}me`
      // "It sounds like you had a good day".
      if (you && LINKS_BEFORE.test(before) && YOU_VERB_AFTER.test(after)) return `I${HOLD}`
      if (you && YOU_OBJECT_BEFORE.test(before)) return `${HOLD}me`
      if (you && YOU_SUBJECT_BEFORE.test(before) && /^ \p{L}/u.test(words.slice(at + 3))) return `I${HOLD}`
      open = true
      return match
    },
  )
  return open || /\b(?:you|yourselves|ya|u|ur|y['’]all)\b/i.test(shifted) ? undefined : shifted
}

function shiftI(words: string): string {
  return words
    .replace(/\bI['’]m\b/g, "they're")
    .replace(I_AM, (_, adverb: string, verb: string) => `they${adverb} ${verb === 'am' ? 'are' : 'were'}`)
    .replace(/\bI wasn(['’])t\b/g, 'they weren$1t')
    .replace(/\bI(?=['’](?:ve|d|ll)\b|[ ,.;)]|$)/g, 'they')
    .replace(OWN_WORDS, (match, held: string | undefined, word: string) =>
      held ? match : (SELF[word.toLowerCase()] ?? word),
    )
    .replaceAll(HOLD, '')
}
const I_AM =
  /\bI((?: (?:just|also|already|only|still|really|always|never|currently|actually|probably|definitely))?) (am|was)\b/g
const OWN_WORDS = new RegExp(`(${HOLD})?\\b(me|my|mine|myself)\\b`, 'gi')
const SELF: Readonly<Record<string, string>> = { me: 'them', my: 'their', mine: 'theirs', myself: 'themselves' }

/** Lower-cases the first word unless it is a name; `undefined` if it may be one. */
function lowerFirst(words: string, speech: Speech): string | undefined {
  const first = /^[\p{L}'’-]+/u.exec(words)?.[0] ?? ''
  if (first === '' || /^I(?:['’]|$)/.test(first) || first === first.toLowerCase()) return words
  if (first.length > 1 && first === first.toUpperCase()) return words
  const isOrdinary = speech.isCommonWord(first) && !isRelative(words) && !isNameOfTwo(words, speech)
  if (PRONOUN_START.test(words) || NOUN_START.test(words) || isOrdinary)
    return words.charAt(0).toLowerCase() + words.slice(1)
  if (/^\p{Lu}\p{Ll}+s (?:are|were|have|aren|weren|haven)/u.test(words))
    return words.charAt(0).toLowerCase() + words.slice(1)
  const isName =
    isRelative(words) ||
    speech.isName(first.replace(/['’]s$/, '')) ||
    /[\p{N}\p{Lu}]/u.test(first.slice(1)) ||
    /^\S+ \p{Lu}/u.test(words) ||
    JOINED_NAMES.test(words)
  const isClear = WITH_FINITE_VERB.test(words) || OF_SOMEBODY_DID.test(words) || namesDoer(words, speech)
  return isName && isClear ? words : undefined
}

/** `Mum has`, `Uncle Rory's hip`: names, although they are ordinary words too. */
function isRelative(words: string): boolean {
  const [first = ''] = /^\p{L}+/u.exec(words) ?? []
  return isKinship(first) || WITH_TITLE.test(words)
}
const WITH_TITLE =
  /^(?:Mrs?|Ms|Miss|Mx|Dr|Prof|Sir|Lady|Lord|Rev|St|Aunt|Auntie|Uncle|Sister|Brother|Father|Nurse|Captain|Coach)\.? \p{Lu}\p{Ll}/u

/** `National Trust said yes`: two capitals, of which the second is nobody's name. `Meanwhile Bart left` is ordinary. */
function isNameOfTwo(words: string, speech: Speech): boolean {
  const [, second = ''] = /^\p{Lu}\p{Ll}+ (\p{Lu}\p{Ll}+)(?![\p{L}'’])/u.exec(words) ?? []
  return second !== '' && !ADVERB_FIRST.test(words) && speech.isCommonWord(second)
}
const ADVERB_FIRST =
  /^(?:\p{L}+ly|Does|Did|Do|Is|Are|Was|Were|Has|Have|Had|Meanwhile|Sometimes|Often|Still|Just|Even|Only|Here|There|Today|Tonight|So) /u
