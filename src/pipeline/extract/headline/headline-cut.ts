import { isWeekdayName } from '../../../lib/calendar-names.ts'
import { clip, endsWithAbbreviation } from '../../../lib/sentences.ts'
import { hasVerb } from '../speech/reported-speech.ts'
import { isCommand } from '../speech/speech-acts.ts'

/** Positions for cutting a sentence, best first. */
const PARTS = [
  [', ', '; ', ' – ', ' — ', ' - ', '. ', '? ', '! ', '，', '、', '。', '；'],
  [' and ', ' but ', ' because ', ' which ', ' so that ', ' instead of ', ' und ', ' weil ', ' et ', ' y ', ' porque '],
]

/** Removes an introductory phrase: `During the lunch break, I called Ann`. */
const LEAD =
  /^(?:on|in|at|to|during|after|before|for|from|with|as|if|when|while|since|by|due to|because of|despite|instead of|based on|given|according to|thanks to|compared|considering|regarding|being|having|following|yesterday|today|tonight|this (?:morning|afternoon|evening|week)|last (?:night|week)|unfortunately|acknowledged|alright)(?![-\p{L}])(?:[^,.;:]|, (?=(?:19|20)\d\d(?!\d))){0,80}, (?!and |or )(\p{L}.{18,})$/iu
/** Only an introductory phrase: `Without a defined coverage bar`. */
const LEAD_ALONE =
  /^(?:on|in|at|to|during|after|before|for|from|with|without|as|by|due to|because of|despite|instead of|based on|given|according to|thanks to|compared|considering|depending on|regarding|being|having|following)(?![-\p{L}])/iu

export const ENGLISH = /\b(?:the|and|of|to|is)\b/i

/** Cuts after a part of the sentence that stands alone; `undefined` if no part is short enough. */
export function shortened(sentence: string, room: number): string | undefined {
  if (sentence.length <= room) return sentence
  const [, main] = LEAD.exec(sentence) ?? []
  if (main !== undefined) return shortened(main.charAt(0).toUpperCase() + main.slice(1), room)
  const head = sentence.slice(0, room + 1)
  for (const [i, marks] of PARTS.entries()) {
    const cut = Math.max(...marks.map((mark) => lastCut(head, mark)))
    // Not before the verb: "The decorations during Easter and Christmas add".
    if (
      cut < Math.min(24, room / 3) ||
      (i > 0 && ENGLISH.test(head) && !hasVerb(head.slice(0, cut)) && !isCommand(head))
    )
      continue
    if (GOES_ON.test(sentence.slice(cut))) continue
    const part = withoutLooseEnd(head.slice(0, cut).replace(/[\s,;:–—-]+$/, ''))
    // `Die Felgen (60 Stück) und die Speichen gehen morgen raus`: what they do comes later.
    if (i > 0 && !ENGLISH.test(head) && (part.match(/\p{L}{2,}/gu)?.length ?? 0) < LEAST_WORDS) continue
    if (isOpenBracket(part, sentence.slice(cut)) || (i === 0 && isSubjectOnly(part, sentence))) continue
    const isLead = LEAD_ALONE.test(part) && ENGLISH.test(sentence) && !hasVerb(part) && !/[:\d]/.test(part)
    if (!isPartOnly(part) && !isLead) return part
  }
  return undefined
}

const LEAST_WORDS = 5

