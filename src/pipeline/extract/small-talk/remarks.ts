import { holdsNews } from '../speech/quotations.ts'
import { withoutOpener } from '../speech/reported-speech.ts'

/**
 * Recognizes English remarks in chats: encouragement, praise and truisms in full sentences, such as `Combining your
 * interests into a store is super cool`. They have no number, day, name, decision or first person, so nothing happened in
 * them.
 */

const DEGREE =
  '(?:(?:so|such|really|very|always|all|just|also|pretty|quite|super|truly|definitely|still|a|an|the|too|totally|absolutely|always|especially) )*'
const PRAISE =
  '(?:good|great|nice|cool|awesome|amazing|beautiful|lovely|sweet|wonderful|fantastic|perfect|funny|fun|hilarious|interesting|impressive|incredible|inspiring|inspirational|inspiration|gorgeous|cute|exciting|tough|rough|sad|crazy|wild|insane|helpful|kind(?! of)|thoughtful|brilliant|neat|delicious|adorable|terrible|awful|heartwarming|heartbreaking|refreshing|rewarding|fulfilling|uplifting|empowering|freeing|comforting|soothing|therapeutic|fascinating|intriguing|delightful|precious|priceless|blessing|treat|joy|blast|thrilling|touching|motivating|special|magical|powerful|meaningful|touching|admirable|commendable|best|stunning|breathtaking|charming|enjoyable|satisfying|lucky|proud|strong|brave|talented|creative|generous|supportive|patient|adventurous|lively|graceful)'
