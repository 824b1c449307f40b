import { counted } from '../terminal/layout.ts'

/** Messages of `status` and `doctor`. */
export const messages = {
  // Status
  status: 'show connections and problems, and what the service is processing',
  connectionsHidden: (problem: string) => `Connections can't be shown: ${problem}`,
  healthy: (address: string) => `The service is healthy at ${address}.`,
  unhealthy: (address: string, status: number) => `${address} responds, but not as a healthy recalld (${status}).`,
  noResponse: (address: string, reason: string) => `${address} doesn't respond (${reason}).`,
  queueEmpty: 'No items are waiting to be processed.',
  queue: (items: number) => `${counted(items, 'item is', 'items are')} waiting to be processed.`,
  queueSince: (items: number, since: string) =>
    `${counted(items, 'item is', 'items are')} waiting to be processed, the oldest since ${since}.`,
  failedItems: 'Failed (run "recalld retry" to process them again):',
  leftOut: 'Left out of items (kept in the originals):',
  leftOutParts: {
    secret_redacted: (count: number) => counted(count, 'secret', 'secrets'),
    quoted_reply: (count: number) => counted(count, 'quoted reply', 'quoted replies'),
    signature: (count: number) => counted(count, 'signature', 'signatures'),
    boilerplate: (count: number) => counted(count, 'piece of boilerplate', 'pieces of boilerplate'),
    tool_output: (count: number) => counted(count, 'tool output', 'tool outputs'),
    too_short: (count: number) => counted(count, 'short remark', 'short remarks'),
    chatter: (count: number) => counted(count, 'piece of small talk', 'pieces of small talk'),
    duplicate: (count: number) => counted(count, 'repetition', 'repetitions'),
    binary_part: (count: number) => counted(count, 'part without text', 'parts without text'),
    unreadable: (count: number) => counted(count, 'unreadable line', 'unreadable lines'),
    limit: (count: number) => counted(count, 'part over the limit', 'parts over the limit'),
    low_confidence: (count: number) => counted(count, 'uncertain page of a scan', 'uncertain pages of scans'),
    recalled: (count: number) => counted(count, 'quoted memory', 'quoted memories'),
    evidence_missing: (count: number) => counted(count, 'unsupported memory', 'unsupported memories'),
  },
  retentionPeriod: (source: string, days: number) => `${source} ${counted(days, 'day', 'days')}`,
  retention: (periods: readonly string[], done: string) => `Retention: ${periods.join(', ')}; ${done}.`,
  nothingExpired: 'nothing was deleted yet',
  lastExpired: (at: string) => `older items were last deleted ${at}`,

  // Alerts
  alerts: 'show where alerts about sources go, and whether they are delivered',
  alertsTest: 'send a test',
  alertsExample: 'recalld alerts --test',
  noAlerts: 'No alerts are sent. Set alert_webhook_url, or alert_mail_to and smtp_url, in config.yaml.',
  alertsGo: (channel: string, target: string, lastAt: string | undefined) =>
    `Alerts by ${channel} go to ${target}; ${lastAt === undefined ? 'none sent yet' : `the last was sent ${lastAt}`}.`,
  alertsFail: (channel: string, since: string, problem: string, nextAt: string) =>
    `Alerts by ${channel} have failed since ${since}: ${problem} Retrying at ${nextAt}.`,
  alertTested: (channel: string, target: string) => `Sent a test by ${channel} to ${target}.`,
  alertTestFailed: (channel: string, problem: string) => `The test by ${channel} failed: ${problem}`,
  alertTestsFailed: (count: number) => `${counted(count, 'test', 'tests')} couldn't be sent.`,

  // Connections
  noConnections: 'No sources connected yet. Run "recalld connect" to see all sources.',
  notScheduled: (connection: string, connector: string) =>
    `${connection} isn't scheduled. Run "recalld connect ${connector}" to sync it automatically.`,
  someNotScheduled: (connector: string) =>
    `Connections that are not configured aren't scheduled. Run "recalld connect ${connector}" to sync one automatically.`,
  lastSuccess: (time: string) => `last success ${time}`,
  nextRun: (time: string) => `next sync ${time}`,
  items: (items: number) => counted(items, 'item', 'items'),
  failed: (items: string) => `${items} failed`,
  partsRead: (parts: string) => `${parts} parts read`,
  cursor: (age: string) => `cursor ${age}`,
  cursorAge: (age: string, limit: string) => `${age} of ${limit}`,
  recentReady: (days: number) => `First sync: the last ${days} days are ready.`,
  perMinute: (items: number) => `${counted(items, 'item', 'items')} a minute`,
  left: (span: string) => `about ${span} left`,
  skipped: (items: number, reason: string) => `${counted(items, 'item', 'items')} skipped: ${reason}.`,
  tooLarge: 'too large',
  unreadable: 'no readable text',
  retriedItem: (item: string, error: string, time: string) => `${item}: ${error} (next attempt ${time})`,
  moreItems: (items: number) =>
    `... and ${counted(items, 'more item', 'more items')} (run "recalld status --json" to see all).`,
  retryFailed: (connection: string) => `Run "recalld retry ${connection}" to try failed and skipped items again.`,

  // Models
  extracted: (items: number) => `The language model extracted memories from ${counted(items, 'item', 'items')}.`,
  extractedWithout: (items: number, statements: number) =>
    `The language model extracted memories from ${counted(items, 'item', 'items')}; ${counted(statements, 'statement', 'statements')} not found in the source left out.`,
  spentToday: (tokens: string, dollars: string) => `Spent on it today: ${tokens} tokens${dollars}.`,
  givenUp: (items: number) =>
    `The language model gave up on ${counted(items, 'item', 'items')}, which keep their current memories. Run "recalld retry" to try them again:`,
  modelQueue: (items: number) => `${counted(items, 'item is', 'items are')} waiting for the language model`,
  noModel: (queue: string) => `${queue}, but none is configured.`,
  budgetReached: (queue: string, reason: string, time: string) => `${queue}: ${reason}, continues at ${time}.`,
  retryAt: (problem: string, time: string) => `${problem} Next attempt at ${time}.`,
  retryAfterRestart: (problem: string) => `${problem} Restart recalld to try again.`,
  recallUses: (model: string) => `Recall uses ${model}.`,
  recallUsesWithout: (model: string, texts: number) =>
    `Recall uses ${model}; ${counted(texts, 'text is', 'texts are')} waiting for a vector.`,
  built: (model: string) => `The vectors of ${model} are ready. Run "recalld reindex --switch" to switch to them.`,
  building: (model: string, embedded: number, all: number) =>
    `Building the vectors of ${model}: ${embedded} of ${all} texts.`,
  golden: (found: number, asked: number) => `Golden questions: ${found} of ${asked} found in the top 10`,
  goldenWithoutItem: (questions: number) => `; ${questions} without an item because it was deleted`,
  goldenWorse: (questions: number) => `; ${questions} got worse (run "recalld golden list" to see them)`,

  // Doctor
  doctor: 'check for problems and show how to fix them; changes nothing',
  problemsFound: (problems: number) => `${counted(problems, 'problem', 'problems')} found.`,
  notChecked: (reason: string) => `not checked: ${reason}`,
  nodeVersion: (version: string) => `Node.js ${version}`,
  nodeTooOld: (version: string) =>
    `Node.js ${version} is too old. Install Node.js 24 or newer from https://nodejs.org.`,
  noHome: (folder: string) => `${folder} doesn't exist yet. "recalld up" creates it.`,
  homeReadOnly: (folder: string) =>
    `${folder} isn't writable. Change its owner, or set RECALLD_HOME to another folder.`,
  openToOthers: (paths: readonly string[]) =>
    `Other users can read ${paths.join(', ')}. Run "chmod go-rwx ${paths.join(' ')}".`,
  connectorPackage: (name: string, connectors: readonly string[]) =>
    `${name} (${connectors.join(', ')}) runs with your rights: it can read your files, your memories and your tokens`,
  defaults: 'defaults',
  noCredentials: (file: string) => `${file} is missing. Run "recalld keys regenerate default" to create it again.`,
  keyOfEnvironment: 'RECALLD_API_KEY is used instead.',
  createdAtStart: 'created by the first start.',
  databaseSound: (file: string) => `${file} is intact.`,
  databaseDamaged: (file: string, problem: string) =>
    `${file} is damaged (${problem}). Restore a backup with "recalld restore FILE".`,
  serviceHealthy: (address: string) => `healthy at ${address}`,
  keyAccepted: 'the service accepts your API key.',
  urlWrong: (problem: string) => `${problem} Start the service there, or correct RECALLD_URL.`,
  notRunning: (port: number) => `not running. Run "recalld up" to start it. Port ${port} is free.`,
  portTaken: (port: number, host: string, code: string) =>
    `Port ${port} on ${host} is in use (${code}). Stop the program that uses it, or set RECALLD_PORT to another port.`,

  // Stored data
  bucketWorks: (bucket: string, uploads: number, inDatabase: number) =>
    `${bucket} can be read and written: ${counted(uploads, 'upload', 'uploads')} there, ${inDatabase} in the database.`,
  garbage: (objects: number) => `${counted(objects, 'object', 'objects')} of deleted uploads will be removed.`,
  bucketMissing: (uploads: number) =>
    `${counted(uploads, 'upload is', 'uploads are')} stored in a bucket, but RECALLD_BLOB_URL isn't set. Set it again.`,
  garbageMissing: (objects: number) =>
    `A bucket still has ${counted(objects, 'object', 'objects')} of deleted uploads, but RECALLD_BLOB_URL isn't set. Set it again, then run "recalld blobs move --to database" to remove them.`,
  neverVerified: 'not checked yet. The service checks it every week while idle.',
  verified: (files: number, day: string) =>
    `${counted(files, 'stored file', 'stored files')} and all database pages were intact on ${day}.`,
  filesDamaged: (damaged: number, files: number, day: string, names: string) =>
    `${damaged} of ${counted(files, 'stored file', 'stored files')} were damaged on ${day} (${names}). Upload them again with "recalld memorize --replace".`,
  pagesDamaged: (day: string, problem: string) =>
    `The database was damaged on ${day} (${problem}). Restore a backup with "recalld restore FILE".`,

  // Text in images
  ocrOff: 'Text in images and scanned PDFs isn\'t read: "ocr" is off.',
  noTesseract: (packages: string) =>
    `Text in images and scanned PDFs isn't read: tesseract isn't installed. Debian: "apt install tesseract-ocr ${packages} poppler-utils", macOS: "brew install tesseract tesseract-lang poppler".`,
  noLanguageData: (missing: readonly string[], installed: readonly string[], packages: string) =>
    `tesseract has no data for ${missing.join(', ')} (it has ${installed.join(', ') || 'none'}). Install it (Debian: "apt install ${packages}", macOS: "brew install tesseract-lang"), or change ocr_languages.`,
  readsImages: (version: string, languages: readonly string[]) =>
    `tesseract ${version} reads text in images (${languages.join(', ')}).`,
  noPoppler:
    'poppler isn\'t installed, so some scanned PDFs stay unread. Debian: "apt install poppler-utils", macOS: "brew install poppler".',

  // Models and limits
  builtInModel: 'the built-in embedding model responds.',
  notTested: (reason: string) => `not tested: ${reason}`,
  modelProblem: (model: string, problem: string) => `${model}: ${problem}`,
  modelResponds: (model: string, seconds: string) => `${model} responds in ${seconds} s`,
  rate: (rate: string, unit: string) => `${rate} ${unit}/s`,
  keepsToSchema: 'follows the schema',
  needsTwoTries: 'needs two attempts to follow the schema',
  priceUnknown: 'cost unknown: config.yaml has no price',
  price: (dollars: number) => `${dollars} USD per million tokens`,
  prices: (input: number, output: number | undefined) => `${input}/${output} USD per million tokens in/out`,
  noFileLimit: "the system doesn't limit open files, or doesn't report the limit.",
  serviceLimits: (files: number, connections: number, perAddress: number) =>
    `The service can open ${files} files: up to ${connections} connections, ${perAddress} per address`,
  processLimits: (files: number, connections: number, perAddress: number) =>
    `A process started here can open ${files} files: up to ${connections} connections, ${perAddress} per address`,
  raiseLimit: 'Raise the limit',
} as const
