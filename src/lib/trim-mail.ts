import { forwardHeader, isAttribution, isReplyHeader, isReplySeparator, replyHeaderEnd } from './mail-quotes.ts'

/** Why lines are removed. */
type TrimReason = 'boilerplate' | 'signature'

/** A range of lines that is kept. */
export interface MailPart {
  readonly text: string
  /** The author, set for forwarded text. */
  readonly forwardedFrom?: string
}

/** Text of an earlier mail, one level of marks removed; it may quote further mails. */
export interface MailQuote {
  readonly text: string
  /** The lines above it: `On Monday, Anna wrote:`, or Outlook's block. Absent when there are none. */
  readonly introduction?: string
}

export interface TrimmedMail {
  readonly parts: readonly MailPart[]
  /** In order; what becomes of them is for the caller to decide and to count. */
  readonly quotes: readonly MailQuote[]
  readonly skips: readonly { readonly reason: TrimReason; readonly count: number; readonly noun: string }[]
}

/**
 * If less than this share of the text would remain, the quote is put back: the mail is a quote (measured: 1 mail of
 * 300). With this many letters above or below the quote it is a reply, however long the quote.
 */
const LEAST_KEPT = 0.05
const LETTERS_OF_ANSWER = 8

const FOOTER =
  /\b(?:confidential|privileged|intended (?:recipient|solely|only|for the)|if you (?:are not|have received)|received this (?:e-?mail|message) in error|vertraulich\w*|irrtümlich|nicht der (?:richtige|beabsichtigte) (?:adressat|empfänger)|confidentiel\w*|destinataire|confidencial\w*|destinatario|unsubscribe|abmelden|désabonner|désinscrire|darse de baja|view (?:this email )?in (?:your )?browser|privacy policy|all rights reserved|registergericht|amtsgericht)\b/gi
const MOBILE =
  /^(?:sent from (?:my )?(?:iphone|ipad|mobile|android|samsung|blackberry|outlook|mail|yahoo)|get outlook for|von meinem (?:iphone|ipad|handy|mobil\w*) gesendet|gesendet von|envoyé de(?:puis)? mon|enviado desde mi|inviato da)\b.{0,80}$/i
const QUOTED = /^ {0,2}>/
const LIST_FOOTER = /^_{20,}$/

/**
 * Removes what the sender did not write: quoted replies with their introduction, headers of forwarded mails, signatures
 * and legal footers. Works on lines, so its cost is linear.
 */
export function trimMail(text: string, subject: string): TrimmedMail {
  const lines = text.split('\n')
  const trimmer = new MailTrimmer(lines, /^(?:fwd?|wg|tr|rv|i|doorst)\s*:/i.test(subject.trim()))
  const trimmed = trimmer.run()
  const kept = trimmed.parts.map((part) => part.text.trim()).join('')
  const isAnswer = (kept.match(/\p{L}/gu)?.length ?? 0) >= LETTERS_OF_ANSWER
  return !isAnswer && kept.length < text.trim().length * LEAST_KEPT
    ? { parts: [{ text }], quotes: [], skips: [] }
    : trimmed
}

class MailTrimmer {
  readonly #lines: readonly string[]
  readonly #isForward: boolean
  readonly #parts: MailPart[] = []
  readonly #quotes: MailQuote[] = []
  /** Of the last quote; between its parts stand answers. */
  #introduction: string | undefined
  #open: string[] = []
  #from: string | undefined
  readonly #counts = new Map<string, { reason: TrimReason; count: number; noun: string }>()

  constructor(lines: readonly string[], isForward: boolean) {
    this.#lines = lines
    this.#isForward = isForward
  }

