/** A clause with its speaker. */
export interface Clause {
  readonly text: string
  /** Empty: nobody is quoted or reported. */
  readonly by: string
  /** The speaker's own words, in which `I` is the speaker; otherwise `I` is the owner. */
  readonly isVerbatim: boolean
}

const REPORTING = '(?:said|wrote|told [^:"]{1,40}?|replied|answered|added|noted|reported|confirmed|mentioned)'
/** `Ann said: "Sent you the plan."`, `Ann: "..."` */
const QUOTED = new RegExp(`^([^:"]{1,60}?)(?: (?:also )?${REPORTING})?: "(.+)"[.!]*$`, 's')
const REPORTED = new RegExp(`^(.{1,60}?) (?:also )?${REPORTING}(?: yes,)?(?: and)? that (.+)$`, 's')

/** The clauses of a statement, with who is quoted or reported. */
export function clausesOf(statement: string): Clause[] {
  const quoted = QUOTED.exec(statement)
  if (quoted !== null)
    return quoted[2]!.split(/(?<=[.!?…])\s+|\n/).map((text) => ({ text, by: quoted[1]!, isVerbatim: true }))
  const reported = REPORTED.exec(statement)
  if (reported !== null)
    return reported[2]!.split(/,? and that /).map((text) => ({ text, by: reported[1]!, isVerbatim: false }))
  return [{ text: statement, by: '', isVerbatim: false }]
}

/** `Sent you the plan, but I'll book the hall tomorrow` has two. */
export function splitClauses(sentence: string): string[] {
  return sentence.split(BETWEEN_CLAUSES)
}
const BETWEEN_CLAUSES =
  /[;–—] ?|,? (?:but|and|so) (?=(?:I|we|they|he|she|it)\b|(?:promised|asked|offered|proposed|will|said|told) )|,? but |, (?=(?:I|we|they|he|she|it|will|still|haven['’]t|hasn['’]t|not|no)\b)/
