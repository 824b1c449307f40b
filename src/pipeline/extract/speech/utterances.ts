import type { Chunk } from '../../../domain/document.ts'
import { isAssistant, spokenName } from '../names/participant-kinds.ts'
import { type People, splitAddressee, withoutQuotedLines } from '../people.ts'
import { isAnnouncement, isOffer } from '../salience.ts'
import { isAssistantRemark } from '../small-talk/assistant-remarks.ts'
import { isIdiom } from '../small-talk/idioms.ts'
import { isRemark } from '../small-talk/remarks.ts'
import { addressesSeveral, excludesListener, proposesTogether, speaksOfUs, withoutVocative } from './addressing.ts'
import { isAssent } from './assents.ts'
import { needsStatement, requestsApart } from './attached-requests.ts'
import { isDetail, withDetail } from './details.ts'
import { splitDraft } from './drafts.ts'
import { indirectQuestion } from './indirect-questions.ts'
import { quoteSentences } from './quotations.ts'
import { answererOf, confirmsNothing, goesOn, isOneRequest, repliesTo } from './replies.ts'
import { type Reported, reportSentence, withoutOpener } from './reported-speech.ts'
import { introducesItself } from './self-introductions.ts'
import { sharedThing } from './shared-things.ts'
import { speechAct } from './speech-acts.ts'
import { spokenSentences } from './spoken-sentences.ts'

/** Consecutive chunks of one speaker. */
export interface Utterance {
  readonly speaker: string | undefined
  readonly text: string
  /** Display name of the person addressed by name. */
  readonly to?: string
}

/** The reworded content of one utterance. */
export interface SaidUtterance {
  readonly utterance: Utterance
  /** Whether it follows a question of somebody else. */
  readonly isReply: boolean
  readonly byMe: boolean
  /** `me` or a display name; `undefined` with several listeners. */
  readonly listener: string | undefined
  readonly statements: readonly Statement[]
  /** The quoted question answered by its quotation. */
  readonly answers?: { readonly speaker: string | undefined; readonly byMe: boolean; readonly question: string }
}

export interface Statement {
  /**
   * `act`: after the name (`promised to call`); `event`: the same, standing alone; `clause`: after "said that";
   * `quote`: verbatim.
   */
  readonly form: 'act' | 'event' | 'clause' | 'quote'
  readonly words: string
  /** Whether it is a question. */
  readonly asks: boolean
  /** The sentence as it was said, of what was reworded. */
  readonly said?: string
}

/** The facts of the document needed for rewording. */
export interface Rewording {
  /** Rewording needs English grammar; other languages are quoted. */
  readonly english: boolean
  /** Whether a sentence says nothing. */
  readonly isChatter: (sentence: string) => boolean
  readonly isCommonWord: (word: string) => boolean
  readonly isName: (word: string) => boolean
  /** `false`: "we" may exclude me although I am among these people. */
  readonly weIncludesMe?: boolean
  /** Whether "you" means me whoever speaks, as in notifications. */
  readonly isToMe?: boolean
  /** Whether it is a mail or a comment. */
  readonly isWritten?: boolean
  /** Chats contain remarks, such as encouragement, which say nothing that happened. */
  readonly isCasual?: boolean
  /** `spokenSentences` for the document; as for a written one when absent. */
  readonly spokenSentences?: (text: string) => readonly string[]
}

/** Longest part of one utterance in a narrative, in characters. */
const MOST_PER_UTTERANCE = 700
/** All that one person wrote, of which nobody else says anything. */
const MOST_PER_LETTER = 1_200

const YES_OR_NO =
  /^(?:yes|yeah|yep|yup|no|nope|nah|sure|of course|absolutely|definitely|exactly|correct|right|done|ja|nein|oui|non|да|нет|是|不|はい|いいえ|네|아니)/i

/** Joins the chunks of each speaker while they address the same person. */
export function utterancesOf(chunks: readonly Chunk[], people: People): Utterance[] {
  const utterances: { speaker: string | undefined; text: string; to?: string }[] = []
  for (const { speaker, text: said } of chunks) {
    const { to, text } = splitAddressee(withoutQuotedLines(said), people, speaker)
    const last = utterances.at(-1)
    if (last && last.speaker === speaker && (to === undefined || to === last.to)) last.text += `\n\n${text}`
    else utterances.push({ speaker, text, ...(to ? { to } : {}) })
  }
  return utterances
}

