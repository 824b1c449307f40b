import type { Chunk } from '../../../domain/document.ts'
import { isBareDay, withoutNoteHead } from '../../parse/note-head.ts'
import type { ExtractContext } from '../extract-context.ts'
import { withoutSignOff } from '../letters/letter-ends.ts'
import { readLetter } from '../letters/letters.ts'
import type { Passage } from '../passages.ts'
import { splitAddressee, withoutQuotedLines } from '../people.ts'
import { sentenceWeight } from '../speech/quotations.ts'
import { hasVerb, withoutOpener } from '../speech/reported-speech.ts'
import { beginsMarker } from '../speech/shared-things.ts'
import { withCheckedAsDone, withEntriesApart, withWrittenLines } from '../written-lines.ts'
import { cutAtPhrase, shortened } from './headline-cut.ts'
import {
  actHeadline,
  attributed,
  headlineWords,
  LEAST_FACT,
  LONGEST,
  LOOKED_AT,
  REFERRING,
  TELLING,
  topicalWords,
  UNSPACED,
  withoutConnective,
} from './headline-words.ts'

/** The statement with the highest weight that fits; `undefined` if none has enough content. */
export function heaviestFact(
  passage: Passage,
  context: ExtractContext,
  room: number,
  never = NOTHING,
): string | undefined {
  const { people, english, isChatter } = context
  const isSpoken = passage.form === 'turns' || context.document.kind === 'email'
  let best: string | undefined
  let most = LEAST_WEIGHT
  let asked: string | undefined
  for (const chunk of passage.chunks.slice(0, LOOKED_AT.chunks)) {
    const body = context.document.kind === 'email' ? withoutSignOff(chunk.text) : chunk.text
    const text =
      passage.form === 'prose'
        ? withWrittenLines(withEntriesApart(withoutNoteHead(withCheckedAsDone(body), context.document.meta.title)))
        : body
    const said = withoutQuotedLines(text.slice(0, LOOKED_AT.factCharacters))
    const { to, text: own } = splitAddressee(said, people, chunk.speaker)
    const { author } = context.document.meta
    const writer = chunk.speaker || !author ? chunk : { ...chunk, speaker: author }
    const question = asked
    asked = undefined
    for (const [i, sentence] of context.spokenSentences(own).entries()) {
      if (/[?？]$/.test(sentence) && !isChatter(sentence)) asked = sentence
      if (isChatter(sentence) || isNoFact(sentence) || sentence === context.document.meta.title) continue
      const bare = withoutConnective(withoutOpener(sentence))
      const act = isSpoken && english ? actHeadline(bare, writer, people, to) : undefined
      const isMeeting = context.document.kind === 'transcript'
      const isAddressed = splitAddressee(bare, people).to !== undefined
      const weight = factWeight(bare, act, { room, isMeeting, isAddressed })
      if (weight <= most) continue
      const answer = i === 0 && question ? answerTo(question, bare, room) : undefined
      if (answer !== undefined && !never.test(answer)) {
        most = weight
        best = answer
        continue
      }
      const fact = act !== undefined && act.length <= room ? act : attributedFact(bare, writer, context, room)
      if (
        fact === undefined ||
        (never.test(fact) && !isOfFirm(fact, writer, people)) ||
        fact.length < LEAST_FACT / (UNSPACED.test(fact) ? 2 : 1)
      )
        continue
      // What was cut off tells nothing.
      const isHalf = fact.length < bare.length / 2
      const left = weight - Math.max(0, sentenceWeight(bare) - sentenceWeight(fact)) - (isHalf ? 0.8 : 0)
      if (left <= most) continue
      most = left
      best = fact
    }
  }
  return best
}

/** What a letter in a note states, but for its letterhead. */
export function letterFact(passage: Passage, context: ExtractContext): string | undefined {
  const [first] = passage.chunks
  if (first === undefined || passage.form !== 'prose' || context.document.kind !== 'note') return undefined
  const letter = readLetter(passage.chunks.map(({ text }) => text).join('\n\n'))
  return letter && heaviestFact({ ...passage, chunks: [{ ...first, text: letter.text }] }, context, LONGEST)
}

