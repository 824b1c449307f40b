/** What people do with each other, up to the name of the other. */
const TOGETHER =
  /(?<!\p{L})(?:lunch|dinner|breakfast|brunch|coffee|drinks?|call|call(?:ed)? up|chat|chatted|meeting|met(?: up)?|spoke|talked|talk|walk|visit|interview|workshop|session|appointment|treffen|gespräch|telefonat|mittagessen|abendessen|besprechung|termin|telefoniert|réunion|déjeuner|dîner|rendez-vous|appel|reunión|comida|cena|llamada|reunião|almoço|jantar|riunione|pranzo|overleg|afspraak|встреча|обед|звонок)(?: (?:today|yesterday|again))? (?:with|mit|avec|con|com|met|со?) (?:(?:o|a|el|la|le|dem|der|den) )?|(?<!\p{L})met (?:up with )?/giu
const TITLE = '(?:(?:Mr|Mrs|Ms|Dr|Prof|Sra?|Mme|Mlle|M|Herrn?|Frau|Aunt|Uncle)\\.? )?'
const NAME = `${TITLE}\\p{Lu}[\\p{Ll}'’-]+(?: \\p{Lu}(?:\\.|[\\p{Ll}'’-]+)){0,2}(?![\\p{L}\\p{N}])`
const NAMES = new RegExp(`${NAME}(?:(?:, | and | und | et | y | e | и |, and )${NAME}){0,8}`, 'uy')
const SEPARATOR = /, and |, | and | und | et | y | e | и /u

/** Names behind "lunch with", "met" and the like: who took part in what a note tells, besides its writer. */
export function companionsIn(text: string): string[] {
  const names: string[] = []
  for (const match of text.matchAll(TOGETHER)) {
    NAMES.lastIndex = match.index + match[0].length
    const list = NAMES.exec(text)?.[0]
    if (list) names.push(...list.split(SEPARATOR))
  }
  return [...new Set(names)]
}
