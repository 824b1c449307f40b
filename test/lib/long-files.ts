import { matchesGlob } from 'node:path'

/**
 * Test files that take 10 seconds or more, with their seconds in one run of all tests on two cores, by folder: nearly four fifths of
 * that run. A build takes a part of them, by `RECALLD_TEST_PART` (decision 136).
 */
const SECONDS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  test: {
    architecture: 11,
    'house-rules': 23,
  },
  'test/attack': {
    authors: 31,
    bombs: 75,
    damage: 47,
    requests: 19,
    sockets: 47,
  },
  'test/browser': {
    'activity-and-settings': 41,
    'away-and-back': 25,
    'connect-agent': 23,
    conversation: 27,
    'days-and-people': 63,
    deletions: 29,
    'edits-page': 14,
    'embedding-model': 20,
    'every-page': 135,
    'first-run': 20,
    'found-here': 10,
    'hostile-items': 21,
    'import-exports': 24,
    keyboard: 27,
    'keys-and-usage': 51,
    languages: 54,
    'large-memory': 51,
    'library-page': 134,
    'memory-edits': 74,
    'offered-model': 12,
    passkeys: 10,
    phone: 32,
    'recall-page': 176,
    'saved-searches': 36,
    'session-changes': 20,
    'slow-network': 35,
    'sources-page': 72,
    'streamed-answer': 24,
  },
  'test/connectors/asana': {
    'asana-sync': 11,
  },
  'test/connectors/feeds': {
    'caldav-answers': 36,
    'caldav-contract': 21,
    caldav: 17,
  },
  'test/connectors/github': {
    'github-consistency': 15,
  },
  'test/connectors/google': {
    'gmail-sync': 13,
  },
  'test/connectors/imap': {
    'imap-contract': 18,
    imap: 32,
  },
  'test/connectors/microsoft': {
    'ms-outlook-sync': 36,
  },
  'test/connectors': {
    'newest-first': 25,
  },
  'test/connectors/slack': {
    'slack-consistency': 15,
    'slack-sync': 20,
  },
  'test/contract': {
    'after-deletion': 12,
    'blobs-s3': 21,
    'candidates-postgres': 10,
    memory: 69,
    'outage-during-start': 23,
    'postgres-away': 28,
    'postgres-concurrency': 20,
    'postgres-formats': 12,
    'postgres-replica-lag': 19,
    'postgres-replica': 19,
    'round-trips': 21,
    'store-blobs-postgres': 17,
    'store-blobs-sqlite': 29,
    'store-move': 112,
    'store-postgres-split': 29,
    'store-postgres': 81,
    'store-sqlite': 58,
    'sync-runner': 61,
  },
  'test/crash': {
    'blob-kill': 48,
    'deletion-kill': 26,
    'document-kill': 126,
    'full-disk': 15,
    kill: 33,
    'refine-kill': 29,
    'reindex-kill': 13,
    'removal-kill': 70,
    'stop-in-a-run': 21,
    'sync-simulation': 12,
  },
  'test/e2e': {
    'account-data': 32,
    'agent-hooks': 18,
    'api-properties': 18,
    'app-grants': 15,
    'app-imports': 24,
    'app-library': 28,
    'app-rights': 10,
    'app-security': 13,
    'app-sources-removal': 39,
    'app-sources': 11,
    'blob-storage': 22,
    'changed-elsewhere': 58,
    'claude-code': 26,
    'cli-demo': 13,
    'cli-launcher': 47,
    'cli-migrate-store': 62,
    'cli-start': 16,
    cli: 39,
    'connector-package': 122,
    daemon: 70,
    'damaged-bytes': 16,
    'file-bombs': 40,
    isolation: 31,
    'local-models': 103,
    'lost-database': 19,
    'mcp-conformance': 18,
    'mcp-http': 10,
    'mcp-inspector': 14,
    'mcp-stdio-end': 14,
    'mcp-stdio-service': 22,
    'mcp-stdio': 40,
    'observed-service': 46,
    'open-files': 17,
    'other-hosts': 22,
    package: 106,
    'recalled-echo': 67,
    reindex: 15,
    roles: 106,
    'service-end': 11,
    'specification-keys': 29,
    'specification-recall': 10,
    'specification-upload': 28,
    'sync-service': 16,
    tracing: 47,
    'two-versions': 21,
  },
  'test/unit/cli': {
    'models-on-demand': 19,
  },
  'test/unit/mcp': {
    injections: 38,
  },
  'test/unit/models': {
    'onnx-models': 30,
  },
  'test/unit/pipeline/parse': {
    'parse-document': 33,
    'parse-hostile-input': 27,
    'parse-office-hostile': 41,
    'parse-office-sheets': 21,
    'parse-scans': 33,
  },
  'test/unit/repository': {
    audit: 24,
    'tracing-is-lazy': 14,
  },
  'test/unit/retrieval': {
    'known-names': 13,
    superseded: 15,
  },
  'test/unit/service': {
    'account-archive': 19,
    'explore-recall': 11,
    'waiting-notice': 15,
  },
  'test/unit/worker': {
    refiner: 11,
    'worker-scans': 17,
    worker: 72,
  },
}