/** `dafür, dass die Heizkörper frei sind`: the clause is what the sentence says. */
const GOES_ON = /^,? (?:dass|daß|ob|that|que|qu['’])(?![\p{L}])/iu
/** `Ich habe den Vertrag`, `We werden die Heizung`: in German, what is done stands at the end. */
const BEGINS_BRACKET =
  /(?<!\p{L})(?:hab(?:e|en|t)?|hat(?:te|ten)?|bin|ist|sind|war|waren|wird|werden|wurden?|würden?|kann|können|könnten?|muss|müssen|soll(?:en|te|ten)?|will|wollen|möchten?|darf|dürfen)(?!\p{L})/iu
const ENDS_BRACKET =
  /(?:\p{Ll}{2}(?:en|ern|eln)|(?<!\p{L})\p{Ll}{0,6}ge\p{Ll}{2,30}t|(?:be|er|ver|ent|zer|miss)\p{Ll}{2,30}t|iert|getan|sein|tun)[.!]?$/u
/** `dass alle Heizkörper in der Wohnung`: the verb of the clause is missing. */
const OPEN_CLAUSE = /(?<!\p{L})(?:dass|daß|weil|ob|wenn|damit|bevor|nachdem|falls|obwohl)(?!\p{L})[^,;]*$/iu
const ENDS_CLAUSE =
  /(?<!\p{L})(?:ist|sind|war|hat|hatte|wird|wurde|kann|muss|soll|will|darf|geht|\p{Ll}{3,}(?:t|te|ten))$/iu
/** Bounds the work for a title without spaces. */
const LONGEST_VERB = 60
const GERMAN = /(?<!\p{L})(?:der|die|das|den|dem|und|nicht|ein|eine|einen|ich|wir|sie|für|mit|auf)(?!\p{L})/iu

/** Whether a German clause was cut before its verb, which what follows has. */
function isOpenBracket(part: string, rest: string): boolean {
  if (ENGLISH.test(part) || !GERMAN.test(part)) return false
  if (OPEN_CLAUSE.test(part) && !ENDS_BRACKET.test(part) && !ENDS_CLAUSE.test(part)) return true
  if (!BEGINS_BRACKET.test(part)) return false
  return !ENDS_BRACKET.test(part) && ENDS_BRACKET.test(rest.slice(-LONGEST_VERB))
}

/** `The boiler guy, Mr. Hansen`: what he did is in the rest of the sentence. */
function isSubjectOnly(part: string, sentence: string): boolean {
  if (!ENGLISH.test(sentence) || hasVerb(part) || isCommand(part) || /[\d:.?!]/.test(part.replace(TITLES, '')))
    return false
  return OWN_VERB.test(sentence.slice(part.length))
}
const TITLES = /\b(?:Mr|Mrs|Ms|Dr|Prof)\./g
/** A verb whose subject may stand before the cut. */
const OWN_VERB =
  /^, (?:(?:who|which) )?(?:(?:he|she|they|it) )?(?:is|are|was|were|has|have|had|will|can|said|says|told|wants?|wanted|needs?|needed|called|wrote|asked|came|went|got|took|made|gave|sent|thinks?|thought)(?![\p{L}])/iu

/** Within the room: cut where a phrase ends if no part of it stands alone. */
export function fitted(sentence: string, room: number): string {
  return shortened(sentence, room) ?? cutAtPhrase(sentence, room) ?? clip(sentence, room)
}

/** Without the phrases at its end that the clause is complete without; `undefined` if it says something else then. */
export function cutAtPhrase(sentence: string, room: number): string | undefined {
  const head = sentence.slice(0, room + 1)
  const cut = ENGLISH.test(sentence) ? Math.max(...PHRASES.map((mark) => head.lastIndexOf(mark))) : -1
  const part = head.slice(0, Math.max(cut, 0))
  const isComplete = cut >= room / 2 && hasVerb(part) && !isPartOnly(part)
  return isComplete && !NEGATED.test(part) && !CONDITION.test(sentence.slice(cut)) ? part : undefined
}
/** Beginnings of phrases that a clause is complete without. */
const PHRASES = [
  ...[' while ', ' including ', ' such as ', ' as well as ', ' in order to '],
  ...[' in ', ' at ', ' from ', ' for ', ' during '],
]
/** What is left out may be all that is denied. */
const NEGATED = /(?<!\p{L})(?:no|not|never|nobody|none|nothing|cannot|hardly|only|\p{L}+n['’]t)(?!\p{L})/iu
/** `until the keys are returned`: without it, something else is said. */
const CONDITION =
  /(?<!\p{L})(?:until|till|without|with|unless|if|when|once|provided|after|before|except|only|but|instead)(?!\p{L})/iu

/** Without the beginning of a clause that was cut: `; above that`. */
function withoutLooseEnd(part: string): string {
  const end = LOOSE_END.exec(part)
  return end === null || end.index < LEAST_PART ? part : part.slice(0, end.index)
}
const LOOSE_END =
  /[;,] (?:and|but|above|below|after|before|since|because|if|when|with|without|for|in|on|at|also|then|so)(?: \S+)?$/i
const LEAST_PART = 30

const DAY_GOES_ON = /^, (?:(?:den|the|le|el) )?(?:\d|\p{Lu}\p{Ll}+ \d|$)/u

function lastWord(text: string): string {
  return /\p{L}+$/u.exec(text)?.[0] ?? ''
}

/** Not within `21. September` and `Donnerstag, den 26. November`. */
function lastCut(head: string, mark: string): number {
  const at = head.lastIndexOf(mark)
  if (mark === ', ' && at > 0 && DAY_GOES_ON.test(head.slice(at)) && isWeekdayName(lastWord(head.slice(0, at))))
    return lastCut(head.slice(0, at), mark)
  const before = head.slice(0, Math.max(at, 0))
  return mark === '. ' && (/\d$/.test(before) || endsWithAbbreviation(`${before}.`)) ? lastCut(before, mark) : at
}

/** Whether the main clause or the end of a quotation or parenthesis is missing: `When running the command`, `a film like "Up`. */
function isPartOnly(part: string): boolean {
  return (
    (SUBORDINATE.test(part) && !/[,:;.]/.test(part)) ||
    count(part, /["“”]/g) % 2 === 1 ||
    count(part, /[([]/g) !== count(part, /[)\]]/g)
  )
}
const SUBORDINATE =
  /^(?:(?:even )?if|should (?:you|we|they|it)|in case|sollten? (?:sie|du|ihr|es|wir)|si (?:vous|tu|on|usted)|en caso de|en cas de|when(?:ever)?|while|although|though|because|since|unless|until|without|after|before|whereas|as (?:soon|long) as|once|wenn|weil|obwohl|falls|nachdem|bevor|sobald|quand|lorsque|parce que|bien que|cuando|aunque|porque|mientras)(?!\p{L})/iu

function count(text: string, mark: RegExp): number {
  return text.match(mark)?.length ?? 0
}
