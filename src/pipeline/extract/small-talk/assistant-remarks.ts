/** Whole sentences in which an assistant praises its user, or repeats a wish to have it confirmed. */

const DEGREE = '(?:(?:so|very|really|truly|absolutely|completely|most|always|quite|totally) )*'
const PRAISES = [
  `you(?:['’]re| are) ${DEGREE}(?:welcome|right|doing (?:great|well|amazing)|on the right track|not alone)`,
  `(?:this|that|it)(?:['’]s| is) ${DEGREE}(?:an? ${DEGREE})?(?:crucial|understandable|great|fantastic|wonderful|excellent|brilliant|smart|good)(?: (?:question|idea|point|plan|start|choice|news))?`,
  `it sounds like you(?:['’]ve| have) made ${DEGREE}(?:an? ${DEGREE})?(?:great|good|excellent|wonderful|real) (?:start|progress|choice|decision)`,
]
const FEELINGS = [
  '(?:many )?congratulations|well done',
  `i(?:['’]m| am) ${DEGREE}(?:(?:glad|happy|delighted|pleased|thrilled|sorry) (?:to hear (?:that|this|it)|for you|i could help)|proud of you|here for you)`,
  'i (?:(?:can|do|completely|totally|fully|truly|really|absolutely) )*(?:understand|hear you)(?: (?:completely|how you feel|your (?:feelings|concerns?|frustration|situation)))?',
]
const REMARK = new RegExp(
  `^(?:(?:and|so|yes|exactly|haha),? )?(?:${[...PRAISES, ...FEELINGS].join('|')})(?:,(?: (?:mr|mrs|ms|dr)\\.?)? \\p{L}{1,20})?[\\s.!…]*$`,
  'iu',
)
/** `You want to plan a trip in May, is that correct?` */
const CHECKS =
  /^(?:so,? |okay,? )?you(?:['’]d| would)? (?:like|want|wish|hope) to [^\d]{3,200}[,.] is that (?:correct|right)\?$/i
const LONGEST = 250

/** `You're very welcome, Mr. Lei`, `That's a great question!`; a sentence that says anything else is none. */
export function isAssistantRemark(sentence: string): boolean {
  return sentence.length <= LONGEST && (REMARK.test(sentence) || CHECKS.test(sentence))
}