const LISTENER = /\b(?:you|your|yours|yourself|u|ur)\b/i
const FIRST_PERSON = /\b(?:I|I['’]\w+|Im|Ive|i|im|ive|me|my|mine|myself|we|us|our|ours)\b/
/** What somebody should do, did or has is news even if it is about the listener. */
const TASK =
  /\b(?:should|must(?! (?:be|have|feel))|need|needs|have to|has to|please|owe|owes|may want|might want|want to|better|don['’]t|unless|if|when|before|after|until|because)\b/i
const ADMIRED = new RegExp(
  `\\b(?:${PRAISE}|passion|passionate|dedication|dedicated|determination|strength|hard work|pay(?:s|ing)? off|deserves?|believe in|positivity|success|achievements?|dreams?|journey|talents?|creativity|attitude|enthusiasm|perseverance|resilience|courage|skills?|progress|rock|love|glad|happy|hope|luck)\\b`,
  'i',
)
const KEPT_UP =
  '(?:it|that|up|going|pushing|shining|smiling|doing|being|believing|chasing|dreaming|making|inspiring|spreading|rocking|grinding|working|at it|striving|moving|fighting|learning|growing|exploring|me (?:posted|updated)|us (?:posted|updated)|in touch|your (?:head|chin|spirits?) up|the faith)'
const CHEERS = new RegExp(
  `^(?:(?:just|and|so|but|always|also) )*(?:keep ${KEPT_UP}|stay (?:strong|positive|safe|true|focused|motivated|curious|warm|healthy|hydrated|tuned|in touch|calm|resilient)|hang in|(?:believe in|trust) yourself|never (?:give up|forget)|don['’]t (?:give up|worry|stress|sweat|forget to (?:enjoy|breathe|rest|have|relax|smile))|enjoy|cherish|embrace|follow your|be (?:proud|strong|yourself|patient|happy)|take (?:care|it easy|your time|things|one step)|let me know (?:if|how|what|when)|looking forward|can['’]t wait|sending|wishing|here['’]s to|here for|hope|hopefully|check (?:it|this|that|them|these) out|(?:take a )?look at (?:that|this|it|these|those)|so (?:glad|happy|proud|excited|cool|cute|true|inspiring)|glad|proud|happy|excited|stoked|appreciate|kudos|good (?:luck|for)|best of luck|have (?:a|an|some) (?:${PRAISE}|relaxing|safe|productive)|must (?:be|have been|feel|have felt)|what an?|how ${DEGREE}${PRAISE}|(?:that |it |this |they |those |these )?(?:sounds?|looks?|seems?|feels?) (?:like )?(?:it was |it is |it['’]s )?${DEGREE}${PRAISE})\\b`,
  'i',
)
const TRUISMS = new RegExp(
  `^(?:and |but |so )?(?:(?:it|that|this|they|these|those)(?:['’]s|['’]re| is| are| was| were| can be| feels| must be| sure is| really is| has been|['’]s been) ${DEGREE}${PRAISE}(?: \\p{L}+){0,2}(?:[.!]*$| (?:to|how|when|that|what|who|for|about|of|seeing|having|being|knowing|and)\\b)|(?:there['’]s|there is) nothing|nothing (?:beats|better|like|compares)|life(?:['’]s| is| can)|everyone (?:deserves|needs|has)|everybody (?:deserves|needs)|sometimes you(?:['’]ve)? (?:just )?(?:have|need|got)|that['’]s (?:the (?:spirit|way|point|beauty|key|power|best|most|goal|dream|attitude))|[\\p{L}-]+ing(?: \\p{L}+){0,9}? (?:is|are|can be|sure is|really is|feels|was|must be|has been) ${DEGREE}(?:${PRAISE}(?! idea)|key|important|worth|everything|what)\\b|[\\p{L}-]+ing(?: \\p{L}+){0,6}? (?:can|really|sure|always) (?:really |totally |definitely )?(?:helps?|makes?|be|brings?|boosts?|heals?|goes?|pays?|feels?)\\b)`,
  'iu',
)
const OWN_REMARK =
  /^I(?:['’]m| am)? (?:(?:so|really|very|just|totally|also|definitely|completely|truly|do) )*(?:agree|hope|bet you|bet (?:it|that|they)|appreciate (?:it|that|this|you|the)|admire|hear you|feel you|get (?:it|that|what you)|know (?:what you mean|how you feel|the feeling|right)|understand (?:how|what you|why you|your|the feeling|completely)|glad|proud of you|happy (?:for you|to hear|that you)|excited for you|sorry (?:to hear|you|that you|about)|thankful for (?:you|your)|grateful for (?:you|your)|here for you|cheering|rooting|flattered|impressed|inspired by|jealous|love (?:that|it|this|your|how|the way you)|couldn['’]t (?:agree|have done)|can['’]t wait to (?:see|hear|read)|(?:look|looking) forward to (?:hear|see|read|it|that|you|your|more|chat|catch)\p{L}*)(?!\p{L})/iu
const LET_US =
  /^let['’]s (?:keep (?:it up|going|pushing|each other|supporting|making|working hard|striving|at it|inspiring|encouraging|spreading|dreaming|believing)|stay (?:strong|positive|motivated|focused|connected|in touch)|cherish|celebrate|never|enjoy|rock|crush|go for it|do this|make (?:it happen|a difference|the most|some|more|every)|support each other|hope)\b[^\d]*$/i
const IMPORTANT = new RegExp(
  `^(?:and |but |so )?(?:it['’]s|it is|it was) ${DEGREE}(?:important|key|crucial|essential|vital|okay|ok|normal) (?:to|that you|that we|for us to|for you to) (?:do|have|be|stay|keep (?:going|learning|pushing|trying|at)|take (?:care|time|breaks|it)|follow|remember|find|make time|surround|support|cherish|enjoy|never|always|feel|love|listen|believe|appreciate|reflect|recharge|relax|rest|look after|prioriti[sz]e|balance|celebrate|stand up|speak up)\\b`,
  'i',
)
const MOST_OWN = 110
const LONGEST = 200

/** `Paintball sounds like a fun game`, `That looks like a calm plan`: how something seems, and nothing that happened. */
const SEEMS = new RegExp(
  `^(?:(?:and|but|so|wow|yes|yeah|oh),? )*(?:(?!.*(?<![\\p{L}])(?:I|we|my|our)(?![\\p{L}]))[\\p{L}'’ -]{2,50} )?(?:looks?|looked|sounds?|sounded|seems?) (?:like )?${DEGREE}(?:(?:calm|nice|lovely|solid|busy|cosy|cozy|proper|real|perfect) )?(?:${PRAISE}|calm|cosy|cozy|relaxing|peaceful|tasty|yummy|hectic)(?!\\p{L})(?!.*\\d)(?!.*(?<![\\p{L}])(?:but|because|if|should|must|need|until|unless|before|after)(?![\\p{L}]))`,
  'iu',
)
/** Checked first because that is much faster. */
const MAY_SEEM = /look|sound|seem/i
/** `Smaller churches often create a more intimate atmosphere`. */
const IN_GENERAL = new RegExp(
  `^(?:\\p{L}+ ){1,4}(?:often|usually|always|can really|tends? to) (?!.*\\d).*\\b${PRAISE}\\b`,
  'iu',
)

const MAY_GENERALISE = /^(?:\S+ ){1,4}(?:often|usually|always|can really|tends? to) /i

/** `Must have been awesome to see`, `Keep that up`, `Color-coding is a great way to track your progress`. */
export function isRemark(sentence: string): boolean {
  if (sentence.length > LONGEST || /[?？]["'”’)]*$/.test(sentence)) return false
  const bare = withoutOpener(sentence).trim()
  if (LET_US.test(bare) || (MAY_SEEM.test(bare) && SEEMS.test(bare))) return true
  if (
    MAY_GENERALISE.test(bare) &&
    IN_GENERAL.test(bare) &&
    !holdsNews(bare) &&
    !FIRST_PERSON.test(bare) &&
    !TASK.test(bare)
  )
    return true
  const isOwn = OWN_REMARK.test(bare)
  const isGeneral = CHEERS.test(bare) || TRUISMS.test(bare)
  const isImportant = IMPORTANT.test(bare)
  if (!(isOwn || isGeneral || isImportant || OF_LISTENER.test(bare)) || holdsNews(bare)) return false
  if (isOwn) return bare.length <= MOST_OWN && !OWN_DEED.test(bare)
  if (isImportant) return true
  if (FIRST_PERSON.test(bare)) return false
  if (isGeneral) return !TASK.test(bare) || LISTENER.test(bare)
  return ADMIRED.test(bare) && !TASK.test(bare)
}
const OF_LISTENER =
  /^(?:and |but |so )?(?:you(?:['’]re| are| were| did| do| look| seem| have (?:such|a|an|so)|['’]ve (?:got|been|come|worked|done|made)|['’]ll (?:do|be|find|get|make|rock|nail|love)|r| really| always)|your(?! best bet))(?![\p{L}'’])/iu
/** A clause of one's own after the remark: `I love that, I bought two`. */
const OWN_DEED =
  /(?:[,;–—-] ?|\b(?:and|but|so|because) )I(?:['’]\w+)? (?!(?:hope|know|think|feel|love|believe|agree)\b)/
