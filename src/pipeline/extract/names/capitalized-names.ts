import { calendarWord } from '../../../lib/calendar-names.ts'
import { isListed } from './name-lists.ts'

const LINK = '(?:of the|of|the|de la|de los|del|della|de|di|da|dos|do|du|des|van der|van den|van|von der|von|der|la|&)'
const CAPITALIZED = new RegExp(
  `(?<![\\p{L}\\p{N}_@#/.'’-])\\p{Lu}[\\p{L}\\p{N}&'’-]{1,30}(?:(?: ${LINK} | )\\p{Lu}[\\p{L}\\p{N}&'’-]{1,30}){0,5}`,
  'gu',
)
const LINKING = /^(?:of|the|de|del|della|di|da|dos|do|du|des|los|van|von|der|den|la|&)$/
const SENTENCE_START = /(?:^|[.!?…:;"“(\n•–|*>#¿¡[\]]\s*|[-*]\s+)$/
/** "Ann Lee of Payline" are two names, "Bank of England" is one. */
const PERSON_OF =
  /^(?!(?:.* )?(?:University|Bank|Institute|Ministry|Department|Museum|School|Church|Republic|Council|Court|Board|Office|Society|Association|Wall|Lord|Head|Chief|Director|House|City|Duke) of )\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+ of \p{Lu}/u

/** A run of capitalized words that may be a name, without ordinary words at its ends. */
export interface NameCandidate {
  readonly words: readonly string[]
  /** Its position in the text, from its first to behind its last letter. */
  readonly at: number
  readonly end: number
  /** Whether it starts a sentence, where every word is capitalized. */
  readonly opens: boolean
}

/**
 * @param nameWords words of known people in lower case, which begin no other name
 * @param capitalsMean whether only names are capitalized; otherwise `Angebot von Netcup` is a noun and a name
 */
export function capitalizedNames(text: string, nameWords: ReadonlySet<string>, capitalsMean: boolean): NameCandidate[] {
  const found: NameCandidate[] = []
  for (const match of text.matchAll(CAPITALIZED)) {
    const opens = SENTENCE_START.test(text.slice(Math.max(0, match.index - 4), match.index))
    const link = linkBetweenNames(match[0], capitalsMean)
    const parts = link ? match[0].split(link) : [match[0]]
    let at = match.index
    parts.forEach((part, i) => {
      const candidate = trimmedName(part, at, opens && i === 0, nameWords)
      if (candidate) found.push(candidate)
      at += part.length + (link?.length ?? 0)
    })
  }
  return found
}

function linkBetweenNames(run: string, capitalsMean: boolean): string | undefined {
  if (PERSON_OF.test(run)) return ' of '
  if (GOODS_OF.test(run)) return / (?:von|de|von der) /.exec(run)?.[0]
  if (capitalsMean) return undefined
  const link = / von (?:der )?/.exec(run)
  // "Ursula von der Leyen" is one name, "Dirk Hanisch von der Musikschule" are two.
  if (!link || (isListed('given-names', run.split(' ')[0] ?? '') && !GERMAN_INSTITUTION.test(run))) return undefined
  return link[0]
}

/** "Paket von Thomann", "Facture de Voltex": goods and their sender, also in a line that is too short to be known as German. */
const GOODS_OF =
  /^(?:\p{Lu}\p{Ll}+ )?(?:Paket|Sendung|Lieferung|Rechnung|Angebot|Nachricht|Anruf|Mail|E-Mail|Abbuchung|Zahlung|Bestellung|Mahnung|Colis|Facture|Devis|Message|Appel|Paiement|Virement|Commande|Paquete|Factura|Pedido|Mensaje|Llamada|Pago|Cargo) (?:von|de|von der) \p{Lu}/u
const GERMAN_INSTITUTION =
  / von (?:der )?\p{L}*(?:[Ss]chule|[Kk]ita|[Ff]irma|[Bb]ank|[Ss]tadt|[Gg]emeinde|[Vv]erwaltung|[Vv]ersicherung|[Pp]olizei|[Ff]euerwehr|[Pp]ost|[Pp]raxis|[Kk]linik|[Zz]eitung|[Aa]gentur|[Uu]ni|[Kk]asse|[Bb]ehörde|[Ww]erkstatt)(?!\p{Ll})/u

/** Removes words at either end that are not part of a name. */
function trimmedName(
  run: string,
  start: number,
  opens: boolean,
  nameWords: ReadonlySet<string>,
): NameCandidate | undefined {
  const words = run.replace(/['’]s$/, '').split(' ')
  let at = start
  const drop = () => {
    at += (words.shift()?.length ?? 0) + 1
  }
  // "L'entreprise Corse Étanchéité"
  if (words.length > 1 && /^[LD]['’]\p{Ll}/u.test(words[0] ?? '')) drop()
  const isNoName = (word: string) => NO_NAME.has(word) || nameWords.has(word.toLowerCase()) || LINKING.test(word)
  if (opens && words.length > 1 && OPENING_WORDS.has(words[0] ?? '')) drop()
  // Colm Brady may be one of "Brady & Sons".
  while (words[0] !== undefined && isNoName(words[0]) && words[1] !== '&') drop()
  // In German, Mai is a month, but Chiang Mai is a city.
  while (words.length > 0 && endsNoName(words.at(-1) ?? '') && !isListed('cities', words.join(' '))) words.pop()
  if (words.length === 0) return undefined
  return { words, at, end: at + words.join(' ').length, opens }
}

function endsNoName(word: string): boolean {
  return /^I['’]/.test(word) || LINKING.test(word) || calendarWord(word) !== undefined
}

/** Whether a name of unknown type is kept as a term. */
export function isTerm({ words, opens }: NameCandidate, capitalsMean: boolean): boolean {
  const term = words.join(' ')
  if (term.length < 2 || /^I['’]/.test(term) || OPENING_WORDS.has(term)) return false
  if (words.length === 1 && /^[A-Z][A-Z0-9]+$/.test(term)) return true
  // A single capitalized word at the start of a sentence, or in German, is not evidence of a name.
  if (words.length === 1) return !opens && capitalsMean
  return capitalsMean || !words.some((word) => LINKING.test(word))
}

/** Whether a word begins a request, a list item or a line of news: `Got quotes from Aviva`. */
export function isOpeningWord(word: string): boolean {
  return OPENING_WORDS.has(word)
}

/** Removes "Dear" and similar words before a company's name; none if nothing is left. */
export function withoutOpeningWords(name: string): string | undefined {
  const words = name.split(' ')
  while (words.length > 2 && (NO_NAME.has(words[0] ?? '') || OPENING_WORDS.has(words[0] ?? ''))) words.shift()
  return NO_NAME.has(words[0] ?? '') ? undefined : words.join(' ')
}

/** Capitalized words that are not names or their beginnings. */
const NO_NAME: ReadonlySet<string> = new Set(
  (
    'The This That These Those There Then They Their We Our You Your He She His Her It Its And But Or If When While After ' +
    'Before Because Since Although Also Yes No Not Ok Okay Hey Hi Hello Thanks Thank Please Sorry Well So Just Maybe What ' +
    'Why How Where Who Which Can Could Would Should Will Let Do Does Did Is Are Was Were Has Have Had In On At To For From ' +
    'With By As An My Me Any All Some One Two Three First Next Last New Now Today Yesterday Tomorrow Monday Tuesday Wednesday ' +
    'Thursday Friday Saturday Sunday January February March April May June July August September October November December ' +
    "I'm I've I'll I'd It's That's There's What's Let's Don't Can't We're We've We'll You're You've They're " +
    'God Seems Looks Having Doing Sounds Agreed Great Good Nice Cool Awesome Wow Oh Ah Hm Right Done Going Dear ' +
    'Der Die Das Den Dem Ein Eine Einen Wir Ich Sie Er Es Und Im Am Le La Les Un Une El Los Las Il ' +
    'Mit Bei Von Für Nach Aus Auf Über Unter Vor Mein Meine Unser Unsere Kein Keine Wenn Weil Dass Dann Heute Gestern Bitte Danke Ja Nein Hat Ist War Wird Soll Kann Wer Wie Was Wo Warum Noch Nur Schon Auch Aber Oder Also Gut Gegen ' +
    'Avec Chez Pour Dans Sur Mon Ma Mes Ton Ta Tes Son Sa Ses Notre Nos Votre Vos Leur Leurs Ce Cette Ces Elle On Nous Vous Ils Elles Je Tu Et Mais Ou Donc Puis Alors Oui Non Bien Voilà Merci Avant Après Aussi Quand Si Qui Que Où ' +
    'Con Por Para Del Al Mi Mis Su Sus Nuestro Nuestra Una Se Te Nos Yo Pero Porque Cuando Sí Ya Hoy Ayer Muy También Quién Como Está Hay Fue Ella Ellos Desde Hasta Sin Según Entonces Pues ' +
    'Coucou Hallo Liebe Lieber Liebes Sehr Moin Guten Viele Beste Bonjour Salut Cher Chère Hola Estimado Estimada Caro Cara Both Each Every Another Many Most Such Even Still Once Only Otherwise Be Being Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays Morning Afternoon Evening Weekend Ende Anfang Mitte ' +
    'MUST NOT OK OR AND NO YES TODO NOTE ALL ANY NEVER ALWAYS ONLY WARNING IMPORTANT THE IS IF IN ON TO DO FYI BTW ASAP LOL OMG IMO AM PM KB MB GB TB KiB MiB GiB UTC GMT CET CEST EST EDT PST PDT CST MST BST IST JST Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mr Mrs Ms Dr Prof Herr Frau'
  ).split(' '),
)

/** Verbs that begin a request, a list item or a line of news; dropped before a name at the start of a sentence. */
const OPENING_WORDS: ReadonlySet<string> = new Set(
  (
    'Add Allow Announce Answer Apply Archive Arrives Ask Asked Assign Attend Avoid Book Bring Bump Bumps Buy Call Called Cancel Change ' +
    'Charge Check Choose Clean Click Close Closed Closes Comes Compare Confirm Contact Copy Costs Create Delete Deploy Discuss Download ' +
    'Draft Drive Drop Drops Edit Email Enable Ends Ensure Expect Export Extend Fetch File Find Finish Fix Fixed Follow Get Gets Give Go Got ' +
    'Handle Help Implement Import Improve Include Inform Install Introduce Invite Join Keep Key Leave Leaves Listen Log Look Made Mail ' +
    'Make Meet Meeting Merge Met Migrate Move Moved Needs Note Offer Open Order Ordered Pack Paid Pay Pick Ping Plan Post Print Publish Push Put Read ' +
    'Reads Rebuild Received Reload Remind Remove Rename Renew Replace Reply Report Request Reserve Restart Return Review Run Runs Saw Save ' +
    'Schedule See Sell Send Sent Set Share Ship Shipped Show Sign Skip Spoke Start Starts Stop Store Submit Support Supports Switch Take ' +
    'Talk Talked Tell Test Thank Told Track Try Turn Update Upgrade Upload Use Uses Using Verify Visit Wait Waiting Walk Want Watch ' +
    'Work Works Write Wrote'
  ).split(' '),
)