/** Beside the name of a firm, "my" is the reader's. */
function isOfFirm(fact: string, { speaker }: Pick<Chunk, 'speaker'>, people: ExtractContext['people']): boolean {
  const name = speaker === undefined ? '' : people.display(speaker)
  return name !== '' && people.isOrganization(name) && fact.startsWith(people.familiar(name))
}

interface FactSetting {
  /** Characters for the headline. */
  readonly room: number
  readonly isMeeting: boolean
  /** Whether the sentence names the person it addresses. */
  readonly isAddressed: boolean
}

/** More for a promise, a request or a decision, less for what is unclear without other sentences. */
function factWeight(bare: string, act: string | undefined, { room, isMeeting, isAddressed }: FactSetting): number {
  const actWeight = act === undefined || isAddressed ? 0 : 1
  const refers = OF_A_PERSON.test(bare) ? 2 : REFERRING.test(bare) ? 1 : THEIRS.test(bare) ? 2 : 0
  const partial = CONDITIONAL.test(bare) ? 1.5 : WITHOUT_SUBJECT.test(bare) || RELATIVE.test(bare) ? 0.8 : 0
  const isAboutIt = act !== undefined && /\b(?:it|them|this|that)\b/.test(act)
  const open = isAboutIt ? (isOpen(act, room) ? 2 : 0.8) : 0
  return (
    sentenceWeight(bare) +
    (CHANGES_SUM.test(bare) ? 2 : 0) +
    actWeight -
    refers -
    partial -
    open -
    (LIGHTER.some((pattern) => pattern.test(bare)) ? 1.5 : 0) -
    (ENDS_REFERRING.test(bare) ? 0.8 : 0) -
    (SUM.test(bare) || PHONE.test(bare) || TRAVELERS.test(bare) ? 1.5 : 0) -
    (ABOUT_IT.test(bare) && topicalWords(bare) < TELLING ? 0.8 : 0) +
    (isMeeting && DECIDES.test(bare) ? 1 : 0) +
    (REQUESTS.test(bare) ? 1.2 : 0) +
    (SET_OUT.test(bare) ? 1.5 : 0)
  )
}

/** `Wer hat die Lichterkette? Die liegt bei uns im Keller`: an answer that is unclear alone, if there is room for both. */
function answerTo(question: string, answer: string, room: number): string | undefined {
  const isPronoun = BY_PRONOUN.test(answer)
  if (topicalWords(answer) >= TELLING && !isPronoun) return undefined
  const words = headlineWords(answer)
  const fitting = isPronoun ? shortened(words, room - question.length - 1) : words
  const both = `${question} ${fitting}`
  return fitting !== undefined && both.length <= room ? headlineWords(both) : undefined
}
/** Articles that stand for a noun, before a verb: `Den macht Till`, `Las tengo yo`. Case tells verbs from nouns: `Die Stadt sperrt` has none. */
const BY_PRONOUN =
  /^(?:[Dd](?:er|ie|as|en|em) (?:\p{Ll}{2,}t|sind|haben|werden|kommen|stehen|liegen)(?= )|[Ll](?:o|a|os|as) (?:tengo|tiene|tienen|tenemos|llevo|lleva|traigo|trae|hace|hago|\p{Ll}+[éíó])(?!\p{L}))/u

/** `Femi set it to 300 s`, `Tomasz promised to bring it tomorrow`; a title before a promise says what it is about. */
function isOpen(act: string, room: number): boolean {
  return WITHOUT_OBJECT.test(act) && (room === LONGEST || !PROMISES.test(act))
}
const PROMISES = /^(?:\S+ ){1,3}(?:promised|offered|planned|wanted) to /
const WITHOUT_OBJECT =
  /^(?:\S+ ){1,3}(?:(?:promised|offered|planned|wanted) to )?\p{Ll}+ (?:it|them|this|that)(?=[ .,]|$)/u
