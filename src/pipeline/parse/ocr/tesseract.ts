import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { AppError } from '../../../domain/errors.ts'
import { findProgram } from '../../../lib/find-program.ts'
import type { Ocr } from './ocr.ts'
import { readTsv } from './tesseract-tsv.ts'

type Command = [string, ...string[]]

export interface TesseractOptions {
  /** Names of language data, such as `eng` and `deu`. */
  readonly languages: readonly string[]
  /** Name or path of the program. */
  readonly program?: string
  /** Of the program that draws pages. */
  readonly renderer?: string
  readonly limits?: Partial<typeof LIMITS>
}

const LIMITS = {
  /** Processor time for an image. A page of small print at 300 dpi takes 5 s, and a TIFF has several pages. */
  processorSeconds: 120,
  /** Wall-clock time, for a machine without processor time to spare. */
  clockMs: 240_000,
  /** Address space. A page of 35 million pixels needs 0.6 GB. */
  memoryBytes: 2 * 1024 ** 3,
}
/** A3 at 300 dpi has 17 million pixels. */
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024
const NO_RENDERER =
  'Its scans are compressed as fax, JBIG2 or JPEG 2000, and the program that decodes them is missing; install poppler on the server (Debian: apt install poppler-utils, macOS: brew install poppler) and run "recalld retry"'
const PRLIMIT = '/usr/bin/prlimit'

/** Reads images by the program `tesseract` of the machine, and draws pages by `pdftoppm` of poppler. */
export function tesseract({ languages, limits, ...programs }: TesseractOptions): Ocr {
  // In a usual folder, else by the PATH of the process.
  const program = programs.program ?? findProgram('tesseract', {}) ?? 'tesseract'
  const renderer = programs.renderer ?? findProgram('pdftoppm', {}) ?? 'pdftoppm'
  const most = { ...LIMITS, ...limits }
  // Page segmentation 1 also detects how the page is turned.
  const reading: Command = [
    ...limited(program, most),
    'stdin',
    'stdout',
    '-l',
    languages.join('+'),
    '--psm',
    '1',
    'tsv',
  ]
  return {
    async read(image) {
      const { code, stdout, stderr } = await run(reading, image, most.clockMs)
      const missing = missingPart(code, stderr, languages)
      if (missing) throw new AppError('unreadable', missing)
      return code === undefined ? readTsv(stdout.toString('utf8')) : undefined
    },
    async renderPage(pdf, page) {
      const drawing: Command = [...limited(renderer, most), '-r', '300', '-gray', '-f', `${page}`, '-l', `${page}`, '-']
      const { code, stdout, stderr } = await run(drawing, pdf, most.clockMs)
      if (isMissing(code, stderr)) throw new AppError('unreadable', NO_RENDERER)
      return code === undefined && stdout.length > 0 ? [stdout] : []
    },
  }
}

interface ProgramResult {
  /** Exit status or error code; absent without an error. */
  readonly code: unknown
  readonly stdout: Buffer
  readonly stderr: string
}

function run([command, ...args]: Command, input: Uint8Array, clockMs: number): Promise<ProgramResult> {
  const options = { timeout: clockMs, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT_BYTES, encoding: 'buffer' } as const
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 'killed') : undefined, stdout, stderr: stderr.toString('utf8') }),
    )
    // The program may end before it has read everything; its exit status says why.
    child.stdin?.on('error', () => child.stdin?.destroy())
    child.stdin?.end(input)
  })
}

/** The command with limits of the system, which also hold after the thread that started it was ended. */
function limited(program: string, limits: typeof LIMITS): Command {
  if (platform() !== 'linux' || !existsSync(PRLIMIT)) return [program]
  const { processorSeconds, memoryBytes } = limits
  // More threads would take other processors, and save little time.
  return ['env', 'OMP_THREAD_LIMIT=1', PRLIMIT, `--cpu=${processorSeconds}`, `--as=${memoryBytes}`, program]
}

function missingPart(code: unknown, stderr: string, languages: readonly string[]): string | undefined {
  if (isMissing(code, stderr)) {
    return 'It holds only images, and the program that reads text in images is missing; install tesseract on the server (Debian: apt install tesseract-ocr, macOS: brew install tesseract) and run "recalld retry"'
  }
  // Several languages are read without those that are missing, and then wrongly.
  const language = /Failed loading language '([^']{1,60})'/.exec(stderr)?.[1]
  if (language === undefined) return undefined
  const names = languages.join(', ')
  return `It holds only images, and tesseract has no data for the language ${language}; install it on the server (Debian: apt install tesseract-ocr-${language}) or change ocr_languages (now ${names}), and run "recalld retry"`
}

function isMissing(code: unknown, stderr: string): boolean {
  return code === 'ENOENT' || /^prlimit: failed to execute/m.test(stderr)
}
