const OPENABLE = new Set(['http:', 'https:', 'mailto:'])

/** A URL from a source, if it is safe to open in a browser. */
export function openableAddress(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return OPENABLE.has(url.protocol) && url.username === '' && url.password === '' ? url.href : undefined
}

interface OutsideLink {
  readonly href: string
  readonly target: '_blank'
  readonly rel: string
  /** The host that a link leads to, for display. */
  readonly title: string
}

/** Attributes of a link to a source: in a new tab, without referrer or opener. @param address safe to open */
export function outsideLink(address: string): OutsideLink {
  const title = new URL(address).host || address
  return { href: address, target: '_blank', rel: 'noopener noreferrer nofollow', title }
}
