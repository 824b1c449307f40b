/**
 * What an assistant says about its user: it repeats what was asked, praises, or says that it understands. The user's own
 * words tell it already.
 */
const REPEATS =
  /^(?:(?:so|okay|ok|great|hello|hi|understood|got it|alright|ah|\p{L}[\p{L} .’'-]{1,30}, hello)[,!.] )?(?:from what you(?:['’]ve| have)? (?:said|told me|described|shared)|it (?:sounds|seems|looks|appears) (?:like|as if|that) you|(?:so,? )?(?:you(?:['’]d| would)? (?:mainly |also |just |mostly |now )*(?:like|want|mean|wish|hope|wanted) (?:to|me to|that)|you(?:['’]re| are) (?:asking|looking for|looking forward|wondering|hoping))|i (?:can |do |completely |totally |fully |truly |really |absolutely )*(?:understand|hear you|feel (?:your|how)|sense (?:your|how)|appreciate your|imagine how)|based on your (?:explanation|description|question|request|message))(?![\p{L}])/iu
const PRAISES =
  /^(?:(?:and |so |yes,? |exactly[,!] |haha[,!] )*(?:you(?:['’]re| are) (?:very |most |always |so |truly |absolutely |completely |already )*(?:welcome|right|doing (?:great|well|so well|amazing)|on the right track|not alone|juggling)|your (?:[\p{L}-]+ ){1,7}?(?:demonstrates?|shows?|reflects?|speaks?|proves?|deserves?|is (?:truly |really |very |so |absolutely |highly )*(?:clear|effective|practical|wise|thoughtful|admirable|inspiring|impressive|valid|understandable|touching|commendable|wonderful|great|excellent|remarkable))|(?:many )?congratulations|well done|i(?:['’]m| am) (?:so |very |really |truly |always |genuinely )*(?:glad|happy|delighted|pleased|thrilled|here|proud|sorry)|i(?:['’]ll| will) (?:always )?be (?:right )?here|i wish you|wishing you|looking forward to|may your|(?:this|that|it)(?:['’]s| is) (?:(?:a|an|such|really|very|truly|absolutely|indeed|also|quite|not just|the most) )*(?:crucial|important|essential|key|understandable|normal|common|great|fantastic|wonderful|excellent|brilliant|smart|valuable|significant|genuine|common issue|good (?:question|idea|point|plan|start)|key (?:point|question))(?![\p{L}])(?! (?:to|that|if) ))|(?:please )?(?:remember|don['’]t forget),? (?:that )?(?:you(?:['’]re| are| can| have)|it(?:['’]s| is) ok|to (?:take care|rest|enjoy|breathe))|(?:feeling|having) .{3,60} is (?:(?:just|completely|totally|perfectly|very|only) )*(?:part of|normal|natural|understandable))(?![\p{L}])/iu
/** `You want to plan a trip in May, is that correct?` */
const CHECKS =
  /[,.?] (?:is that (?:correct|right)|(?:am I|did I get (?:that|it)) (?:right|correct(?:ly)?)|correct|right)\?$/i
const NEWS = /\d|https?:/
const LONGEST = 400

/** `It sounds like you had a busy day`, `Your planning shows great care`: the number of a praised thing is news. */
export function isAssistantRemark(sentence: string): boolean {
  if (sentence.length > LONGEST) return false
  return REPEATS.test(sentence) || CHECKS.test(sentence) || (PRAISES.test(sentence) && !NEWS.test(sentence))
}
