/** Messages of `install-agent` and `install-service`. */
export const messages = {
  print: 'show what would be written and where, without writing it',
  note: (text: string) => `Note: ${text}`,
  printed: (file: string, content: string) => `In ${file}:\n\n${content}`,
  nothingWritten: 'Nothing was written.',
  cannotRead: (file: string, code: string) => `${file} can't be read (${code}). Nothing was changed.`,
  cannotWrite: (file: string, code: string) => `${file} can't be written (${code}). Nothing was changed.`,
  cannotRemove: (file: string, code: string) => `${file} can't be removed (${code}). Nothing was changed.`,

  // MCP
  installAgent: 'connect an agent such as Claude Code or Cursor, with MCP tools and, if supported, hooks',
  host: 'the agent; see the list below',
  removeMcp: 'remove recalld from the configuration',
  mcpHelp: (hosts: readonly string[]) => `
Hosts: ${hosts.join(', ')}

Examples:
  $ recalld install-agent claude-code            add the tools recall, ask, open and recent, and hooks
  $ recalld install-agent codex --print          show what would be written and where, without writing it
  $ recalld install-agent cursor --remove        remove it again

With hooks, the agent starts each session with the end of the last session in this project, recent decisions, open
promises and preferences. Before a prompt, it gets passages if some are likely to help. Sessions are memorized when they
end. The command lists what a host doesn't support. Use --no-hooks to install only MCP. To turn hooks off in a folder, run
"recalld hook off" or add a file .recalldignore. Run "recalld hook status" to see what was shown.

Everything else in the files stays, and a backup is kept next to them. No key is written: "recalld mcp" and the hooks read
it from credentials.json in the home folder.`,
  withoutHooks: 'MCP only',
  withWrite: 'let the agent store and delete notes (tools remember and forget)',
  withoutWrite: 'read only again',
  offerWrite: (host: string) =>
    `The tools only read. To let the agent store and delete notes too: recalld install-agent ${host} --write`,
  hooksInstalled: (file: string) => `Hooks saved to ${file}`,
  hooksPresent: (file: string) => `Hooks are already in ${file}`,
  hooksRemoved: (file: string) => `Removed the hooks from ${file}`,
  noHooks: (file: string) => `There are no hooks of recalld in ${file}`,
  wouldRemoveHooks: (file: string) => `The hooks of recalld would be removed from ${file}`,
  hooksNotEditable: (file: string, host: string) =>
    `${file} can't be changed safely. Edit "hooks" by hand; run "recalld install-agent ${host} --print" to see the change.`,
  foreignPlugin: (file: string) => `${file} wasn't written by this command. Move it away, then run this command again.`,
  hook: 'called by agent hooks; see "recalld hook status"',
  hookStatus: 'list what hooks showed to agents, and when',
  hookMost: 'maximum number of entries',
  hookOff: 'turn hooks off in a folder and its subfolders',
  hookOn: 'turn hooks on again',
  hookFolder: 'the folder',
  hookIsOff: (folder: string) => `Hooks are off in ${folder}`,
  hookIsOn: (folder: string) => `Hooks are on in ${folder}`,
  hookStillOff: (folder: string, above: string) =>
    `Hooks stay off in ${folder}: they are off in ${above}. Run "recalld hook on" there, or remove its .recalldignore.`,
  hookAtStart: 'session start',
  hookAtPrompt: (probability: string) => `prompt, ${probability} probable`,
  hookNothing: 'Nothing shown yet. Run "recalld install-agent claude-code" to install the hooks.',
  hookSums: (times: string, tokens: string) => `Shown ${times}: ${tokens} on average.`,
  hookColumns: ['TIME', 'AGENT', 'WHEN', 'TOKENS', 'MS', 'FOLDER', 'SHOWN'],
  hookUsage: 'error: agents call this, for example as "recalld hook prompt --host claude-code"',
  fileProblem: (file: string, problem: string) =>
    `${file}, ${problem}. Nothing was changed. Fix it, then run this again.`,
  wouldRemove: (name: string, container: string, file: string) =>
    `"${name}" would be removed from "${container}" in ${file}`,
  alreadyInstalled: (host: string, file: string) =>
    `Nothing to change: ${host} already starts recalld, as set in ${file}`,
  installed: (host: string, file: string) => `${host} will start recalld. Saved to ${file}`,
  next: 'Next:',
  startService: 'Start the service, if it isn\'t running: "recalld up" in a separate terminal.',
  tryIt: 'Try it: "Recall what I wrote about ...". The tools are called recall, ask, open and recent.',
  notInstalled: (name: string, file: string) => `Nothing to change: ${name} isn't in ${file}`,
  removed: (host: string, file: string) => `${host} will no longer start recalld. Removed it from ${file}`,
  sessionKeeps: 'Running sessions keep it until they end.',
  backup: (file: string) => `Backup: ${file}`,
  cannotEdit: (file: string, container: string, host: string, flags: string) =>
    `${file} can't be changed safely: editing "${container}" would change other lines. Edit it by hand; run "recalld install-agent ${host} ${flags}" to see the change.`,
  folderMissing: (folder: string, host: string) => `There was no folder ${folder}. Is ${host} installed for this user?`,
  brokenLink: (file: string) => `${file} is a broken link. Remove it, or create the file it points to.`,
  changedMeanwhile: (file: string) => `Another program just changed ${file}. Run this again.`,
  notUtf8: (file: string) => `${file} isn't UTF-8 text. Nothing was changed. Save it as UTF-8 first.`,
  objectExpected: 'expected an object in braces',
  mustBeObject: (container: string) => `${container} must be an object in braces`,
  mustBeTable: (container: string) => `${container} must be a table`,
  line: (line: number | string) => `line ${line}`,

  // Keys of MCP entries
  npxEntry: (launcher: string) =>
    `recalld runs from the npx cache (${launcher}), which npm empties, so the agent will lose it. Run "npm install -g recalld", then run this command again.`,
  keyForUrl: (url: string, where: string) =>
    `The agent will use the service at ${url}, but this command writes no keys. ${where} Or add RECALLD_API_KEY to "env" of this entry by hand, where everyone who can read that file can read it.`,
  putIntoCredentials: (shape: string, file: string) => `Put ${shape} into ${file}.`,
  putIntoOwnFolder: (shape: string) =>
    `Put ${shape} into credentials.json in a folder of its own and run this again with --home FOLDER.`,
  noKeyYet: (home: string, file: string) =>
    `There is no key in ${home} yet. The first "recalld up" writes ${file}, which "recalld mcp" reads.`,
  shellKeyNotWritten: (file: string) =>
    `RECALLD_API_KEY of this shell isn't written. The agent will use the key in ${file}.`,

  // The service
  installService: 'run recalld as a service with systemd or launchd',
  user: 'for you, while you are signed in (default)',
  system: 'for the whole machine, as the user recalld (Linux)',
  roles: (roles: readonly string[]) => `some of ${roles.join(', ')}; each list of roles is a separate service`,
  uninstall: 'remove the service',
  now: 'also run the commands that start it, or with --uninstall stop it',
  force: 'also replace or remove a file that someone else wrote or changed',
  serviceHelp: `
Examples:
  $ recalld install-service --now              run from now on, whenever you are signed in
  $ recalld install-service --print            show what would be written and where, without writing it
  $ sudo recalld install-service --system      for the whole machine, as the user recalld
  $ recalld install-service --roles worker     a single role, with a database server in database_url
  $ recalld install-service --uninstall --now  stop and remove it; your memory stays

Variables of this shell aren't passed on. Put what config.yaml refers to as \${NAME} into recalld.env in the home folder,
as NAME=value; only its owner may read that file.`,
  chooseRoles: (roles: readonly string[]) => `Choose some of ${roles.join(', ')}.`,
  foreignOverwrite: (file: string) =>
    `${file} wasn't written by this command, or was changed since. Check it, then overwrite it with --force.`,
  foreignRemove: (file: string) =>
    `${file} wasn't written by this command, or was changed since. Check it, then remove it with --force.`,
  commandFailed: (command: string, reason: string) => `"${command}" failed: ${reason}`,
  ifRunning: '# if it runs',
  nothingToRemove: (file: string) => `Nothing to do: ${file} doesn't exist.`,
  serviceRemoved: (file: string, home: string) => `Removed ${file}. Your memory stays in ${home}`,
  stopIt: 'Stop it:',
  wrote: (file: string) => `Wrote ${file}`,
  unchanged: (file: string) => `Nothing to change in ${file}`,
  started: 'Started.',
  startIt: 'Start it:',
  signIn: (logs: string) => `To sign in to the app, run "recalld people invite --owner". Logs: ${logs}`,
  noManager: (platform: string) =>
    `${platform} has no systemd or launchd. Run "recalld up" with a service manager of your platform; see docs/operations.md.`,
  noSystemOnMac: 'On macOS, recalld runs for the person who is signed in. Leave out --system.',
  npxService: (launcher: string) =>
    `recalld runs from the npx cache (${launcher}), which npm empties. Run "npm install -g recalld" first.`,
  controlCharacter: (word: string) => `${word} contains a control character, which service managers don't accept.`,
  madeBy: 'Made by "recalld install-service"',
  editUnit: (command: string) => `Change it with "${command}".`,
  createUser: (user: string, home: string) =>
    `It runs as the user ${user}. If that user doesn't exist: useradd --system --user-group --home-dir ${home} --shell /usr/sbin/nologin ${user}`,
  homeOfUser: (home: string, user: string) => `${home} must exist and belong to ${user}.`,
  mustRead: (user: string, paths: readonly string[]) => `${user} must be able to read ${paths.join(' and ')}.`,
  linger: (user: string) => `It runs while you are signed in. To run it from boot on: loginctl enable-linger ${user}`,
} as const
