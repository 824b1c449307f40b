import type { ParsedDocument } from '../../../domain/document.ts'
import { isKnownOrganization } from '../names/organization-names.ts'
import { isGivenName } from '../names/person-names.ts'
import type { Passage } from '../passages.ts'
import { isChatter } from '../salience.ts'
import { holdsNews } from '../speech/quotations.ts'

const LIST =
  /^\W*(?:(?:my|all|today['’]s|phone|app) )?(?:notifications?|benachrichtigungen|mitteilungen|notificaciones|avisos|notifiche|通知|お知らせ)(?![\p{L}])/iu
const LONGEST_TITLE = 80
/** Notifications by a program about something completed. */
const HAPPENED =
  /(?<!\p{L})(?:delivered|out for delivery|on (?:its|the) way|arriv(?:es|ed|ing)|shipped|received|declined|failed|expired?|expires|finished|completed|missed|detected|opened|closed|cancell?ed|delayed|signed|shared|invited|geliefert|zugestellt|versandt|unterwegs|abgelaufen|fehlgeschlagen|abgeschlossen|verspätet|livrée?|expédiée?|annulée?|reçue?|échou\p{L}+|retardée?|entregad[oa]|enviad[oa]|recibid[oa]|vencid[oa]|cancelad[oa]|retrasad[oa])(?!\p{L})|配達|到着|完了|失敗|送达|派送|配送|取件|发货|已签收|已发货|失败|到期|审批/iu

/** Whether a document lists notifications: `Notifications, 4 March 2026`, one per line, or lines of several programs. */
export function isNotificationList(
  document: Pick<ParsedDocument, 'meta' | 'text' | 'kind' | 'blocks'>,
  fileName: string,
): boolean {
  const [head = ''] = document.text.trimStart().slice(0, LONGEST_TITLE).split('\n')
  if (LIST.test(document.meta.title ?? head)) return true
  return document.kind === 'chat' && (LIST.test(fileName) || isSentByPrograms(document))
}

/** Nobody answers in it: nearly every line is from another sender, few of them are persons, and two are known companies. */
function isSentByPrograms({ blocks }: Pick<ParsedDocument, 'blocks'>): boolean {
  const senders = blocks
    .slice(0, MOST_LINES)
    .flatMap(({ type, speaker }) => (type === 'turn' && speaker ? [speaker] : []))
  const distinct = [...new Set(senders)]
  if (distinct.length < 3 || distinct.length < senders.length * 0.6) return false
  return (
    distinct.filter(isNotifier).length >= distinct.length * 0.75 && distinct.filter(isKnownOrganization).length >= 2
  )
}
const MOST_LINES = 200

/** Whether something completed is reported: `Order 4471 shipped`. */
export function hasHappened(text: string): boolean {
  return HAPPENED.test(text)
}

/** "Your lives are full!", "See what your friends are up to": no number, name or day, and no event. */
export function isEmptyNotification(text: string): boolean {
  return isChatter(text) || (!holdsNews(text) && !HAPPENED.test(text))
}

/** `Slack: Bridget Nolan: can you look at the deck?`: Bridget's message, by way of Slack. */
export function withSender(passage: Passage): Passage {
  const [chunk, ...others] = passage.chunks
  if (chunk === undefined || others.length > 0 || !MESSENGER.test(chunk.speaker ?? '')) return passage
  const [, name, text] = MESSAGE.exec(chunk.text) ?? []
  return name === undefined || text === undefined || NO_SENDER.test(name)
    ? passage
    : { ...passage, via: chunk.speaker ?? '', chunks: [{ ...chunk, speaker: name, text }] }
}
const MESSENGER =
  /^(?:slack|whatsapp|(?:microsoft )?teams|messenger|telegram|signal|imessage|messages|sms|outlook|gmail|mail|e-?mail|instagram|discord|line|wechat|微信|threema|viber|skype|google chat)$/iu
const MESSAGE = /^(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}.'’-]*){0,2}|\p{Script=Han}{2,4}): (\S[\s\S]*)$/u
/** `Update: ...`, `Storage: ...`: what it is about. */
const NO_SENDER =
  /^(?:new|update|reminder|storage|alert|security|warning|today|tomorrow|missed|incoming|delivered|invitation|meeting|event|login|code|re|fwd|aw|wg|betreff|subject|neue?|rappel|aviso)(?: |$)/iu

/** Whether a sender of notifications is a company or a program rather than a person: `Banorte`, not `Ann Lee`. */
export function isNotifier(name: string): boolean {
  return !isGivenName(name.split(' ')[0] ?? '')
}
