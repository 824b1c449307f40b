import { type BlockList, isIP } from 'node:net'
import { matchesGlob } from 'node:path'
import { privateNetworks } from '../../src/connector/private-networks.ts'

/** Configured domain patterns; `example.com` includes its subdomains. */
export interface DomainChoice {
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

export interface KeptPage {
  /** Without `www.`. */
  readonly domain: string
  /** Without fragment, trackers and possible secrets. */
  readonly url: string
}

/** Private and sign-in sites, excluded unless the person includes them. */
const PRIVATE_DOMAINS = [
  // Banks and payments, besides those recognizable by name.
  'paypal.com',
  'wise.com',
  'revolut.com',
  'n26.com',
  'chase.com',
  'citi.com',
  'wellsfargo.com',
  'capitalone.com',
  'americanexpress.com',
  'discover.com',
  'fidelity.com',
  'schwab.com',
  'vanguard.com',
  'barclays.co.uk',
  'hsbc.*',
  'lloydsbank.*',
  'natwest.com',
  'monzo.com',
  'santander.*',
  'bbva.*',
  'ing.*',
  'ubs.com',
  'bnpparibas.*',
  'labanquepostale.fr',
  'credit-agricole.*',
  'intesasanpaolo.com',
  'unicredit.*',
  'klarna.com',
  'venmo.com',
  'coinbase.com',
  'binance.com',
  'kraken.com',
  // Health.
  'webmd.com',
  'mayoclinic.org',
  'healthline.com',
  'medlineplus.gov',
  'nhs.uk',
  'drugs.com',
  'goodrx.com',
  'zocdoc.com',
  'teladoc.com',
  'betterhelp.com',
  'talkspace.com',
  '23andme.com',
  'plannedparenthood.org',
  'netdoktor.*',
  'jameda.de',
  // Adult and dating.
  'xvideos.*',
  'xnxx.*',
  'xhamster.*',
  'redtube.*',
  'youporn.*',
  'onlyfans.com',
  'chaturbate.com',
  'stripchat.com',
  'tinder.com',
  'grindr.com',
  'okcupid.com',
  'bumble.com',
  'parship.*',
  '*.xxx',
  '*.porn',
  '*.adult',
  '*.sex',
  '*.onion',
  // Passwords and sign-in.
  '1password.*',
  'bitwarden.*',
  'lastpass.com',
  'dashlane.com',
  'keepersecurity.*',
  'login.microsoftonline.com',
  'appleid.apple.com',
  'okta.com',
  'auth0.com',
  'onelogin.com',
  'duosecurity.com',
  'pingidentity.com',
]
const PRIVATE_LABEL =
  /bank(?:ing)?(?:$|-)|^bank|sparkasse|raiffeisen|credit-?union|mychart|doctolib|patient|pharmacy|apotheke|pharmacie|farmacia|hospital(?!ity)|klinik|clinic|therap|porn|hentai|escort|(?:^|-)(?:sex|xxx)/
const SIGN_IN_LABEL = /^(?:login|logon|signin|sign-in|auth|oauth|sso|accounts?|idp|passport|secure|identity)$/
const SIGN_IN_PATH =
  /^\/auth\/|\/(?:log-?in|log-?on|sign-?in|sign-?up|log-?out|sign-?out|oauth2?|sso|saml2?|authorize|passwords?|(?:reset|forgot|change)[-_]?password|password[-_]?reset|2fa|mfa|otp|two-factor|verify(?:-email)?|magic-?link|checkout|wp-login\.php)(?:\/|$)/i

/** Redirect pages of search engines and link trackers. */
const REDIRECTS =
  /^(?:(?:www\.)?google\.[a-z.]+\/url|(?:www\.)?bing\.com\/ck\/|duckduckgo\.com\/l\/|r\.search\.yahoo\.com\/|l\.(?:facebook|instagram)\.com\/|lm\.facebook\.com\/|out\.reddit\.com\/|t\.co\/|lnkd\.in\/|www\.youtube\.com\/redirect|[\w.-]*safelinks\.protection\.outlook\.com\/|[\w.-]*doubleclick\.net\/|www\.googleadservices\.com\/|steamcommunity\.com\/linkfilter)/

/**
 * Names without a dot and these suffixes belong to private networks (RFC 6761, RFC 6762, RFC 8375, ICANN for
 * `internal`).
 */
const OWN_NETWORK = /^[^.]*$|\.(?:localhost|local|internal|intranet|lan|home|home\.arpa|corp|private|test)$/

const TRACKERS = /^(?:utm_\w+|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|igshid|mc_[ce]id|_hs\w+|ref_src|spm|si)$/i
const SECRET_NAME =
  /token|secret|passw|pwd|auth(?!or)|credential|session|signature|api_?key|access|ticket|invite|jwt|otp|nonce|verifier|^(?:key|sig|sid|code|state|hash|pin|email|e-?mail|user(?:name)?|phone)$/i
/** An email address, a JWT or a random-looking string. */
const SECRET_VALUE =
  /@|^eyJ|^[A-Za-z0-9_+/=-]{24,}$|^(?=[^\s]*\d)(?=[^\s]*[A-Za-z])[A-Za-z0-9_-]{16,}$|^[0-9a-f]{16,}$/i

/**
 * Decides which visits are synced: only public web pages, with addresses stripped of anything that could grant access.
 * @returns `undefined` for an excluded page
 */
export function pageFilter(choice: DomainChoice): (address: string) => KeptPage | undefined {
  const privateAddresses = privateNetworks()
  // A history has many pages of few domains, and patterns are slow.
  const decided = new Map<string, boolean>()
  const isTaken = (domain: string) => {
    const known = decided.get(domain)
    if (known !== undefined) return known
    const isChosen = choice.include === undefined ? !isPrivateDomain(domain) : isOneOf(domain, choice.include)
    const taken = isChosen && !isOneOf(domain, choice.exclude)
    decided.set(domain, taken)
    return taken
  }
  return (address) => {
    const url = URL.parse(address)
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
    const { pathname } = url
    const hostname = url.hostname.replace(/\.$/, '')
    if (hostname === '' || isOwnNetwork(hostname, privateAddresses) || REDIRECTS.test(`${hostname}${pathname}`))
      return undefined
    if (
      SIGN_IN_PATH.test(pathname) ||
      hostname
        .split('.')
        .slice(0, -2)
        .some((label) => SIGN_IN_LABEL.test(label))
    )
      return undefined
    const domain = hostname.replace(/^www\.(?=.*\.)/, '')
    return isTaken(domain) ? { domain, url: withoutSecrets(url) } : undefined
  }
}

function isPrivateDomain(domain: string): boolean {
  return isOneOf(domain, PRIVATE_DOMAINS) || domain.split('.').some((label) => PRIVATE_LABEL.test(label))
}

function isOneOf(domain: string, patterns: readonly string[] = []): boolean {
  return patterns.some((pattern) => matchesGlob(domain, pattern) || matchesGlob(domain, `*.${pattern}`))
}

function isOwnNetwork(hostname: string, privateAddresses: BlockList): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  if (version === 0) return OWN_NETWORK.test(hostname)
  return privateAddresses.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

function withoutSecrets(url: URL): string {
  const kept = [...url.searchParams].filter(
    ([name, value]) => !TRACKERS.test(name) && !SECRET_NAME.test(name) && !SECRET_VALUE.test(value),
  )
  const clean = new URL(url)
  clean.hash = ''
  if (kept.length < url.searchParams.size) clean.search = new URLSearchParams(kept).toString()
  return clean.href
}
