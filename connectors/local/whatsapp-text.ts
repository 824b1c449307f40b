/** Marks of direction: iPhones put one before what the program writes, and phones put them around numbers and mentions. */
export const INVISIBLE = '[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]'
const INVISIBLES = new RegExp(INVISIBLE, 'gu')

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLES, '')
}

/** In place of a picture that was not exported, or a deleted message, as Android writes it. */
const PLACEHOLDER = /^<[^<>\n]{3,60}>$/
/** The same, with the words that belong to the picture on the next lines. */
const OMITTED =
  /^<[^<>\n]{0,40}(?:omitted|ausgeschlossen|weggelassen|weggelaten|omitido|omis|omess[oi]|multimedia|含まれていません|已忽略)[^<>\n]{0,20}>\n/iu
const DELETED =
  /^(?:this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|se eliminó este mensaje|eliminaste este mensaje|ce message a été supprimé|vous avez supprimé ce message|mensagem apagada|você apagou esta mensagem|questo messaggio è stato eliminato|hai eliminato questo messaggio|dit bericht is verwijderd|je hebt dit bericht verwijderd|このメッセージは削除されました|このメッセージを削除しました|此消息已删除|您已删除此消息|삭제된 메시지입니다|null)[.。]?$/iu
const CALL =
  /^(?:missed (?:group )?(?:voice|video) call|verpasster (?:sprach|video)anruf|(?:llamada|videollamada)(?: de voz| grupal)? perdida|appel (?:vocal|vidéo) manqué|chamada de (?:voz|vídeo) perdida|(?:chiamata|videochiamata)(?: vocale)? persa|gemiste (?:spraak|video)oproep|(?:音声|ビデオ)通話不在着信)[.。]?$/iu
const EDITED =
  /(?<!\s)\s*<[^<>\n]{0,40}(?:edited|bearbeitet|editó|editad[ao]|modifié|modificato|bewerkt|編集|编辑|수정)[^<>\n]{0,20}>$/iu
const ATTACHED = /^<[^:<>]{2,30}: ([^<>\n]{1,200}\.\w{2,5})>/u
const ANDROID_FILE = /^([^\n]{1,200}\.\w{2,5}) \([^()\n]{3,40}\)(?=\n|$)/u
/** A document of an iPhone: `plan.pdf • 3 pages <attached: 0012-plan.pdf>`, or `plan.pdf • 3 pages document omitted`. */
const IPHONE_FILE =
  /^\u200e?([^\n<>•\u200e]{1,200}\.\w{1,5})(?: • \u200e?[^\n<>\u200e]{1,30})? ?\u200e(?:<[^<>\n]{1,250}>|[^<>\n\u200e]{3,40})(?=\n|$)/u
const PLACE = /^\u200e[^\n]{2,200}: https:\/\/(?:maps\.google\.com|maps\.apple\.com|foursquare\.com)\/\S+$/u
const OPTION = /^[^\s:]{2,20}: (.+ \([^()]{1,30}\))$/u

/** What a person wrote, without what the program itself writes; empty if that is all. */
export function whatsappText(given: string): string {
  const poll = pollText(withoutInvisible(given).trim())
  if (poll !== undefined) return poll
  const document = IPHONE_FILE.exec(given)
  const shown = withoutInvisible(given).trim()
  const file = document ?? ATTACHED.exec(shown) ?? ANDROID_FILE.exec(shown)
  if (file !== null) {
    const caption = withoutInvisible((document === null ? shown : given).slice(file[0].length)).trim()
    return [`[file: ${file[1]?.trim()}]`, caption].filter(Boolean).join('\n')
  }
  if (/^[\u200e\u200f]/.test(given) && !PLACE.test(given.trim())) return ''
  const text = withoutInvisible(given.replace(/(?<!\s)\s*[\u200e\u200f]<[^<>\n]{5,60}>\s*$/u, ''))
    .trim()
    .replace(EDITED, '')
    .replace(OMITTED, '')
  return [PLACEHOLDER, DELETED, CALL].some((written) => written.test(text)) ? '' : text
}

/** `POLL:`, the question, and a line for each option with its votes, in the language of the phone. */
function pollText(text: string): string | undefined {
  const [head = '', ...lines] = text.split('\n').map((line) => line.trim())
  if (!/^\S{2,20}[:：]$/u.test(head)) return undefined
  const first = lines.findIndex((line) => OPTION.test(line))
  const options = lines
    .slice(first)
    .filter(Boolean)
    .map((line) => OPTION.exec(line)?.[1])
  if (first < 1 || options.includes(undefined)) return undefined
  return [`Poll: ${lines.slice(0, first).join(' ').trim()}`, ...options.map((option) => `- ${option}`)].join('\n')
}
