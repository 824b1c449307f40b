/**
 * Whether a run is for everything: on a build server, and when it names files or projects. Else the tests of whole
 * processes, of crashes, of the web app and on PostgreSQL, and long ones, are left out, which take several times as long as all
 * others; one line says so.
 */
export function isEverythingTested(): boolean {
  const named = process.argv.slice(2).filter((argument) => !/^(run|watch|dev|list)$|^-(?!-project)/.test(argument))
  if (process.env.CI || named.length > 0) return true
  process.stderr.write(
    'Tests of processes, crashes, the web app and PostgreSQL, and long ones, are left out: npm run test:all runs everything.\n',
  )
  return false
}
