const QUESTION_END = /[?？]["”’)\]]*$/
/** A question without its mark, as people type in chats: `great, who else is coming`. */
const UNMARKED =
  /(?:^|[.!?;:]\s+|^\p{L}+,? )(?:who|what|which|when|where|why|how)(?: (?:else|time|day|much|many|long|far|often|exactly))?(?: is| are| was| were| do| does| did| will| would| can| could| should| has| have| had|['’]s)\b[^.!?;\n]{0,80}$/iu
/** `Who says that`, `did dad like the call`: a question of few words, without its mark. */
const SHORT_UNMARKED =
  /^(?:(?:who|what|why|where|when|how) (?:says?|said|told|happened|happens|about|if|for|come)\b(?: (?!I\b)[\p{L}'’]+){0,3}|(?!(?:did you (?:hear|know)|(?:can|would) you believe|have you heard)\b)(?:did|does|was|were|is|are|has|have|can|could|will|would|should) (?:you|he|she|they|we|any(?:one|body)|some(?:one|body)|mum|mom|dad|mam|grandma|grandpa)\b[^.!?;\n]{3,80})$/iu
/** `Jonas, can you review it?` assigns a task. */
const REQUEST =
  /(?<!\p{L})\p{Lu}[\p{L}'’]+, (?:can|could|would|will) you\b(?!.*\b(?:tell|say|what|which|who|when|where|why|how|whether|if)\b)/u
/** `I'm allergic to lilies, can someone ask them?` states something, and asks somebody to do something else. */
const STATES_FIRST =
  /^\W*(?!(?:who|what|which|when|where|why|how|if|do|does|did|is|are|was|were|can|could|should|would|will|have|has|had)\b)(?:\p{L}+\W+){0,2}?(?:I|we|my|our)(?:['’](?:m|ve|ll|re|d))?\s(?!(?:wonder|was wondering|want(?:ed)? to|need to|guess|suppose|think|assume|know|take it|mean|just)\b)[^?]{12,}[,;–—-]\s+(?:(?:and|so|but)\s+)?(?:can|could|would|will|shall|should)\b[^,;?]*\?$/iu
/** `race is sat 31 oct, start 1pm. are we in?`, typed without capitals. */
const STATES_BEFORE =
  /^(?!\W*(?:who|what|which|when|where|why|how|do|does|did|is|are|was|were|can|could|should|would|will|have|has|had)\b)[^?]{20,}[.;] (?:are|is|do|does|can|could|shall|should|will|would|ok|right)\b[^?.;]{0,40}\?$/iu
/** Sentences with a mark that state something first, or ask somebody to do it. */
const STATING = [REQUEST, STATES_FIRST, STATES_BEFORE]
/** A mark inside a word belongs to code or an address. */
const LAST_MARK = /(?:\?(?![^\s"'”’)\]])|？)((?:[^?？]|\?(?=[^\s"'”’)\]]))*)$/

const ASKS_HOW = /^\W*(?:and |so |but )?how (?:do|does|can|could|should|would|to)\b/i

/** `How do I restore a backup?`, `how to restore a backup` */
export function asksHow(question: string): boolean {
  return ASKS_HOW.test(question)
}

/** Whether a sentence asks for an answer in words. */
export function isQuestion(sentence: string): boolean {
  return (
    (QUESTION_END.test(sentence) && !STATING.some((pattern) => pattern.test(sentence))) ||
    UNMARKED.test(sentence) ||
    SHORT_UNMARKED.test(sentence)
  )
}

/** Whether a sentence asks somebody by name to do something. */
export function assignsTask(sentence: string): boolean {
  return REQUEST.test(sentence)
}

/** Whether a turn ends with a question. @param most characters behind it, such as a sentence that explains it */
export function endsWithQuestion(turn: string, most: number): boolean {
  const behind = LAST_MARK.exec(turn)?.[1]
  return (behind !== undefined && behind.length <= most) || UNMARKED.test(turn.trimEnd())
}
