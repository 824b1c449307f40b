import { analyze } from '../../../lib/analyze.ts'

/** `restaurants` of `which Italian restaurants` */
const LISTED =
  /\b(?:which|what|how many|all (?:the|my|our)) (?:(?:kinds?|types?|sorts?) of )?(?:[\p{L}-]+ ){0,2}?(\p{L}+s)\b/iu

/** Whether a sentence names what a question asks for several of. */
export function namesListed(sentence: string, question: string): boolean {
  const noun = LISTED.exec(question)?.[1]
  return noun !== undefined && new Set(analyze(sentence)).isSupersetOf(new Set(analyze(noun)))
}
