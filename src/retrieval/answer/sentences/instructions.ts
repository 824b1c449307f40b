import { analyze } from '../../../lib/analyze.ts'

/** Verbs with which documentation tells what to do. */
const VERBS = `add|allow|append|apply|ask|back up|build|call|change|check|choose|clear|click|close|compare|configure|connect|copy|create|define|delete|deploy|disable|download|drag|edit|enable|ensure|enter|execute|export|extract|fetch|find|follow|generate|give|go|import|include|increase|insert|install|invoke|join|keep|leave|let|list|log|lower|make|mark|migrate|mount|move|name|navigate|open|paste|pass|pick|place|point|press|provide|pull|push|put|raise|read|recreate|reduce|register|reload|remove|rename|repeat|replace|request|reset|restart|restore|revoke|right-click|run|save|scan|see|select|send|set|share|sign|specify|start|stop|store|switch|sync|tap|tell|test|tick|toggle|try|turn|type|uncheck|uncomment|uninstall|unset|unzip|update|upgrade|upload|use|verify|view|visit|wait|write`
/** At the start of a sentence or a clause: `Open Settings`, `To revoke one, delete it`. */
const IMPERATIVE = new RegExp(
  `(?:^\\W*|[:;,–—] |\\b(?:then|and|or|please|also|instead|simply|just|first|next|finally|not) )(?:${VERBS})\\b`,
  'i',
)
/** `to create a key` */
const PURPOSE = new RegExp(`\\bto ((?:${VERBS})\\b[^,.;:]{0,80})`, 'gi')
/** `disable` of `How do I disable telemetry?` */
const ASKED_VERB =
  /\bhow (?:(?:do|does|can|could|should|would) (?:I|we|you|one|they|users?|admins?)|to) (?:\p{L}+ly )?(?!(?:do|get|have|make|use)\b)(\p{L}+)/iu
const PAST = /\p{L}ed$/u
const PASSIVE = /\b(?:is|are|be|gets?)(?: \p{L}+ly)?$/iu
/** `Never disable it` */
const WARNS = /\b(?:never|do not|don['’]t)$/i
const WORD = /\p{L}+/gu
/** Characters before a verb in which `is` or `never` stands. */
const MOST_BEFORE = 30
const ADVISES =
  /\b(?:you|one|users?|admins?|administrators?|owners?)(?: (?:can|could|must|should|may|(?:need|have) to))\b|\b(?:can|must|should|has to|have to|needs? to) be \p{L}+(?:ed|en|t|n)\b|\bby \p{L}+ing\b/iu
const CODE = /`[^`]+`|^\S+ (?:\S+ )*--?\p{L}|→/u

/** `In this case, set the option`: the next sentence says what to do about the one before. */
const CONTINUES =
  /^(?:in (?:this|that|such an?|these) cases?|to (?:\p{L}+ ){1,3}(?:this|that|these|it|so)\b|instead\b|for this\b|if so\b)/iu

/** Whether a sentence refers to the one before and says what to do. */
export function continuesWithInstruction(sentence: string | undefined, question: string): boolean {
  return sentence !== undefined && CONTINUES.test(sentence) && instructs(sentence, question)
}

/** Whether a sentence says what to do, with a verb, a command or a setting, or says what does what is asked for. */
export function instructs(sentence: string, question: string): boolean {
  if (IMPERATIVE.test(sentence) || ADVISES.test(sentence) || CODE.test(sentence)) return true
  const asked = new Set(analyze(question))
  const isPurpose = [...sentence.matchAll(PURPOSE)].some(
    ([, clause]) => !asked.isDisjointFrom(new Set(analyze(clause!))),
  )
  return isPurpose || saysVerb(sentence, question)
}

/** Whether a sentence has the verb of a question, not as what was done or is advised against: `Setting it to 0 disables telemetry` */
function saysVerb(sentence: string, question: string): boolean {
  const [stem] = analyze(ASKED_VERB.exec(question)?.[1] ?? '')
  if (stem === undefined) return false
  return [...sentence.matchAll(WORD)].some(({ 0: word, index }) => {
    if (analyze(word)[0] !== stem) return false
    const before = sentence.slice(Math.max(0, index - MOST_BEFORE), index).trimEnd()
    return PAST.test(word) ? PASSIVE.test(before) : !WARNS.test(before)
  })
}
