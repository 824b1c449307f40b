import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { createCommandContext } from '../../src/boot/command-context.ts'
import { type ProgramContext, runProgram } from '../../src/cli/program.ts'
import type { Input } from '../../src/cli/terminal/prompter.ts'
import type { ConnectionStatus, ConnectorView, SyncService, SyncTarget } from '../../src/connections/sync-service.ts'
import { AppError } from '../../src/domain/errors.ts'
import { packagePath } from '../../src/lib/files.ts'
import type { PreviewReport, RunReport } from '../../src/sync/run-report.ts'
import type { CommandResult } from './command-line.ts'
import { scriptedGrants } from './scripted-grants.ts'

/** A sync service that does what a test says; what is left out does nothing and succeeds. */
export function scriptedSync(
  script: Partial<SyncService> & { readonly configured?: readonly SyncTarget[] },
): SyncService {
  const configured = script.configured ?? []
  return {
    async targets(names) {
      const named = (target: SyncTarget) =>
        names.includes(target.connector) || names.includes(`${target.connector}/${target.name}`)
      const found = names.length === 0 ? configured : configured.filter(named)
      if (names.length > 0 && found.length === 0) throw new AppError('invalid', `There is no connection ${names[0]}.`)
      return found
    },
    run: async (target) => runReport(target),
    preview: async (target) => previewReport(target),
    finish: async () => undefined,
    status: async () => [],
    retry: async () => 0,
    connectors: async () => CONNECTORS,
    check: async () => ({ account: 'acme (ada@acme.test)', warnings: [] }),
    choices: async () => undefined,
    note: async () => undefined,
    grants: async () => scriptedGrants({}),
    alerts: async () => ({ channels: [] }),
    testAlerts: async () => ({ tests: [] }),
    access: async () => [],
    [Symbol.asyncDispose]: async () => undefined,
    ...script,
  }
}

export const CONNECTORS: readonly ConnectorView[] = [
  {
    id: 'slack',
    title: 'Slack',
    auth: 'token',
    configured: [],
    standalone: false,
    takesPaths: false,
    needs: 'a user token',
    tokenSteps: ['Open https://api.slack.com/apps?new_app=1.', 'Copy the "User OAuth Token".'],
  },
  {
    id: 'github',
    title: 'GitHub',
    auth: 'token',
    configured: [],
    standalone: false,
    takesPaths: false,
    needs: 'a token',
  },
  {
    id: 'claude_code',
    title: 'Claude Code',
    auth: 'none',
    configured: [],
    standalone: true,
    takesPaths: false,
    needs: 'nothing',
  },
  {
    id: 'technical_docs',
    title: 'Documents',
    auth: 'none',
    configured: [],
    standalone: false,
    takesPaths: true,
    needs: 'folders',
  },
]

export function runReport(target: SyncTarget, report: Partial<RunReport> = {}): RunReport {
  return {
    connector: target.connector,
    name: target.name,
    account: 'acme (ada@acme.test)',
    partitions: 14,
    items: 312,
    memorized: 14,
    unchanged: 296,
    removed: 2,
    failed: 0,
    settling: 0,
    requests: 31,
    waited_ms: 0,
    duration_ms: 12_400,
    outcome: 'ok',
    failures: [],
    warnings: [],
    ...report,
  }
}

export function previewReport(target: SyncTarget, report: Partial<PreviewReport> = {}): PreviewReport {
  const { connector, name } = target
  return { connector, name, account: 'acme', partitions: [], requests: 3, waited_ms: 0, duration_ms: 900, ...report }
}

export function connectionStatus(status: Partial<ConnectionStatus> = {}): ConnectionStatus {
  return {
    connector: 'slack',
    name: 'acme',
    title: 'Slack',
    account: 'acme (ada@acme.test)',
    state: 'healthy',
    schedule: '*/15 * * * *',
    last_run_at: fromNow(-250),
    last_success_at: fromNow(-250),
    next_run_at: fromNow(690),
    items: 1_204,
    failed: 0,
    skipped: 0,
    skip_reasons: [],
    progress: null,
    settling: 0,
    coverage: { complete: 12, total: 14 },
    partitions: [],
    failures: [],
    cursor_age_s: null,
    cursor_limit_s: null,
    warnings: [],
    problem: null,
    remedy: null,
    ...status,
  }
}

/** ISO 8601. */
export function fromNow(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString()
}

export interface Seat {
  readonly home: string
  /** A function is called whenever a command opens one; `real`: of this home, with the real connectors. */
  readonly service?: SyncService | (() => SyncService) | 'real'
  readonly env?: Readonly<Record<string, string>>
  /** Of standard output and standard error; pipes when absent. */
  readonly terminal?: { readonly columns: number }
  /** Standard output is a pipe, also when there is a terminal. */
  readonly pipedOutput?: boolean
  readonly stdin?: Input
  /** What standard output gets, while it runs. */
  readonly onOutput?: (text: string) => void
  /** As if the person's browser were opened. */
  readonly openBrowser?: (url: string) => void
  readonly stopRequested?: () => Promise<string>
}

/** Runs a command line with a sync service and a terminal of the test's own; everything else is real. */
export async function runWithSync(seat: Seat, ...args: readonly string[]): Promise<CommandResult> {
  const stdout = capture(seat.pipedOutput ? undefined : seat.terminal, seat.onOutput)
  const stderr = capture(seat.terminal)
  const context = createCommandContext({
    io: { stdout, stderr, env: { RECALLD_HOME: seat.home, NO_COLOR: '1', ...seat.env } },
    machine: {
      nodeVersion: process.versions.node,
      platform: process.platform,
      userName: 'ada',
      userHome: '/nonexistent',
      temporaryFolder: tmpdir(),
      nodePath: process.execPath,
      launcherPath: packagePath('bin/recalld.js'),
    },
    pid: process.pid,
    standardStreams: () => ({ stdin: Readable.from([]), stdout: new PassThrough() }),
    onlyForOwner: () => undefined,
    watchDefects: () => undefined,
    stopRequested: seat.stopRequested ?? (() => new Promise(() => undefined)),
  })
  const { service = scriptedSync({}) } = seat
  const sync = async (given: SyncService | (() => SyncService)) => (typeof given === 'function' ? given() : given)
  const program: ProgramContext = {
    ...context,
    ...(service !== 'real' && { sync: () => sync(service) }),
    ...(seat.stdin && { stdin: seat.stdin }),
    ...(seat.openBrowser && { openBrowser: seat.openBrowser }),
  }
  const code = await runProgram(args, program)
  await context.close()
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function capture(terminal: Seat['terminal'], onOutput?: Seat['onOutput']) {
  const chunks: Buffer[] = []
  return {
    isTTY: terminal !== undefined,
    ...(terminal && { columns: terminal.columns }),
    write: (chunk: string | Uint8Array) => {
      chunks.push(Buffer.from(chunk))
      onOutput?.(Buffer.from(chunk).toString('utf8'))
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}