/** `Two instalments would be great` */
const WOULD_BE_GOOD =
  /\bwould (?:also |really )?be (?:great|nice|good|lovely|perfect|fine|ideal|fantastic|wonderful|helpful|cool|better|best)\b|^I(?:['’]d| would) (?:say|guess|think)\b/i
/** `0.1%に下がりました`, `£2.1m, works start in May` */
const WITHOUT_TOPIC = /^(?:[\d.,%％]+\p{Script=Hiragana}|[£€$]\d[\d.,]*(?:k|m|bn)?,|\d[\d. ]*[€£$%],)/u
const DONE = / \(done\)$/
/** Japanese and Chinese questions often have no mark. */
const ASKS_WITHOUT_MARK = /(?:(?:です|ます|でした|ました|でしょう|ません)か|吗)。?$/
/** `Ihre Kundennummer lautet 20 443 871` */
const IDENTIFIES =
  /(?<!\p{L})(?:(?:kunden|rechnungs|bestell|vertrags|auftrags)-?(?:nummer|nr)|(?:customer|account|invoice|order|contract|reference|tracking|policy) (?:number|no\.?|id)|num[ée]ro de (?:client|commande|contrat|dossier|cliente|pedido|contrato)|n[º°] de (?:client|cliente|pedido|commande))(?!\p{L})|お客様番号|注文番号|客户编号|订单号/iu
const LIGHTER = [WOULD_BE_GOOD, WITHOUT_TOPIC, ASKS_WITHOUT_MARK, DONE, IDENTIFIES]
const DECIDES =
  /\b(?:(?:then|so|ok|okay|fine|right),? we (?:\p{Ll}+)|we(?:['’]ll| will)? (?:go (?:with|for)|use|take|keep|stay with)|let['’]s|from now on|(?:decided|agreed|approved|rejected))\b/iu
/** `We have raised your monthly payment to 84 euros` */
const CHANGES_SUM =
  /^we(?:['’]ve| have| will|['’]ll)? (?:raised?|increased?|lower(?:ed)?|reduced?|changed?|adjust(?:ed)?) (?=[^?]*\d)[^?]*(?:[€£$%]|\b(?:euros?|EUR|pounds?|GBP|dollars?|USD|CHF|percent)\b)/i
/** `I need to talk to Ann about that` */
const ENDS_REFERRING = / (?:that|this|it|them)[.!]?$/i
/** `We announce it on the 20th` */
const ABOUT_IT = /^(?:I|we|you|they|he|she)(?:['’]\p{L}+)? (?:\p{Ll}+ ){1,4}(?:it|them)(?=[ .,]|$)/u
/** `Kannst du am 21. November die Aufsicht übernehmen?` asks for something, so it weighs as much as a statement; for English requests, `actHeadline` makes one. */
const REQUESTS =
  /^(?:kannst du|könntest du|könnt ihr|könntet ihr|können sie|könnten sie|würde(?:st du|n sie)|pou(?:vez|rriez)[- ]vous|peux-tu|pourrais-tu|(?:est-ce que )?(?:tu peux|vous pouvez)|¿?puedes?|¿?podrías?|¿?podéis|¿?pueden)(?!\p{L})(?=.*\d).*[?？]$/iu
/** `She leaves on Friday` */
const OF_A_PERSON = /^(?:he|she|they)(?=['’ ])/i
const CONDITIONAL =
  /^(?:if|should you|in case|unless|falls|sollten? (?:sie|du|ihr)|wenn|si (?:vous|tu)|en caso)(?![\p{L}])/iu
const RELATIVE = /^which (?!\p{L}+ (?:is|are|was|were|do|does|did|can|will|should|would)(?!\p{L})[^?]*\?)/iu
const WITHOUT_SUBJECT =
  /^(?:(?:could|should|might|would|may) be|wants|wanted|says|said|needs|thinks|asks|asked|told|hopes) /
/** Of somebody whom only another sentence names. */
const THEIRS = /^(?:his|her|their|its) /i
const NOTHING = /(?!)/

/** A day alone, an attached file, an address, a license, or the fields of a signature. */
function isNoFact(sentence: string): boolean {
  if (ADDRESS.test(sentence) && !hasVerb(sentence)) return true
  return (
    ROUTINE.test(sentence) ||
    beginsMarker(sentence) ||
    ENTRY_HEAD.test(sentence) ||
    isBareDay(sentence) ||
    ATTACHED.test(sentence) ||
    ((sentence.match(/ \| /g)?.length ?? 0) >= 2 && !OF_A_TRIP.test(sentence))
  )
}
const ADDRESS = /^[^.!?:€£$]*(?:(?<![\p{L}\d])[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|(?<!\d)\d{5} \p{Lu}\p{Ll}+)[^.!?:]*$/u
/** Who was there, the license, and minutes that were approved. */
const ROUTINE =
  /^(?:(?:\p{L}+(?:day|tag),? (?:den )?)?\d{1,2}\.? \p{L}+ \d{4}(?!\d).{0,20}$|(?:MIT|©|Apache|GPL|BSD)(?!\p{L})|(?:by|von|par|por|words by|posted by|(?:opened|created|reported|filed) by|text:|autor:) (?:\p{Lu}\p{L}+[ ,]*){1,4}.{0,24}$|(?:present|apologies|attendees|in attendance|anwesend|entschuldigt|présents?|asistentes|ref(?:erence)?(?: no)?|next (?:meeting|session)|nächste(?:s treffen|r termin| sitzung)|prochaine (?:réunion|séance)|próxima reunión)\b ?[.:]|(?:the )?minutes (?:of|from) .{3,30} (?:were |are )?(?:agreed|approved|accepted))/iu
/** `08:50 out - surgery, 14 min`: who was called and how long, above what was said. */
export const ENTRY_HEAD = /^\d{1,2}[:.h]\d{2}(?!\d)[^.!?]{1,60}\d{1,3} ?(?:min|mn|minutes|分)\.?$/iu
/** `VV 1120 | Monterrey | Ciudad de México | 2 abr 2026 06:40`: a row of a table with its day and time. */
const OF_A_TRIP =
  /^(?=[^|]{2,40}\|).*(?:\d{1,2}\.? \p{L}{3,9}\.?|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}).{0,20}\d{1,2}:\d\d/u
const PHONE = /(?<!\d)0\d{2,4} ?\d{3,4} ?\d{3,4}(?!\d)/
const ATTACHED =
  /^(?:file|attachment|attached|image|photo|datei|anhang|fichier|pièce jointe|archivo|adjunto|ファイル|附件|文件)\s?[:：] ?\S+\.\p{L}{2,5}$/iu
/** The line of a booking that says when it begins. */
export const SET_OUT =
  /^(?:arrival|check-?in|outbound|outward|outgoing|depart(?:ure|s)|departing|pick-?up|appointment|anreise|ankunft|hinfahrt|hinflug|abfahrt|abflug|termin|abholung|aller|arrivée|départ|rendez-vous|llegada|entrada|salida|ida|recogida|cita|チェックイン|往路|入住|去程)\b ?[:：](?=.*\d)/iu
const LEAST_WEIGHT = 0.6
/** The line of a booking that says whose it is. */
const TRAVELERS =
  /^(?:passengers?|travell?ers?|guests?|reisende|fahrgäste|gäste|passagiere|passagers?|voyageurs?|pasajeros?|viajeros?|huéspedes|乗客|旅客) ?[:：]/iu
/** Words of an order besides the goods. */
const SUM =
  /\b(?:paid (?:with|by)|ending(?: in)? \d{4}|total|subtotal|gesamt\p{L}*|summe|zwischensumme|montant|importe|vat|mwst|iva|tva|shipping|delivery|versand|livraison|envío|discount|rabatt|remise|descuento)\b|\d ?% (?:off|de descuento)|合計|小計|送料|实付|优惠|运费/iu

/** A sentence without final punctuation, cut at a comma if it is long; the "I" of others gets their name. */
function attributedFact(sentence: string, chunk: Chunk, { people }: ExtractContext, room: number): string | undefined {
  const words = headlineWords(sentence)
  const whole = shortened(words, room) ?? shortened(withoutAsides(words), room) ?? cutAtPhrase(words, room)
  if (whole === undefined) return undefined
  const theirs = attributed(whole, chunk, people)
  if (theirs.length <= room) return theirs !== whole && WE.test(theirs) ? undefined : theirs
  // The name takes room that phrases at the end can give.
  const shorter = cutAtPhrase(whole, room - (theirs.length - whole.length))
  const fitting = shorter === undefined ? undefined : attributed(shorter, chunk, people)
  return fitting !== undefined && fitting.length <= room && !WE.test(fitting) ? fitting : undefined
}
/** `Vos 6 bouteilles de Riesling (72,00 €) vous attendent`: what stands in parentheses can be left out. */
function withoutAsides(words: string): string {
  return words.replace(/ \([^()]{1,60}\)(?= \p{L})/gu, '')
}
const WE = /\b(?:we|us|our)\b/i
