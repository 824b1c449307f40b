/** Where browsers make and use passkeys: for names, over TLS or on this machine; never for plain addresses. */
type PasskeyPlace =
  | { readonly works: true }
  /** `url`: the same page where they would work, when there is one. */
  | { readonly works: false; readonly url: string | undefined }

export function passkeyPlace({ hostname, port, pathname }: Location = window.location): PasskeyPlace {
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  if (!isAddress) return window.PublicKeyCredential === undefined ? { works: false, url: undefined } : { works: true }
  const isThisMachine = hostname.startsWith('127.') || hostname === '[::1]'
  const url = isThisMachine ? `http://localhost${port === '' ? '' : `:${port}`}${pathname}` : undefined
  return { works: false, url }
}
