import { GoogleDrive } from '../../fakes/google/google-drive.ts'
import { createCorpus } from '../corpus.ts'
import type { BenchSource } from './bench-source.ts'
import { ReplayedServer } from './replayed-server.ts'

const FILES = 1_000
const FOLDERS = 20
const PAGE = 1_000
const SHEET = 'application/vnd.google-apps.spreadsheet'

/** Documents of 4 KB in folders, every tenth file a sheet of 40 rows; every fifth file has a comment. */
export async function gdocsBench(share: number): Promise<BenchSource> {
  const corpus = createCorpus()
  const count = Math.round(FILES * share)
  const drive = await GoogleDrive.start()
  const folders = Array.from({ length: FOLDERS }, (_, number) => drive.folder(`Folder ${number}`))
  const row = (number: number) => [`OPS-${number}`, corpus.text(number, 40), String(number * 7), 'open', '2026-03-04']
  let sheets = 0
  for (let number = 0; number < count; number++) {
    const parent = folders[number % FOLDERS]?.id ?? 'root'
    const title = corpus.text(number, 40).trim()
    const rows = () => Array.from({ length: 40 }, (_, at) => row(number * 100 + at))
    const isSheet = number % 10 === 0
    if (isSheet) sheets += 1
    const file = isSheet
      ? drive.file(title, SHEET, parent, { content: { sheets: [{ title: 'Orders', rows: rows() }] } })
      : drive.document(title, `# ${title}\n${corpus.text(number, 4_000).replaceAll('\n\n', '\n')}`, parent)
    if (number % 5 === 0) drive.comment(file, { content: corpus.text(number + FILES, 120) })
  }
  const asked = new ReplayedServer(drive.server.url)
  return {
    connector: 'gdocs',
    config: drive.config,
    noun: 'files',
    count,
    // Whose Drive, which shared drives, where its changes begin; every page of the files with their folders; then of each
    // file what it says, for a sheet also which ranges it has, and its comments, as no listing tells which files have some.
    fewestRequests: 3 + Math.ceil((count + FOLDERS) / PAGE) + count + sheets + count,
    replay: () => asked.replay(),
    async close() {
      asked.close()
      await drive[Symbol.asyncDispose]()
    },
  }
}