/** Speaker and listener, and how that affects rewording. */
export interface Speaking extends Rewording {
  readonly byMe: boolean
  /** Whether "you" means the owner. */
  readonly toMe: boolean
  /** Whether "we" includes the owner. */
  readonly withMe: boolean
  /** In a chat of two, "we" that is not both is told as "they". */
  readonly isTheirWe?: boolean
  readonly isFirm?: boolean
  /** `me` or a display name; `undefined` with several listeners. */
  readonly listener: string | undefined
  readonly isReply: boolean
  /** Who spoke before, if not the owner. */
  readonly answers?: string
  /** Whether the question before is how somebody else is, or something was. */
  readonly asksHow?: boolean
  /** Whether sentences without a subject are requests, as to an agent. */
  readonly commands?: boolean
  /** Who one sentence addresses by name, and the sentence without the name. */
  readonly addressee?: (sentence: string) => { readonly to: string | undefined; readonly text: string }
  readonly isMe?: (name: string) => boolean
  /** Whether it is all there is. */
  readonly isLetter?: boolean
  /** Whether the speaker is neither a firm nor a program. */
  readonly isPerson?: boolean
}

/** The content of each utterance, sentence by sentence, without small talk and signatures; empty if nothing is left. */
export function statementsOf(utterances: readonly Utterance[], people: People, rewording: Rewording): SaidUtterance[] {
  const isShared = people.partner === undefined || sharesWe(utterances, people)
  return utterances.map((utterance, i) => {
    const before = utterances[i - 1]
    const isReply =
      before !== undefined &&
      repliesTo(utterance, before) &&
      !confirmsNothing(utterance, before, rewording.isChatter) &&
      !(rewording.isCasual === true && goesOn(utterance, rewording.isChatter))
    const byMe = people.isMe(utterance.speaker)
    const answerer = answererOf(utterance, utterances[i + 1])
    const isAnsweredByMe = people.isMe(answerer)
    const isToMe =
      rewording.isToMe ??
      (utterance.to !== undefined ? people.isMe(utterance.to) : people.partner !== undefined || isAnsweredByMe)
    const partner = people.partner === undefined ? undefined : spokenName(people.partner)
    const taker =
      answerer !== undefined && isOneRequest(utterance)
        ? people.familiar(spokenName(people.display(answerer)))
        : undefined
    const listener = byMe ? (utterance.to ?? partner ?? taker) : isToMe ? 'me' : (utterance.to ?? taker)
    const isOurs = rewording.weIncludesMe !== false && !excludesListener(utterance.text)
    // My own "we" always includes me.
    const withMe = people.hasMe && (byMe || (isOurs && isShared))
    const isFirm = utterance.speaker !== undefined && people.isOrganization(people.display(utterance.speaker))
    const isTheirWe = !byMe && (isFirm || (people.partner !== undefined && rewording.weIncludesMe !== false))
    const addressee = (sentence: string) => splitAddressee(sentence, people)
    const speaking: Speaking = {
      ...rewording,
      ...(before && before.speaker !== utterance.speaker && !people.isMe(before.speaker)
        ? { answers: people.familiar(people.display(before.speaker ?? '')) }
        : {}),
      asksHow: isReply && before !== undefined && ASKS_HOW.test(before.text),
      ...{ byMe, toMe: isToMe && !byMe, withMe, isTheirWe, isFirm, listener, isReply, addressee },
      isMe: (name) => people.isMe(name),
      isLetter: utterances.length === 1 && rewording.isWritten === true,
    }
    const assents =
      !isReply && before && before.speaker !== utterance.speaker && isAssent(utterance.text, rewording.isChatter)
    const statements = assents
      ? [{ form: 'event', words: 'agreed', asks: false } as const]
      : utteranceStatements(utterance, speaking, people)
    return { utterance, isReply, byMe, listener, statements }
  })
}

/**
 * Whether "we" of the other person in a chat of two is the two of us: somebody proposes something to do together, or I say
 * "we" too. Without a sign of it, it is rather the family or the firm of the other.
 */
function sharesWe(utterances: readonly Utterance[], people: People): boolean {
  const mine = utterances.filter(({ speaker }) => people.isMe(speaker))
  if (mine.some(({ text }) => addressesSeveral(text))) return false
  return mine.some(({ text }) => speaksOfUs(text)) || utterances.some(({ text }) => proposesTogether(text))
}

