import type { ParsedDocument } from '../../domain/document.ts'
import { isGivenName } from './names/person-names.ts'
import { holdsNews } from './quotations.ts'

const LIST =
  /^\W*(?:(?:my|all|today['’]s|phone|app) )?(?:notifications?|benachrichtigungen|mitteilungen|notificaciones|avisos|notifiche|通知|お知らせ)(?![\p{L}])/iu
const LONGEST_TITLE = 80
/** Notifications by a program about something completed. */
const HAPPENED =
  /(?<!\p{L})(?:delivered|arriv(?:es|ed|ing)|shipped|received|declined|failed|expired?|expires|finished|completed|missed|detected|opened|closed|cancell?ed|delayed|signed|shared|invited|geliefert|zugestellt|abgelaufen|fehlgeschlagen|abgeschlossen|verspätet|livrée?|expédiée?|annulée?|reçue?|échou\p{L}+|retardée?|entregad[oa]|enviad[oa]|recibid[oa]|vencid[oa]|cancelad[oa]|retrasad[oa])(?!\p{L})|配達|到着|完了|失敗|送达|已签收|已发货|失败|到期|审批/iu

/** Whether a document lists notifications: `Notifications, 4 March 2026`, one per line. */
export function isNotificationList({ meta, text }: Pick<ParsedDocument, 'meta' | 'text'>): boolean {
  const [head = ''] = text.trimStart().slice(0, LONGEST_TITLE).split('\n')
  return LIST.test(meta.title ?? head)
}

/** "Your lives are full!", "See what your friends are up to": no number, name or day, and no event. */
export function isEmptyNotification(text: string): boolean {
  return !holdsNews(text) && !HAPPENED.test(text)
}

/** Whether a sender of notifications is a company or a program rather than a person: `Banorte`, not `Ann Lee`. */
export function isNotifier(name: string): boolean {
  return !isGivenName(name.split(' ')[0] ?? '')
}
