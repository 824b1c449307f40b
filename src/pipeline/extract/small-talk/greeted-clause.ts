const GREETING =
  '(?:hi+|he+y+|hello|hiya|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin|servus|bonjour|bonsoir|salut|coucou|hola|buen[oa]s (?:días|tardes|noches))'
const GREETED = '(?: @?[\\p{L}.-]{1,20}){0,3}?'
/** `I got`, `we're moving`, `j'ai` */
const SUBJECT = "(?:(?:I|we|he|she|they|ich|wir|je|nous|yo|nosotr[oa]s)(?:['’](?:m|ve|re|ll|d|s))? |j['’])\\p{L}{2}"
/** Verbs whose subject is left out, and clitics: `Hola me despidieron`, `Moin bin krank`, `Hey got fired`. */
const VERB =
  '(?:am|got|just|had|lost|need|went|moved|bin|habe?|hatte|war|muss|suis|ai|on|estoy|tengo|soy|voy|me|nos) \\p{L}{2}'
/** A relative who did something: `Hey mum died`; `Hey mum` alone greets her. */
const RELATIVE =
  '(?:mum|mom|mam|mama|mummy|dad|papa|daddy|gran|granny|nan|grandma|grandpa|grandad|oma|opa|mutti|vati|maman|mamie|papy|mamá|papá|abuela|abuelo) (?:has|had|is|was|just|got|fell|broke|left|went|lost|hat|ist|war|wurde|liegt|kommt|a|est|était|ha|está|murió|(?!excited|relieved|tired|thrilled)\\p{L}{2,12}ed)(?!\\p{L})'
const CLAUSE = new RegExp(`^${GREETING}(?:${GREETED} (?=${SUBJECT})| (?=${VERB}|${RELATIVE}))`, 'iu')

/** What is told after a greeting without a comma: `I got fired` of `Hey I got fired`; `undefined` if only a name follows. */
export function clauseAfterGreeting(sentence: string): string | undefined {
  const [greeting] = CLAUSE.exec(sentence) ?? []
  return greeting === undefined ? undefined : sentence.slice(greeting.length)
}
