import { posix } from 'node:path'
import { syntaxTree } from './syntax-tree.ts'

/** A part of src/ and the parts it may import, besides itself and `node:`. The first that matches a path is its part. */
interface Part {
  readonly name: string
  readonly files: RegExp
  readonly mayImport: readonly string[]
}

const FOUNDATION = ['domain', 'moments', 'problem sentences', 'lib']
/** A question is understood without a search, found without an answer, and answered from what was found. */
const RETRIEVAL = ['questions', 'recall', 'profiles', 'retrieval']

const PARTS: readonly Part[] = [
  { name: 'main', files: /^main\.ts$/, mayImport: ['boot', 'cli', 'config', 'hooks', 'lib'] },
  { name: 'boot', files: /^boot\//, mayImport: ['*'] },
  { name: 'config', files: /^config(\.ts$|\/)/, mayImport: FOUNDATION },
  { name: 'errors', files: /^domain\/errors\.ts$/, mayImport: [] },
  { name: 'problem sentences', files: /^domain\/(?:source|service)-problems\.ts$/, mayImport: [] },
  { name: 'moments', files: /^domain\/moment-range\.ts$/, mayImport: [] },
  { name: 'domain', files: /^domain\//, mayImport: ['errors', 'moments'] },
  { name: 'visible text', files: /^lib\/without-invisible\.ts$/, mayImport: [] },
  { name: 'markup', files: /^lib\/markup\//, mayImport: [] },
  { name: 'lib', files: /^lib\//, mayImport: ['errors', 'moments', 'visible text'] },
  // The store and its aggregates: a contract is named as its folder.
  { name: 'store contract', files: /^store\/(store|([a-z]+)\/\2)\.ts$/, mayImport: FOUNDATION },
  { name: 'model contract', files: /^models\/(model|ask-for-object)\.ts$/, mayImport: FOUNDATION },
  { name: 'connector', files: /^connector\//, mayImport: FOUNDATION },
  {
    name: 'connections',
    files: /^connections\//,
    mayImport: [
      ...FOUNDATION,
      'config',
      'connector',
      'store contract',
      'sync',
      'sync reports',
      'service',
      'pipeline',
      'client',
      'http/app/schemas',
    ],
  },
  {
    name: 'administration',
    files: /^administration\//,
    mayImport: [
      ...FOUNDATION,
      'config',
      'store contract',
      'store',
      'model contract',
      'models',
      'configured models',
      'pipeline',
      'worker',
      'sync',
      ...RETRIEVAL,
      'service',
      'connections',
      'http/app/schemas',
    ],
  },
  { name: 'store', files: /^store\//, mayImport: [...FOUNDATION, 'store contract'] },
  {
    name: 'configured models',
    files: /^models\/configured\//,
    mayImport: [...FOUNDATION, 'config', 'model contract', 'models', 'pipeline', 'worker'],
  },
  { name: 'models', files: /^models\//, mayImport: [...FOUNDATION, 'model contract'] },
  { name: 'pipeline', files: /^pipeline\//, mayImport: [...FOUNDATION, 'model contract'] },
  {
    name: 'questions',
    files: /^retrieval\/question\//,
    mayImport: [...FOUNDATION, 'store contract', 'model contract'],
  },
  {
    name: 'recall',
    files: /^retrieval\/recall\//,
    mayImport: [...FOUNDATION, 'store contract', 'model contract', 'questions'],
  },
  { name: 'profiles', files: /^retrieval\/profile\//, mayImport: [...FOUNDATION, 'store contract', 'recall'] },
  {
    name: 'retrieval',
    files: /^retrieval\//,
    mayImport: [...FOUNDATION, 'store contract', 'model contract', ...RETRIEVAL],
  },
  { name: 'sync reports', files: /^sync\/run-report\.ts$/, mayImport: [...FOUNDATION, 'store contract'] },
  { name: 'sync', files: /^sync\//, mayImport: [...FOUNDATION, 'connector', 'store contract', 'sync reports'] },
  {
    name: 'worker',
    files: /^worker\//,
    mayImport: [...FOUNDATION, 'pipeline', 'store contract', 'model contract', 'models'],
  },
  {
    name: 'service',
    files: /^service\//,
    mayImport: [...FOUNDATION, 'visible text', 'store contract', 'model contract', ...RETRIEVAL, 'http/app/schemas'],
  },
  { name: 'http/rest', files: /^http\/rest\//, mayImport: [...FOUNDATION, 'service'] },
  { name: 'http/app/schemas', files: /^http\/app\/schemas\//, mayImport: ['domain'] },
  {
    name: 'http/app',
    files: /^http\/app\//,
    mayImport: [
      ...FOUNDATION,
      'service',
      'connections',
      'administration',
      'http/oauth',
      'http/rest',
      'http/app/schemas',
    ],
  },
  { name: 'web', files: /^web\//, mayImport: ['http/app/schemas', 'problem sentences', 'visible text', 'markup'] },
  { name: 'http/mcp', files: /^http\/mcp\//, mayImport: [...FOUNDATION, 'service', 'http/oauth', 'http/rest', 'mcp'] },
  { name: 'http/oauth', files: /^http\/oauth\//, mayImport: [...FOUNDATION, 'connector', 'service', 'http/rest'] },
  { name: 'client', files: /^client\//, mayImport: FOUNDATION },
  { name: 'mcp', files: /^mcp\//, mayImport: [...FOUNDATION, 'visible text'] },
  {
    name: 'cli',
    files: /^cli\//,
    mayImport: [
      ...FOUNDATION,
      'markup',
      'client',
      'service',
      'config',
      'sync reports',
      'connections',
      'administration',
      'configured models',
      'hooks',
      'hosts',
    ],
  },
  { name: 'hosts', files: /^hosts\//, mayImport: FOUNDATION },
  { name: 'hooks', files: /^hooks\//, mayImport: [...FOUNDATION, 'mcp', 'hosts'] },
]

/** Packages that only one part may know, so that they can be replaced there. */
const PACKAGE_OWNERS: readonly { packages: RegExp; parts: readonly string[] }[] = [
  { packages: /^(kysely|pg)(\/|$)/, parts: ['store'] },
  { packages: /^(fastify|@fastify)(\/|-|$)/, parts: ['http/rest', 'http/app', 'http/mcp', 'http/oauth'] },
  { packages: /^oidc-provider$/, parts: ['http/oauth'] },
  { packages: /^prom-client$/, parts: ['http/rest'] },
  { packages: /^@aws-sdk\//, parts: ['store'] },
  { packages: /^@opentelemetry\//, parts: ['boot'] },
  { packages: /^(commander|cli-progress|jsonc-parser|@decimalturn\/toml-patch)$/, parts: ['cli'] },
  { packages: /^@modelcontextprotocol\//, parts: ['mcp'] },
  { packages: /^undici$/, parts: ['client', 'connector'] },
  { packages: /^(ai|@ai-sdk\/.*|@huggingface\/transformers)$/, parts: ['models'] },
  { packages: /^node-cron$/, parts: ['sync'] },
  { packages: /^@slack\//, parts: ['connectors/slack'] },
  { packages: /^googleapis(\/|$)/, parts: ['connectors/google'] },
  { packages: /^@microsoft\//, parts: ['connectors/microsoft'] },
  { packages: /^(feedsmith|tsdav)(\/|$)/, parts: ['connectors/feeds'] },
  { packages: /^imapflow$/, parts: ['connectors/imap'] },
  { packages: /^openid-client(\/|$)/, parts: ['connections', 'http/app'] },
  { packages: /^@octokit\//, parts: ['connectors/github'] },
  { packages: /^(react|react-dom|@tanstack|@base-ui|wouter|lucide-react)(\/|$)/, parts: ['web'] },
  { packages: /^(@node-rs\/argon2|@simplewebauthn\/server)$/, parts: ['http/app'] },
]

/** The registries of connectors and of providers of OAuth, which only the composition root reads. */
const REGISTRIES = ['index.ts', 'providers.ts']
const CONNECTORS = '../connectors/'

/** The part a path below src/ belongs to; `undefined` when the table does not know it. */
function partOf(path: string): Part | undefined {
  return PARTS.find((part) => part.files.test(path))
}

/** What a module below src/ imports against the table. @param path relative to src/ */
export function importFindings(path: string, source: string): string[] {
  const part = partOf(path)
  if (part === undefined) return [`src/${path}: no part of the import table (test/lib/import-table.ts) holds it`]
  return importsOf(path, source).flatMap((specifier) => {
    const problem = specifier.startsWith('.') ? relativeProblem(path, specifier, part) : packageProblem(specifier, part)
    return problem === undefined ? [] : [`src/${path}: ${problem}`]
  })
}

/**
 * What a module below connectors/ imports against the table: besides its own folder, src/connector only, never another
 * vendor. @param path relative to connectors/
 */
export function connectorImportFindings(path: string, source: string): string[] {
  const vendor = path.split('/')[0] ?? ''
  const allowed = REGISTRIES.includes(path) ? [''] : [`${vendor}/`]
  return importsOf(path, source).flatMap((specifier) => {
    if (!specifier.startsWith('.')) {
      const problem = packageProblem(specifier, { name: `connectors/${vendor}`, files: /^/, mayImport: [] })
      return problem === undefined ? [] : [`connectors/${path}: ${problem}`]
    }
    const target = posix.join(posix.dirname(path), specifier)
    const fits = allowed.some((prefix) => target.startsWith(prefix) && !target.startsWith('..'))
    if (specifier.endsWith('.ts') && (fits || target.startsWith('../src/connector/'))) return []
    return [`connectors/${path}: may import its own folder and src/connector, not ${specifier}`]
  })
}

/** By their text: two rules ask for those of each module. */
const importsOfModules = new Map<string, readonly string[]>()

/** Everything a module names in an import or an export ... from, and in import() of a literal; types too. */
export function importsOf(path: string, source: string): readonly string[] {
  const known = importsOfModules.get(source)
  if (known !== undefined) return known
  const specifiers: string[] = []
  syntaxTree(path, source).walk((node) => {
    const named =
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportNamedDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      node.type === 'ImportExpression' ||
      node.type === 'TSImportType'
    if (named && node.source?.type === 'Literal') specifiers.push(String(node.source.value))
  })
  importsOfModules.set(source, specifiers)
  return specifiers
}

function relativeProblem(path: string, specifier: string, part: Part): string | undefined {
  const endings = part.name === 'web' ? /\.(tsx?|css)$/ : /\.ts$/
  if (!endings.test(specifier)) return `the import of ${specifier} must end in .ts`
  const target = posix.join(posix.dirname(path), specifier)
  if (
    target.startsWith(CONNECTORS) &&
    REGISTRIES.includes(target.slice(CONNECTORS.length)) &&
    (part.mayImport.includes('*') || part.name === 'connections')
  )
    return undefined
  if (target.startsWith('..')) return `may not import ${specifier}, which is outside src/`
  const other = partOf(target)
  if (other === undefined) return `imports ${target}, which no part of the import table holds`
  if (other.name === part.name || part.mayImport.includes('*') || part.mayImport.includes(other.name)) return undefined
  // Whoever may use the domain may use its errors.
  if (other.name === 'errors' && part.mayImport.includes('domain')) return undefined
  return `${part.name} may not import ${other.name} (${target})`
}

function packageProblem(specifier: string, part: Part): string | undefined {
  const owner = PACKAGE_OWNERS.find(({ packages }) => packages.test(specifier))
  if (owner === undefined || part.mayImport.includes('*') || owner.parts.includes(part.name)) return undefined
  return `${part.name} may not import ${specifier}; ${owner.parts.join(' and ')} may`
}
