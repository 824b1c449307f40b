/** `npm run bench`: all measurements, or with `--check` those that are compared with `expected.json`, or `--profile`. */
if (process.argv.includes('--check')) await import('./check.ts')
else if (process.argv.includes('--profile')) await import('./profile-recall.ts')
else await import('./run.ts')
