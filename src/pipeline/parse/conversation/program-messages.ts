/** What WhatsApp writes before its own words. */
export const PROGRAM_MARK = '\u200e'

/**
 * Whether WhatsApp wrote the words of a turn, which it begins with U+200E. The mark can also stand before a name or a
 * number that somebody mentions, so what people may have written stays.
 *
 * @param isMarkedLine whether the line begins with U+200E too, as it does only with a file or a message of WhatsApp
 */
export function isProgramMessage(said: string, isMarkedLine: boolean): boolean {
  const words = said.replaceAll(PROGRAM_MARK, '').trim()
  if (!said.startsWith(PROGRAM_MARK) || words.includes('\n') || words.includes('://')) return false
  // A document has its name, and a picture may have a caption behind it.
  if (words.startsWith('<')) return BRACKETED.test(words) && !DOCUMENT.test(words)
  if (PHONE_NUMBER.test(words) || DOCUMENT.test(words)) return false
  return isMarkedLine || LEFT_OUT.test(words) || isProgramNotice(words)
}
const BRACKETED = /^<[^<>]+>$/u
const DOCUMENT = /<[^:<>]{3,20}: (?!\d{6,10}-(?:PHOTO|VIDEO|AUDIO|STICKER|GIF)-)[^<>]+\.\p{L}{2,5}>/u
const PHONE_NUMBER = /(?:\d[ ().-]{0,2}){6}/u
/** `image omitted`, `Bild weggelassen` */
const LEFT_OUT =
  /^(?:\p{L}+ ){1,2}(?:omitted|weggelassen|ausgeschlossen|omise?|absente?|omitid[oa]|oculto|omess[oa]|weggelaten)$/iu

/** Whether it is a message of the chat program, such as who joined or left, in whole. */
export function isProgramNotice(words: string): boolean {
  return NOTICES.some((pattern) => pattern.test(words))
}
const NAME = '(?!(?:I|We|They|He|She|It|Ich|Wir|Je|On|Yo) )[\\p{Lu}\\p{Lo}~+@\u2068](?:\\S+ ){0,3}\\S+'
const WHOM = '(?:you|dich|vous|te|[\\p{Lu}\\p{Lo}~+@\u2068]\\S*)'
const NOTICES: readonly RegExp[] = [
  /end-to-end encrypted|Ende-zu-Ende-verschlüsselt|chiffrés de bout en bout|cifrad[oa]s de extremo a extremo|端到端加密|エンドツーエンド/iu,
  /^(?:Missed (?:group )?(?:voice|video) call|Verpasster (?:Sprach|Video)anruf|Appel (?:vocal|vidéo) manqué|(?:Llamada|Videollamada) perdida)/iu,
  /^(?:This message was deleted|You deleted this message|Waiting for this message|Diese Nachricht wurde gelöscht|Ce message a été supprimé|(?:Este mensaje fue eliminado|Se eliminó este mensaje))/iu,
  new RegExp(
    `^${NAME} (?:created (?:this )?group|changed (?:the|this) group|changed (?:the (?:subject|settings)|their phone number)|joined using|joined (?:from|via) )`,
    'u',
  ),
  new RegExp(
    `^${NAME} (?:left|joined|was (?:added|removed)|hat die Gruppe verlassen|a quitté(?: le groupe)?|salió(?: del grupo)?)\\.?$`,
    'u',
  ),
  new RegExp(`^${NAME} (?:added|removed|a ajouté|a retiré|añadió a|eliminó a) ${WHOM}`, 'u'),
  new RegExp(
    `^${NAME} hat (?:die Gruppe\\b.* erstellt|${WHOM}.* (?:hinzugefügt|entfernt)|(?:den Betreff|das Gruppenbild|die Gruppenbeschreibung)\\b.* geändert)`,
    'u',
  ),
  new RegExp(
    `^${NAME} (?:a (?:créé|changé|modifié) (?:le|ce|l['’]|la) ?(?:groupe|objet|sujet|icône|description)|(?:creó (?:el|este) grupo|cambió (?:el asunto|el ícono|la descripción)))`,
    'u',
  ),
  /^Your security code with |security code (?:with .+ )?changed/iu,
]
