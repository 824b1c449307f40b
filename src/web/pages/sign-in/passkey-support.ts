/** Whether this page can use passkeys: browsers need a host name with TLS, or localhost. */
type PasskeySupport =
  | { readonly works: true }
  /** `url`: the same page at an address that supports passkeys, if any. */
  | { readonly works: false; readonly url: string | undefined }

export function passkeySupport({ hostname, port, pathname }: Location = window.location): PasskeySupport {
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  if (!isAddress) return window.PublicKeyCredential === undefined ? { works: false, url: undefined } : { works: true }
  const isThisMachine = hostname.startsWith('127.') || hostname === '[::1]'
  const url = isThisMachine ? `http://localhost${port === '' ? '' : `:${port}`}${pathname}` : undefined
  return { works: false, url }
}
