import { hasHappened } from '../letters/notifications.ts'
import { holdsNews } from '../speech/quotations.ts'
import { isNewsInPlainWords } from './idioms.ts'
import { type RemarkSigns, remarkSigns } from './remark-signs.ts'
import { REMARK_WEIGHTS } from './remark-weights.ts'
import { remarkTone } from './remark-words.ts'

/** Chosen on the labeled sentences: a fact that is lost is worse than a remark that stays. */
const LEAST = 0.8
const LONGEST = 160
const ASKS = /(?:[?？]|[吗嘛]\s*)["'”’)\]]*$/
const IS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** News of a life, in however few words, and who is to do what. */
const GRAVE =
  /(?<!\p{L})(?:die[ds]|dead|death|dying|lost|broke\p{L}*|sick|ill|pregnant|hospital|engaged|married|divorc\p{L}+|hired|fired|sacked|quit|stole\p{L}*|born|pass(?:ed)?|fail(?:ed)?|won|out of|twice|double|half|said (?:yes|no)|you (?:ask|bring|buy|call|do|get|go|give|make|send|show|take|tell|write)|gestorben|tot|krank|schwanger|kaputt|verloren|gewonnen|geboren|bestanden|verlobt|weg|mort\p{L}*|décédée?|malade|enceinte|né|née|perdu\p{L}*|gagné\p{L}*|cassé\p{L}*|murió|muert[oa]s?|enferm[oa]|embarazada|nació|perd\p{L}+|gan(?:ó|amos|aron)|rot[oa]s?)(?!\p{L})|死|亡|病|妊娠|怀孕|生まれ|生了|出生|受か|落ち|壊|坏|丢|输|赢/iu

/**
 * Whether a sentence of a conversation is a remark by its words and signs, in whatever wording: no question, and without a number, a day, a
 * name or a decision. Unlike set phrases, it may say a little; so only sentences of conversations are asked about.
 *
 * @param english whether its words are English
 */
export function isLikelyRemark(sentence: string, english: boolean): boolean {
  if (sentence.length > LONGEST || ASKS.test(sentence) || GRAVE.test(sentence)) return false
  const signs = remarkSigns(sentence)
  // What somebody says of themselves may be all that is known of them: `I also enjoy reading`.
  if (signs.first > 0 && signs.listener === 0) return false
  // In Japanese and Chinese, words are not told apart, so more is asked for.
  if (IS_UNSPACED.test(sentence)) {
    const marks = signs.evaluates + signs.listener + signs.opens + signs.wishes
    if (marks === 0 || signs.caseMarks > 0) return false
  }
  return (
    likelihood(signs, english ? remarkTone(sentence) : 0) >= LEAST &&
    !holdsNews(sentence) &&
    !hasHappened(sentence) &&
    !isNewsInPlainWords(sentence)
  )
}

function likelihood(signs: RemarkSigns, tone: number): number {
  let sum = REMARK_WEIGHTS.constant + tone
  for (const [sign, value] of Object.entries(signs) as [keyof RemarkSigns, number][])
    sum += REMARK_WEIGHTS[sign] * value
  return 1 / (1 + Math.exp(-sum))
}
