import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { AppError } from '../../../domain/errors.ts'
import type { Ocr, OcrPage } from './ocr.ts'
import { readTsv } from './tesseract-tsv.ts'

export interface TesseractOptions {
  /** Names of language data, such as `eng` and `deu`. */
  readonly languages: readonly string[]
  /** Name or path of the program. */
  readonly program?: string
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
const MOST_OUTPUT_BYTES = 32 * 1024 * 1024
const PRLIMIT = '/usr/bin/prlimit'

/** Reads images by the program `tesseract` of the machine. */
export function tesseract({ languages, program = 'tesseract', limits }: TesseractOptions): Ocr {
  const [command, ...fixed] = limited(program, { ...LIMITS, ...limits })
  // Page segmentation 1 also detects how the page is turned.
  const args = [...fixed, 'stdin', 'stdout', '-l', languages.join('+'), '--psm', '1', 'tsv']
  const { clockMs } = { ...LIMITS, ...limits }
  return {
    read: (image) =>
      new Promise<OcrPage[] | undefined>((resolve, reject) => {
        const options = { timeout: clockMs, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT_BYTES } as const
        const child = execFile(command, args, options, (error, stdout, stderr) => {
          const missing = missingPart(error?.code, stderr, languages)
          if (missing) reject(new AppError('unreadable', missing))
          else resolve(error ? undefined : readTsv(stdout))
        })
        // The program may end before it has read everything; its exit status says why.
        child.stdin?.on('error', () => child.stdin?.destroy())
        child.stdin?.end(image)
      }),
  }
}

/** The command with limits of the system, which also hold after the thread that started it was ended. */
function limited(program: string, limits: typeof LIMITS): [string, ...string[]] {
  if (platform() !== 'linux' || !existsSync(PRLIMIT)) return [program]
  const { processorSeconds, memoryBytes } = limits
  // More threads would take other processors, and save little time.
  return ['env', 'OMP_THREAD_LIMIT=1', PRLIMIT, `--cpu=${processorSeconds}`, `--as=${memoryBytes}`, program]
}

function missingPart(code: unknown, stderr: string, languages: readonly string[]): string | undefined {
  if (code === 'ENOENT' || /^prlimit: failed to execute/m.test(stderr)) {
    return 'It holds only images, and the program that reads text in images is missing; install tesseract on the server (Debian: apt install tesseract-ocr, macOS: brew install tesseract) and run "recalld retry"'
  }
  // Several languages are read without those that are missing, and then wrongly.
  const language = /Failed loading language '([^']{1,60})'/.exec(stderr)?.[1]
  if (language === undefined) return undefined
  const names = languages.join(', ')
  return `It holds only images, and tesseract has no data for the language ${language}; install it on the server (Debian: apt install tesseract-ocr-${language}) or change ocr_languages (now ${names}), and run "recalld retry"`
}
