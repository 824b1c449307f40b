/** A message that only says that something is done, whatever that was: `it's booked`, `hab ich geschickt`, `c'est fait`, `lo mandé`. */
export function reportsDone(text: string): boolean {
  return text.length <= LONGEST && DONE.some((pattern) => pattern.test(text.trim()))
}
const LONGEST = 60
const BEFORE = '^(?:(?:ok(?:ay)?|so|ja|yes|yep|oui|sí|voilà|listo|ya está|done|erledigt|fertig)[,.!:]* +)?'
const BEHIND =
  "(?: (?:already|now|just now|today|schon|gerade|eben|jetzt|heute|maintenant|à l'instant|ya|ahora))?[.!]*$"
const DONE = [
  "(?:(?:all )?done|it['’]s (?:all )?(?:done|sent|paid|\\p{Ll}{3,}ed)|(?:I )?(?:just )?(?:sent|booked|paid|ordered|called|bought) (?:it|them|him|her)|I['’]ve (?:\\p{Ll}{3,}ed|sent|paid|bought|done) (?:it|them))",
  '(?:(?:ist |sind |alles |schon )*(?:erledigt|gemacht|fertig)|(?:ist|sind|hab(?:e)?)(?: ich| ihm| ihr| dir| es| sie| ihn| schon| alles){0,3} (?:\\p{Ll}*ge\\p{Ll}{3,}(?:t|en)|bezahlt|bestellt|reserviert|überwiesen|verschickt|besorgt))',
  "(?:c['’]est (?:fait|bon, c['’]est \\p{Ll}+|\\p{Ll}{3,}é)|je (?:l['’]|les |la |le |lui )?ai (?:déjà )?\\p{Ll}{3,}(?:é|i|u|is|it)e?s?)",
  '(?:ya está|hecho|(?:ya )?(?:(?:se |te )?(?:lo|la|los|las) \\p{Ll}{2,}[éí]|(?:lo |la )?(?:he|está|quedó) \\p{Ll}{2,}(?:ado|ido|cho|sto|ada)))',
].map((words) => new RegExp(`${BEFORE}${words}${BEHIND}`, 'iu'))
