/**
 * The names of the fields that programs print above a mail, in several languages: sources of patterns, by their name in the
 * message itself.
 */
export const MAIL_FIELDS = {
  From: 'from|von|de|da|van|fra|från',
  To: 'to|an|à|para|a|aan|till',
  Cc: 'cc|kopie|kopia',
  Date: 'sent|date|gesendet|datum|envoyé|enviado(?: el)?|fecha|inviato|data|verzonden|skickat',
  Subject: 'subject|betreff|objet|asunto|oggetto|onderwerp|ämne',
} as const