  run(): TrimmedMail {
    for (let i = 0; i < this.#lines.length; ) i = this.#step(i)
    this.#close()
    return { parts: this.#parts, quotes: this.#quotes, skips: [...this.#counts.values()] }
  }

  /** Keeps or removes what begins at a line; returns the next line. */
  #step(i: number): number {
    const line = this.#lines[i]!
    const forward = forwardHeader(this.#lines, i, this.#isForward)
    if (forward) {
      this.#close()
      this.#skip('boilerplate', 'forwarded header')
      this.#from = forward.from
      return forward.end
    }
    if (QUOTED.test(line)) return this.#skipQuote(i)
    if (isReplySeparator(line) || isReplyHeader(this.#lines, i)) return this.#skipReply(i)
    const attribution = isAttribution(this.#lines, i)
    if (attribution > 0) return this.#skipAfterAttribution(i, attribution)
    if (/^--[ \t]{0,3}$/.test(line)) return this.#skipSignature(i)
    if (MOBILE.test(line.trim())) {
      this.#skip('signature', 'signature')
      return i + 1
    }
    if (LIST_FOOTER.test(line.trim()) && this.#isNearEnd(i)) {
      this.#skip('boilerplate', 'footer')
      return this.#lines.length
    }
    return this.#takeParagraph(i)
  }

  /** A paragraph is a legal footer with two of the phrases, or with one at the end of the mail. */
  #takeParagraph(i: number): number {
    let end = i
    while (end < this.#lines.length && this.#lines[end]!.trim() !== '' && (end === i || !this.#startsSomething(end)))
      end++
    const paragraph = this.#lines.slice(i, end).join('\n')
    const phrases = paragraph.length > 4_000 ? 0 : new Set(paragraph.toLowerCase().match(FOOTER)).size
    if (
      i > 0 &&
      (phrases >= 2 || (phrases === 1 && this.#isNearEnd(end) && /unsubscribe|abmelden|browser/i.test(paragraph)))
    ) {
      this.#skip('boilerplate', 'footer')
      return end
    }
    this.#open.push(this.#lines.slice(i, Math.max(end, i + 1)).join('\n'))
    return Math.max(end, i + 1)
  }

  #startsSomething(i: number): boolean {
    const line = this.#lines[i]!
    if (QUOTED.test(line) || /^--[ \t]{0,3}$/.test(line) || isReplySeparator(line) || MOBILE.test(line.trim()))
      return true
    if (LIST_FOOTER.test(line.trim())) return true
    return (
      isAttribution(this.#lines, i) > 0 ||
      isReplyHeader(this.#lines, i) ||
      !!forwardHeader(this.#lines, i, this.#isForward)
    )
  }

  #skipQuote(i: number): number {
    let end = i
    while (end < this.#lines.length && /^ {0,2}>|^\s*$/.test(this.#lines[end]!)) end++
    this.#quote(this.#lines.slice(i, end).map((line) => line.replace(/^ {0,2}> ?/, '')))
    return end
  }

  /** Text below an Outlook header is the mail it answers, to the end unless its lines are marked. */
  #skipReply(i: number): number {
    let next = i + (isReplySeparator(this.#lines[i]!) ? 1 : 0)
    while (this.#lines[next]?.trim() === '') next++
    next = replyHeaderEnd(this.#lines, next)
    this.#introduction = this.#lines.slice(i, next).join('\n')
    while (this.#lines[next]?.trim() === '') next++
    if (QUOTED.test(this.#lines[next] ?? '')) return this.#skipQuote(next)
    this.#quote(this.#lines.slice(next))
    return this.#lines.length
  }

  /** `On ... wrote:` introduces lines with `>`, or, without marks, everything that follows. */
  #skipAfterAttribution(i: number, length: number): number {
    this.#introduction = this.#lines.slice(i, i + length).join(' ')
    let next = i + length
    while (next < this.#lines.length && this.#lines[next]!.trim() === '') next++
    if (QUOTED.test(this.#lines[next] ?? '')) return this.#skipQuote(next)
    const nested = next < this.#lines.length ? isAttribution(this.#lines, next) : 0
    if (nested > 0) return this.#skipAfterAttribution(next, nested)
    this.#quote(this.#lines.slice(next))
    return this.#lines.length
  }

  /** To the end, or to the quote below it. */
  #skipSignature(i: number): number {
    let end = i + 1
    while (end < this.#lines.length && !this.#startsSomething(end)) end++
    this.#skip('signature', 'signature')
    return end
  }

  #isNearEnd(i: number): boolean {
    return this.#lines.length - i < 12
  }

  #quote(lines: readonly string[]): void {
    const introduction = this.#introduction
    this.#quotes.push({ text: lines.join('\n').trim(), ...(introduction !== undefined && { introduction }) })
  }

  #skip(reason: TrimReason, noun: string): void {
    const entry = this.#counts.get(noun)
    if (entry) entry.count++
    else this.#counts.set(noun, { reason, count: 1, noun })
  }

  #close(): void {
    const text = this.#open.join('\n').trim()
    if (text !== '') this.#parts.push({ text, ...(this.#from !== undefined && { forwardedFrom: this.#from }) })
    this.#open = []
  }
}