function utteranceStatements(whole: Utterance, speaking: Speaking, people: People): Statement[] {
  const { said, draft } = splitDraft(whole.speaker, whole.text)
  const utterance = draft === '' ? whole : { ...whole, text: said }
  const statements = ownStatements(utterance, speaking, people)
  const quote = quoteSentences(spokenSentences(draft, speaking.english), MOST_DRAFTED)
  return quote === '' ? statements : [...statements, { form: 'quote', words: quote, asks: false }]
}

/** Quoted characters of a draft. */
const MOST_DRAFTED = 400

function ownStatements(utterance: Utterance, speaking: Speaking, people: People): Statement[] {
  const sentences = withoutSignature(salientSentences(utterance, speaking, people), utterance, people)
  if (sentences.length === 0 && /```|~~~/.test(utterance.text))
    return [{ form: 'event', words: 'shared code', asks: false }]
  const { speaker } = utterance
  const isNamed = speaking.byMe || speaker !== undefined
  const isPerson =
    speaking.byMe || (speaker !== undefined && !isAssistant(speaker) && !people.isOrganization(people.display(speaker)))
  return sentenceStatements(sentences, { ...speaking, isPerson, english: speaking.english && isNamed })
}

/** The content of one speaker's sentences, up to 700 characters. */
export function sentenceStatements(sentences: readonly string[], speaking: Speaking): Statement[] {
  const statements: Statement[] = []
  let length = 0
  const isApart = speaking.english && speaking.commands !== true
  for (const written of isApart ? sentences.flatMap((sentence) => tellable(sentence, speaking)) : sentences) {
    const { sentence, own } = addressed(written, speaking)
    length += sentence.length
    const event = EVENT.exec(sentence)?.[1]
    const shared = sharedThing(sentence)
    if (event) statements.push({ form: 'event', words: `${event.toLowerCase()} it`, asks: false })
    else if (shared) statements.push({ form: 'event', words: `shared ${shared}`, asks: false })
    else {
      const before = statements.at(-1)
      const statement = statementOf(sentence, before, own)
      if (before !== undefined && isDetail(statement, before)) statements.push(withDetail(statements.pop()!, statement))
      else if (!isBareDeed(statement, own)) statements.push({ ...statement, said: sentence })
    }
    if (length > (speaking.isLetter ? MOST_PER_LETTER : MOST_PER_UTTERANCE)) break
  }
  return statements
}

/** A request apart from its statement, unless that would be quoted and may be left out. */
function tellable(sentence: string, speaking: Speaking): readonly string[] {
  const parts = requestsApart(sentence)
  const [statement = '', request] = parts
  if (request === undefined || !needsStatement(request)) return parts
  return statementOf(statement, undefined, speaking).form === 'quote' ? [sentence] : parts
}

/** `@Sofie can you talk to sales?` within a message to all. */
function addressed(sentence: string, speaking: Speaking): { readonly sentence: string; readonly own: Speaking } {
  const { to, text } = (speaking.english &&
    MAY_ASK.test(sentence) &&
    speaking.addressee?.(sentence.replace(BEFORE_NAME, ''))) || {
    to: undefined,
    text: sentence,
  }
  if (to === undefined || !ASKS_OF.test(text)) return { sentence, own: speaking }
  const isMine = speaking.isMe?.(to) === true
  const toMe = isMine && !speaking.byMe
  return { sentence: text, own: { ...speaking, toMe, listener: toMe ? 'me' : to } }
}
/** `And Ann, can you ...` */
const BEFORE_NAME = /^(?:and|so|ok|okay|also|then),? /i
/** Checked first because that is much faster. */
const MAY_ASK = /^@?(?:\S+ ){1,3}(?:please|pls|can|could|would|will|do|did|are|have|you)\b/i
const ASKS_OF = /^(?:please|pls|can|could|would|will|do|did|are|have|you)\b/i

/** `I did`, `was hoping so`, `decided`: without its object a deed tells nothing, unless it answers a question. */
function isBareDeed({ form, words }: Statement, { isReply }: Speaking): boolean {
  return !isReply && form === 'act' && BARE_DEED.test(words)
}
const BARE_DEED =
  /^(?:(?:just|also|already|really|finally|totally|definitely|actually|even) )?(?:did|was|had|could|couldn['’]t|didn['’]t|wasn['’]t|hadn['’]t|did not|decided|hoped|thought|felt|tried|knew|guessed|wondered|forgot|found|went|came|(?:was )?(?:hoping|thinking|wondering|guessing|trying|joking|kidding|listening))(?: (?:so|it|that|this|too|not|also|already|same|the same|as well|about it|about that|of that|of it))*$/i

function statementOf(sentence: string, before: Statement | undefined, speaking: Speaking): Statement {
  const isFirst = before === undefined
  if (!speaking.english) return quoteOf(sentence, isFirst, speaking)
  if (RESULT.test(sentence))
    return {
      form: 'clause',
      words: `it was ${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`,
      asks: false,
    }
  const act = actOf(sentence, isFirst, speaking)
  if (act !== undefined) return { form: 'act', words: act, asks: false }
  const reported: Reported = reportSentence(sentence, speaking)
  // "It" refers to the quotation before, and "his" to somebody in it.
  const isOpen =
    (before?.form === 'quote' && /^(?:it|this|these|those)\b/i.test(sentence)) || /^(?:his|her|its) /i.test(sentence)
  return reported.form === 'clause' && !isOpen
    ? { form: 'clause', words: reported.clause, asks: false }
    : quoteOf(sentence, isFirst, speaking)
}

/** `Fixed in #423.`, `Released in 1.8.3`: of what the issue or the talk is about. */
const RESULT =
  /^(?:fixed|resolved|solved|released|reverted|shipped|merged|implemented|superseded) (?:in|by|with) #?[\w/-]*\d[\w.-]*(?:(?:,| and)(?: (?:was|is))? (?:released|shipped|merged|backported) (?:in|as|to|with) [\w.-]*\d(?:(?:,| and) [\w.-]*\d)*)?\.?$/i

/** `promised to call`, `asked me whether I am coming`, `said yes, but that Lena has to leave at four`. */
function actOf(sentence: string, isFirst: boolean, speaking: Speaking): string | undefined {
  const bare = withoutOpener(sentence)
  const decision = DECISION.exec(bare)?.[1]
  if (decision !== undefined) return decisionAct(decision, speaking)
  const act = speechAct(bare, { ...speaking, isOpening: isFirst && speaking.isPerson === true })
  const isAnswer = isFirst && speaking.isReply
  if (act !== undefined) return isAnswer ? withYes(sentence, act) : act
  const question = indirectQuestion(sentence, speaking)
  if (question !== undefined) return `asked ${speaking.listener ? `${speaking.listener} ` : ''}${question}`
  const [answer, word, but, rest] = (isAnswer && ANSWER.exec(sentence)) || []
  if (answer === undefined || word === undefined) return undefined
  const yes = `said ${YES.test(word) ? 'yes' : 'no'}`
  if (!rest) return yes
  const reported = reportSentence(rest.charAt(0).toUpperCase() + rest.slice(1), speaking)
  return reported.form === 'clause' ? `${yes}, ${but ? 'but' : 'and'} that ${reported.clause}` : undefined
}

/** `Decision: we close the bar at ten.`; fillers take the comma of `Okay, um, decision: ...` along. */
const DECISION = /^(?:(?:ok|okay|so|and|right),? )*(?:decision|decided|agreed): +([^?]+)$/i

function decisionAct(decision: string, speaking: Speaking): string | undefined {
  const reported = reportSentence(decision.charAt(0).toUpperCase() + decision.slice(1), speaking)
  return reported.form === 'clause' ? `decided that ${reported.clause}` : undefined
}

/** `Yes, but Lena has to leave at four`. */
const ANSWER = /^(yes|yeah|yep|yup|no|nope|nah)(?:[.!]*$|[,.!–—-]+ ?(?:(but) |and )?([^?]+)$)/i
const YES = /^y/i

function withYes(sentence: string, act: string): string {
  const word = /^(yes|yeah|yep|yup|no|nope|nah)\b/i.exec(sentence)?.[1]
  return word === undefined ? act : `said ${YES.test(word) ? 'yes' : 'no'} and ${act}`
}

/** Without "well" and "so"; the yes or no of a reply is the answer, and stays. */
function quoteOf(sentence: string, isFirst: boolean, { isReply, isCasual }: Speaking): Statement {
  const isAnswer = isReply && isFirst && YES_OR_NO.test(sentence)
  // Cells of a table.
  const words = (isAnswer ? sentence : withoutOpener(sentence)).replaceAll(' | ', ', ')
  // In a letter, a statement with a request goes with the other statements; in a chat, it gets its answer.
  const asks = /[?？؟]["'”’)\]]*$/.test(sentence) && (isCasual === true || requestsApart(sentence).length === 1)
  return { form: 'quote', words, asks }
}

/** Event lines of issue trackers: `Closed by Ann Lee`. */
const EVENT = /^((?:re)?opened|closed|merged|approved|completed|archived) by \S[^.!?]{0,80}\.?$/i

/** Removes the signature: the name that ends a letter and the few lines below it. */
function withoutSignature(sentences: readonly string[], utterance: Utterance, people: People): readonly string[] {
  const at = sentences.findLastIndex((sentence) => isSignature(sentence, utterance, people))
  if (at < 0) return sentences
  const after = sentences.slice(at + 1)
  const isCard = after.length <= 6 && after.every((line) => line.length <= 80 && !/[!?]$|^p\.? ?s\b/i.test(line))
  return [...sentences.slice(0, at), ...(isCard ? [] : after)]
}

/** The name that a letter ends with. */
function isSignature(sentence: string, { speaker }: Utterance, people: People): boolean {
  if (speaker === undefined || sentence.length > 60) return false
  const [bare, name] = [sentence.replace(/[\s.,!–—-]+$|^[\s–—-]+/g, ''), people.display(speaker)]
  // `Ingeborg Maas` below a letter by `Prof. Ingeborg Maas`.
  // `河野自転車 小林`: the shop, and who wrote for it.
  const isOfShop =
    /^\P{ASCII}+$/u.test(name) && bare.startsWith(`${name} `) && bare.length <= name.length + LONGEST_FAMILY_NAME
  return people.called(bare) === name || isOfShop || (bare.includes(' ') && name.endsWith(bare))
}
const LONGEST_FAMILY_NAME = 8

/** Sentences with content; a bare "yes" only as the answer to a question. */
function salientSentences(
  utterance: Utterance,
  {
    isReply,
    asksHow,
    english,
    isCasual,
    isChatter,
    spokenSentences: split = (text) => spokenSentences(text, english),
  }: Speaking,
  people: People,
): string[] {
  const sentences = split(utterance.text).map((sentence) => withoutVocative(sentence, people))
  const isProgram = utterance.speaker !== undefined && isAssistant(utterance.speaker)
  const worth = sentences.filter(
    (sentence) =>
      !isChatter(sentence) &&
      !introducesItself(sentence, utterance, people) &&
      !(isCasual && people.called(sentence.replace(/[\s.,!?]+$/, '')) !== undefined) &&
      !(isProgram && (isOffer(sentence) || isAnnouncement(sentence) || isAssistantRemark(sentence))) &&
      !(english && isRemark(sentence)),
  )
  const [first] = sentences
  // `Me. They expire in April`: who it is was asked.
  if (isReply && first !== undefined && PERSON_ALONE.test(first) && worth[0] !== first) return [first, ...worth]
  if (asksHow && first !== undefined && worth[0] !== first && STATE.test(first))
    return [first.replace(THANKED, ''), ...worth]
  if (worth.length > 0 || !isReply) return worth
  // `Either works for me` is a set phrase, but an answer too.
  const isAnswer = (sentence: string) => YES_OR_NO.test(sentence) || OWN_ANSWER.test(sentence) || isIdiom(sentence)
  return sentences.filter((sentence) => isAnswer(sentence) && !/[?？]$/.test(sentence)).slice(0, 1)
}

/** `Better, thanks`, `Not great`. */
const STATE =
  /^(?:(?:much|a (?:bit|little|lot)|still|not|pretty|quite|very|so|really|actually|all|doing|getting|feeling|she['’]s|he['’]s|they['’]re|it['’]s|it was) )*(?:better|worse|fine|good|well|great|ok|okay|bad|poorly|ill|sick|tired|lovely|awful|terrible|brilliant|happy|sad|stable|improving|recovering|the same|up and down)\b[^?]{0,30}$/i
const THANKED = /,? (?:thanks|thank you|thx|cheers)[.!]*$/i
const PERSON_ALONE = /^(?:(?:that['’]s|that would be|it['’]s) )?(?:not )?(?:me|mine|us|ours)[.!]*$/i

/** `How's Amara?`, but not `How are you?` */
const ASKS_HOW =
  /\bhow(?:['’]s| is| are| was| were| did) (?!you\b|it\b|that\b|this\b|everything\b|things\b|life\b)[^?!.]{3,60}\?\s*$/i

/** `I can't`, `we did`: the answer to a question, without content of its own. */
const OWN_ANSWER = /^(?:i|we) (?:can|could|will|won|did|do|don|am|have|haven|would)(?:['’]?t)?(?: not)?\b[^?]*$/i
