/**
 * English speech without its false starts: `which is, it's up` becomes `it's up`, and `made, what, like two grand` becomes
 * `made about two grand`. Only words are left out, except `like` before a number, which is `about`.
 */

const MAY_RESTART = /, |\blike\b| (?:is|was)\b|['’]s /i
/** Words said again after a comma: `we just, we just take it`. */
const AGAIN = /(?<![\p{L}\p{N}'’-])((?:[\p{L}'’]+)(?: [\p{L}'’]+){0,3})(?:, \1)+(?![\p{L}\p{N}'’-])/giu
/** Two or more words said again without a comma, once what stood between them is gone. */
const AT_ONCE = /(?<![\p{L}\p{N}'’-])([\p{L}'’]+(?: [\p{L}'’]+){1,3}) \1(?![\p{L}\p{N}'’-])/giu
/** What is said about the talking itself. */
const ASIDE =
  /, (?:what['’]s (?:that|it called|the word)|what is it|what was it|what do you call it|how do (?:you|I) (?:say|put) (?:it|this)|let me (?:see|think)|let['’]s say|just so (?:we['’]re all|we are all|everyone is|everybody['’]s) on the same page|if that makes sense|if you will|as it were|so to speak|you see|believe me|trust me|like I said|as I said|yeah|right|okay|ok|well|wow|anyway|basically|honestly|literally|obviously),\s+/giu
const NUMBER =
  '(?:\\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]\\p{L}+)? (?:hundred|thousand|million|grand|percent|dollars?|pounds?|euros?|bucks?|minutes?|hours?|days?|weeks?|months?|years?|people|times)(?!\\p{L}))'
const ABOUT = new RegExp(
  `(?:,? what,?)?(?<!(?:\\b(?:I|you|we|they|would|really|also|looks?|feels?|felt|sounds?|seems?|more|something|anything|nothing|things|just|stuff|that|this|it|do|did|don['’]t|didn['’]t|is|['’]d|['’]s)|^),?) like,? (?=${NUMBER})`,
  'giu',
)
/** A beginning that its speaker gave up: `which is it's up`. */
const GIVEN_UP =
  /(?<![\p{L}'’])(?:which|it|that|this|there|he|she)(?: is| was|['’]s),? (?=(?:it|this|there|he|she|they|we|you|I)(?:['’](?:s|re|m|ve)| is| are| was| were| am| have) )/giu
const ENDING =
  /,? (?:(?:which,? )?(?:wow|ugh|phew|yikes|geez)|and stuff|or something|or whatever|and everything|and all that|(?<!or )so|yeah|okay|right|you know|I mean|I guess)(?=[.]?$)/i

/** `So Castellan, they raised prices`: who does it, said twice. `The next day, he was ill` has no second subject. */
const DISLOCATED =
  /^((?:(?:[Ss]o|[Aa]nd|[Ww]ell,?) )?(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) (?:\p{L}[\p{L}'’-]* )?(?!(?:minute|hour|day|week|month|year|morning|afternoon|evening|night|weekend|time|moment|spring|summer|autumn|fall|winter|season|way|rest)s?,)\p{L}[\p{L}'’-]*|(?:[Ss]o|[Aa]nd|[Ww]ell,?) (?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Janu|Febru)ary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber)\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?), (?:they|he|she|it)(?= (?:(?:basically|just|actually|really|also|already) )?(?:have|has|had|was|were|is|are|will|can|said|went|came|got|made|took|want|wants|need|needs|[a-z]{3,}ed)\b)/u

/** A sentence that was spoken, without what its speaker took back or said about the speaking. */
export function withoutRestarts(sentence: string): string {
  if (!MAY_RESTART.test(sentence)) return sentence.replace(ENDING, '')
  const plain = sentence
    .replace(ENDING, '')
    .replace(ASIDE, ' ')
    .replace(ABOUT, ' about ')
    .replace(GIVEN_UP, '')
    .replace(AGAIN, '$1')
    .replace(DISLOCATED, '$1')
  return plain === sentence ? sentence : plain.replace(AT_ONCE, '$1').replace(/ {2,}/g, ' ')
}
