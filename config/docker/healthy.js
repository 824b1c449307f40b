// For HEALTHCHECK: exits with 0 if the service in this container responds. The slim image has no curl.
const { RECALLD_METRICS_PORT, RECALLD_PORT } = process.env
const port = RECALLD_METRICS_PORT || RECALLD_PORT || '7411'
const path = process.argv[2] ?? '/v1/live'
const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4_000) }).catch(
  (error) => error,
)
if (!answer.ok) process.stderr.write(`${answer instanceof Error ? answer.message : await answer.text()}\n`)
process.exitCode = answer.ok ? 0 : 1
