import { hasHappened } from '../letters/notifications.ts'
import { holdsNews, sentenceWeight } from '../speech/quotations.ts'
import { isNewsInPlainWords } from './idioms.ts'
import { type RemarkFeatures, remarkFeatures } from './remark-features.ts'
import { REMARK_WEIGHTS } from './remark-weights.ts'
import { remarkScore } from './remark-words.ts'

/** Chosen on the labeled sentences: a fact that is lost is worse than a remark that stays. */
const MIN_PROBABILITY = 0.8
/** Of a sentence that praises and has nothing that somebody did, will do or has: `Amazing, great leaving present`. */
const MIN_PRAISED = 0.7
const LONGEST = 160
const ASKS = /(?:[?？]|[吗嘛]\s*)["'”’)\]]*$/
const IS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** Births, deaths, illness, losses, marriages, jobs and exams. */
const LIFE_EVENTS =
  /(?<!\p{L})(?:die[ds]|dead|death|dying|lost|broke\p{L}*|sick|ill|pregnant|hospital|engaged|married|divorc\p{L}+|hired|fired|sacked|quit|stole\p{L}*|born|pass(?:ed)?|fail(?:ed)?|won|said (?:yes|no)|gestorben|tot|krank|schwanger|kaputt|verloren|gewonnen|geboren|bestanden|verlobt|weg|mort\p{L}*|décédée?|malade|enceinte|né|née|perdu\p{L}*|gagné\p{L}*|cassé\p{L}*|murió|muert[oa]s?|enferm[oa]|embarazada|nació|perd\p{L}+|gan(?:ó|amos|aron)|rot[oa]s?)(?!\p{L})|死|亡|病|妊娠|怀孕|生まれ|生了|出生|受か|落ち|壊|坏|丢|输|赢/iu
/** What the listener is to do. */
const REQUESTS = /\byou (?:ask|bring|buy|call|do|get|go|give|make|send|show|take|tell|write)\b/i
/** `Will watch it over the weekend` */
const PROMISES = /^will (?!be |do[.! ]*$)\p{Ll}+ /iu
const AMOUNTS = /\b(?:out of|twice|double|half)\b/i

/**
 * Whether a sentence of a conversation is probably a remark, in whatever wording: no question, and without a number, a day, a name or a
 * decision. It may say a little, which set phrases don't, so this is for conversations only.
 *
 * @param english whether its words are English
 */
export function isLikelyRemark(sentence: string, english: boolean): boolean {
  if (sentence.length > LONGEST || ASKS.test(sentence)) return false
  if (LIFE_EVENTS.test(sentence) || REQUESTS.test(sentence) || AMOUNTS.test(sentence)) return false
  if (PROMISES.test(sentence)) return false
  const features = remarkFeatures(sentence)
  if (!isThanked(sentence, features) && mayInform(features, IS_UNSPACED.test(sentence))) return false
  return (
    probability(features, english ? remarkScore(sentence) : 0) >=
      (isPraise(features) ? MIN_PRAISED : MIN_PROBABILITY) &&
    !holdsNews(sentence) &&
    !hasHappened(sentence) &&
    !isNewsInPlainWords(sentence)
  )
}

function isPraise({ praises, past, commits, denies, determined, first }: RemarkFeatures): boolean {
  return praises > 0 && past + commits + denies + determined + first === 0
}

/** `Merci, tu me sauves la vie`: thanks, and nothing that was or will be done. */
function isThanked(sentence: string, { past, commits, denies }: RemarkFeatures): boolean {
  return past + commits + denies === 0 && THANKS.test(sentence)
}
const THANKS =
  /^(?:\p{L}+,? ){0,4}(?:thanks|thank you|thx|danke|merci|gracias)(?!\p{L})|^(?:\p{L}{1,4}[、，,])?[^、。，,.!！?？]{0,40}(?:ありがとう?(?:ございま(?:す|した))?|谢谢(?:你们?|您|大家|啦|了)?|多谢(?:了)?)[^\p{L}\p{N}]*$/iu

/**
 * Whether a sentence cheers rather than tells: `Koffer packen und los!`. For what firms and invitations write, in which nobody speaks of
 * themselves. Without the mark at the end, `Votre chambre est prête` is as likely a remark.
 */
export function isCheer(sentence: string, english: boolean): boolean {
  if (sentence.length > LONGEST || !/[!！]\s*$/.test(sentence)) return false
  if (LIFE_EVENTS.test(sentence) || OF_OTHERS.test(sentence) || hasHappened(sentence)) return false
  if (sentenceWeight(sentence) >= LEAST_FACT) return false
  const features = remarkFeatures(sentence)
  const { commits, denies, past, determined } = features
  if (commits + denies + past + determined > 0) return false
  return probability(features, english ? remarkScore(sentence) : 0) >= MIN_CHEER
}
/** More likely than not. */
const MIN_CHEER = 0.5
/** The weight of a number, a day or a decision. */
const LEAST_FACT = 1.5
/** `Ihre Brille ist da!`, `Er frisst wieder!` */
const OF_OTHERS =
  /(?<!\p{L})(?:ihre?|your|votre|vos|tus?|sus?) \p{L}{3,}|^(?:he|she|they|er|sie|ils?|elles?|él|ellas?|ellos)(?!\p{L})/iu

/** `I also enjoy reading`, `You have asthma`, `Keep your helmet on`: unlike praise, it may be all that is known of somebody. */
function mayInform(features: RemarkFeatures, isUnspaced: boolean): boolean {
  const { first, listener, wishes, praises, evaluates, opens, unknown, caseMarks } = features
  if (first > 0 && listener === 0) return true
  // Words of Japanese and Chinese are not counted, so more is asked for.
  if (isUnspaced) return caseMarks > 0 || (praises === 0 && (listener + wishes > 0 || evaluates + opens === 0))
  if (praises > 0) return false
  return listener > 0 ? unknown > 0 || evaluates === 0 : wishes > 0 && unknown > 0
}

function probability(features: RemarkFeatures, score: number): number {
  let sum = REMARK_WEIGHTS.constant + score
  for (const [name, value] of Object.entries(features) as [keyof RemarkFeatures, number][])
    sum += REMARK_WEIGHTS[name] * value
  return 1 / (1 + Math.exp(-sum))
}
