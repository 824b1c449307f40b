// Asks the registry for known vulnerabilities of the runtime dependencies. Exits with 1 if one is high or critical. An
// unreachable registry is reported in one line and is not a failure, because it says nothing about recalld.
import { spawnSync } from 'node:child_process'
import { z } from 'zod'

const REPORT = z.object({
  metadata: z.object({ vulnerabilities: z.object({ high: z.number(), critical: z.number(), total: z.number() }) }),
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      range: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
})
const REFUSAL = z.object({
  message: z.string().optional(),
  error: z.object({ summary: z.string() }).partial().optional(),
})
/** No connection, or the status of an HTTP server without audits. */
const AWAY = /\b(E(AI_AGAIN|CONN\w+|HOSTUNREACH|NETUNREACH|NOTFOUND|TIMEDOUT)|[45]\d\d)\b/

const npm = spawnSync('npm', ['audit', '--omit=dev', '--json', ...process.argv.slice(2)], {
  encoding: 'utf8',
  timeout: 60_000,
  maxBuffer: 64 * 1024 * 1024,
})
const answer = jsonOf(npm.stdout)
const report = REPORT.safeParse(answer)
if (report.success) {
  const { high, critical, total } = report.data.metadata.vulnerabilities
  for (const [name, { severity, range, via }] of Object.entries(report.data.vulnerabilities)) {
    const reasons = via.map((each) => (typeof each === 'string' ? `by ${each}` : `${each.title} (${each.url})`))
    say(`${severity}: ${name} ${range}: ${reasons.join('; ')}`)
  }
  say(`audit: ${total} known vulnerabilities, ${high + critical} of them high or critical`)
  process.exitCode = high + critical > 0 ? 1 : 0
} else {
  const { message, error } = REFUSAL.catch({}).parse(answer)
  const [reason = ''] = (message || error?.summary || npm.error?.message || npm.stderr).trim().split('\n')
  const isAway = AWAY.test(reason)
  say(`audit: NOT checked for known vulnerabilities${isAway ? ', the registry did not respond' : ''}: ${reason}`)
  process.exitCode = isAway ? 0 : 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
