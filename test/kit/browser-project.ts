/**
 * The tests of the built pages, in Chromium and over HTTP, as projects of vitest. They take as long as all others, so they
 * run on a build server, and elsewhere when they are asked for by name; one line says so.
 */
export function browserProject(include: string) {
  const isAskedFor = Boolean(process.env.CI) || process.argv.some((argument) => argument.includes('browser'))
  if (!isAskedFor) {
    process.stderr.write('The tests of the web app in Chromium are left out: npm run test:browser runs them.\n')
    return []
  }
  const test = { name: 'browser', include: [include], globalSetup: ['./test/kit/built-pages.ts'], testTimeout: 120_000 }
  return [{ extends: true as const, test }]
}
