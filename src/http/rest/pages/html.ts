/** Markup that needs no escaping any more. */
export interface Html {
  readonly markup: string
}

/** Template tag: what is put in is escaped, but for markup made by this tag; lists are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = parts.map((part, index) => part + (index < values.length ? inserted(values[index]) : ''))
  return { markup: markup.join('') }
}

type HtmlValue = string | number | undefined | Html | readonly Html[]

function inserted(value: HtmlValue): string {
  if (value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map((item) => item.markup).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** A sentence with `code` in backticks. */
export function prose(text: string): Html[] {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`))
}
