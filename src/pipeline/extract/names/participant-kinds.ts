import { asianNames } from './asian-names.ts'
import { isNamedLikeAnOrganization } from './organization-names.ts'
import { isGivenName, withoutTitle } from './person-names.ts'

const ASSISTANT =
  /^(?:(?:the |ai )?assistant|assistent|asistente|assistente|ai|bot|chatgpt|gpt-?[\d.o]*|claude(?: code)?|codex|cursor|aider|gemini|(?:github )?copilot|bard|le chat|meta ai|perplexity|grok|deepseek|chatbot|system|アシスタント|助手|ai助手)$/i
const ASKER =
  /^(?:user|human|benutzer(?:in)?|nutzer(?:in)?|utilisateur|utilisatrice|usuari[oa]|utente|you|me|ユーザー|用户)$/i
/** Local parts of shared mailboxes. */
const SHARED_MAILBOX =
  /^(?:info|no-?reply|do-?not-?reply|orders?|service|support|sales|billing|invoices?|accounts?|rechnung(?:en)?|news|newsletter|hello|hallo|hola|contact|contacto|kontakt|reservas?|reservations?|bookings?|shop|store|team|notifications?|notify|alerts?|mailer|office|buero|admin|help|helpdesk|customer-?(?:service|care)|kundenservice|marketing|press|jobs|careers|hr|pedidos|facturas?|ventas|commandes?|ticket(?:s|ing)?|delivery|tracking|updates?|post|mail|welcome|members?|events?|webmaster|auto(?:-?confirm|-?reply)?|service-?client)(?:[+._-].*)?$/i

/** A chatbot, which is not a person. */
export function isAssistant(name: string): boolean {
  return ASSISTANT.test(name)
}

/** A chatbot by what it is called in a sentence: `the assistant`. */
export function spokenName(name: string): string {
  return GENERIC.test(name) ? 'the assistant' : name
}
const GENERIC = /^(?:(?:the |ai )?assistant|ai|bot|chatbot|system)$/i

/** The person in a conversation with a chatbot: the account's owner. */
export function isAsker(name: string): boolean {
  return ASKER.test(name)
}

/**
 * Whether a writer or speaker is a company or an institution: by name, by a shared mailbox, or by a name equal to the
 * domain (`Fine Paper Co <anna@finepaper.example>`).
 */
export function isOrganizationName(name: string, email: string | undefined): boolean {
  const words = name.split(' ')
  if (isNamedLikeAnOrganization(words)) return true
  if (asianNames(name).some((found) => found.type === 'organization' && found.name === name)) return true
  if (email === undefined || name === '' || name.includes('@') || isGivenName(withoutTitle(name).split(' ')[0] ?? ''))
    return false
  const [local = '', domain = ''] = email.split('@')
  return SHARED_MAILBOX.test(local) || isNameOfDomain(words, domain)
}

function isNameOfDomain(words: readonly string[], domain: string): boolean {
  const label = domain.split('.').at(-2) ?? ''
  const bare = words.join('').toLowerCase()
  return label.length >= 4 && (bare === label || (words.length > 1 && bare.startsWith(label)))
}