/** What every build runs, although it is long. */
const IN_EVERY_PART = [
  'test/{architecture,house-rules}.test.ts',
  'test/contract/{memory,sync-runner,store-sqlite}.test.ts',
  'test/crash/kill.test.ts',
  'test/browser/first-run.test.ts',
  'test/e2e/{specification-*,isolation,cli,mcp-stdio}.test.ts',
]
/** What needs models or hosts that are downloaded first: all of it is in the first part, so that other builds install none. */
const WITH_DOWNLOADS = [
  'test/e2e/local-models.test.ts',
  'test/e2e/claude-code.test.ts',
  'test/e2e/other-hosts.test.ts',
  'test/e2e/agent-plugins.test.ts',
  'test/unit/models/onnx-models.test.ts',
  'test/unit/models/encoder-graph.test.ts',
  'test/unit/service/reranking.test.ts',
]
/** Seconds of one core that the downloads take. */
const DOWNLOADING = 250

export const LONG_FILES: ReadonlyMap<string, number> = new Map(
  Object.entries(SECONDS).flatMap(([folder, files]) =>
    Object.entries(files).map(([name, seconds]) => [`${folder}/${name}.test.ts`, seconds] as const),
  ),
)

/** @param file from the root of the repository */
export function isLongFile(file: string): boolean {
  return LONG_FILES.has(file)
}

/**
 * The long files that a part of a run leaves out.
 *
 * @param part `2/8`; nothing for all tests
 */
export function filesOfOtherParts(part = process.env.RECALLD_TEST_PART ?? ''): string[] {
  if (part === '') return []
  const [number, parts] = part.split('/').map(Number)
  if (!(number && parts && number >= 1 && number <= parts)) {
    throw new Error(`RECALLD_TEST_PART is a part and their number, such as 2/8, and not ${part}`)
  }
  return [...partsOf(parts)].filter(([, one]) => one !== number).map(([file]) => file)
}

/** Every file with its part; parts take about the same time. */
function partsOf(parts: number): ReadonlyMap<string, number> {
  const found = new Map(WITH_DOWNLOADS.map((pattern) => [pattern, 1]))
  const loads = Array.from({ length: parts }, () => 0)
  loads[0] = DOWNLOADING
  const longestFirst = [...LONG_FILES].toSorted(([, a], [, b]) => b - a)
  for (const [file, seconds] of longestFirst) if (isOf(file, WITH_DOWNLOADS)) loads[0] += seconds
  for (const [file, seconds] of longestFirst) {
    if (isOf(file, [...IN_EVERY_PART, ...WITH_DOWNLOADS])) continue
    const least = loads.indexOf(Math.min(...loads))
    loads[least]! += seconds
    found.set(file, least + 1)
  }
  return found
}

function isOf(file: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesGlob(file, pattern))
}
