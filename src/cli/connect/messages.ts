import { counted } from '../terminal/layout.ts'

/** Messages of `connect` and `photos`, in the terminal and in the browser. */
export const messages = {
  nothingSaved: 'Nothing was saved.',
  stopped: 'Stopped. Nothing was saved.',
  note: (text: string) => `Note: ${text}`,
  noteOf: (connection: string, text: string) => `Note: ${connection}: ${text}`,

  // Command and options
  connect: 'connect a source: get access and add it to config.yaml',
  provider: 'a connector such as slack, or a provider such as google (default: list all connectors)',
  name: 'your name for this connection',
  path: 'folders to read, for connectors that read folders',
  set: 'a setting for config.yaml, such as host=imap.acme.test; repeat for more',
  sources: 'connectors to grant access to, separated by commas',
  oauth: 'grant access in the browser instead of using a token',
  clientId: 'ID of your OAuth client (default: the one used last)',
  clientFile: 'JSON file with client_id and client_secret, as downloaded from the Google console',
  account: 'account to access, such as ada@acme.test',
  tenant: 'Microsoft: tenant ID or domain, organizations, consumers or common',
  cloud: 'Microsoft: national cloud, such as us-government or china',
  authUrl: 'base URL of sign-in and tokens (default: the standard address)',
  apiUrl: 'base URL of the API (default: the standard address)',
  device: 'sign in with a code in any browser, if the provider supports it',
  paste: 'paste the address that the browser ends at, instead of listening for it',
  port: 'port of 127.0.0.1 to listen on for the browser',
  noBrowser: "show the link, but don't open a browser",
  list: 'list granted access',
  revoke: 'revoke the access granted by an account, or one grant by the ID shown by --list',
  yes: "with --revoke: don't ask for confirmation",
  help: `
Examples:
  $ recalld connect                                  list all connectors and what they need
  $ recalld connect slack --name acme                ask for the token, without showing it
  $ recalld connect github < token.txt               read the token from the first line
  $ recalld connect technical_docs --path ~/docs
  $ recalld connect imap --set host=imap.fastmail.com --set user=ada@acme.test
  $ recalld connect google                           grant access to mail, calendar, documents and more in the browser
  $ recalld connect google --sources email,calendar --client-file client_secret.json
  $ recalld connect calendar                         add one source to the granted access
  $ recalld connect microsoft --device --sources ms-outlook
  $ recalld connect --list                           list granted access and when it expires
  $ recalld connect --revoke ada@acme.test

Tokens and client secrets are never arguments, because others could see them in the process list. Enter them at the
prompt, which hides them, or pipe them in.`,
  nameRule: 'It must start with a letter or digit and contain only letters, digits and . _ - (at most 64 characters).',
  settingRule: 'It must be a setting and its value, such as host=imap.acme.test.',
  secretSetting: 'Tokens and passwords are never arguments. Enter them at the prompt, or pipe them in.',
  notYaml: (name: string, problem: string) => `The value of ${name} must be YAML: ${problem}`,
  sourcesRule: 'It must be connectors separated by commas.',
  howToConnect: 'Run "recalld connect CONNECTOR" to connect one.',
  clientWithDevice: 'error: use --device and --client-id together',
  tokenOnly: (title: string) => `${title} is connected with a token in this version. Leave out --oauth.`,
  unknownConnector: (name: string) => `Unknown connector "${name}".`,

  fromPackage: (title: string, name: string) =>
    `${title} comes from the npm package ${name}, which runs with your rights: it can read your files, your memories and your tokens.`,

  // A connector in a package of its own
  createConnector: 'create an npm package with a connector of your own, from a working example',
  packageName: 'its name, such as mail-archive for recalld-connector-mail-archive',
  packageFolder: 'a new folder (default: the name of the package)',
  packageNameRule: 'It must be lower case letters, digits and -, starting with a letter (at most 40 characters).',
  folderNotEmpty: (folder: string) => `${folder} isn't empty. Choose a new folder.`,
  connectorCreated: (name: string, folder: string) =>
    `Created ${name} in ${folder}. Run "npm install" and "npm test" there. See its README.md for how to use it.`,

  // Tokens and folders
  tokenInConfig: (connection: string) =>
    `config.yaml already sets the token of ${connection}. Change it there, or choose another --name.`,
  noPath: (connector: string) => `${connector} doesn't take --path. It finds its files automatically.`,
  pathsInConfig: (connection: string) =>
    `${connection} is already in config.yaml. Change its paths there, or choose another --name.`,
  needsSettings: (title: string, settings: string) =>
    `${title} needs settings: ${settings}. Add them under connectors in config.yaml, as shown in config/README.md.`,
  needsFolders: (connector: string) => `${connector} needs folders. Run "recalld connect ${connector} --path FOLDER".`,
  notFolder: (folder: string) => `${folder} isn't a folder.`,
  noSuchPath: (path: string) => `There is no file or folder ${path}.`,
  toConnect: (title: string) => `To connect ${title}:`,
  secretPrompts: { token: 'Token (hidden): ', password: 'Password (hidden): ' },
  noSecret: {
    token: 'No token entered. Nothing was saved.',
    password: 'No password entered. Nothing was saved.',
  },
  malformedPassword: "A password can't contain control characters. Copy it again. Nothing was saved.",
  malformedToken: "A token can't contain spaces or non-ASCII characters. Copy it again. Nothing was saved.",
  noDeviceToken: (title: string) => `${title} can't be connected with --device. Leave it out to use a token.`,
  changedMeanwhile: 'config.yaml was changed in the meantime, so the connection is still in it. Remove it there.',

  // The OAuth client
  needsClient: (title: string, id: string, withSecret: boolean) =>
    `${title} needs your own OAuth client. Specify --client-id${withSecret ? ' with its secret on standard input' : ''}, or --client-file. See docs/connect/${id}.md for how to create one.`,
  createClient: (title: string) => `${title} needs your own OAuth client, which you create once:`,
  clientIdPrompt: 'Client ID: ',
  noClientId: 'No client ID entered. Nothing was saved.',
  secretPrompt: 'Client secret (hidden): ',
  optionalSecretPrompt: 'Client secret (hidden; press Enter if there is none): ',
  knownSecretPrompt: 'Client secret (hidden; press Enter to keep the current one): ',
  noClientSecret: (title: string) => `${title} requires a client secret, but none was entered. Nothing was saved.`,
  clientIdField: 'client ID',
  clientSecretField: 'client secret',
  malformed: (field: string) =>
    `A ${field} can't contain spaces or non-ASCII characters. Copy it again. Nothing was saved.`,
  notJson: (file: string) => `${file} isn't valid JSON.`,
  clientFileEmpty: (file: string) =>
    `${file} has no client_id. Use the file you downloaded from the provider's console.`,

  // Consent in the browser
  providerUnknown: (provider: string) => `This version can't request access from ${provider}.`,
  askingEach: (provider: string) =>
    `${provider} refused these sources together, so recalld asks for each one separately. Decline those that need an administrator.`,
  onlyNamed: (connector: string) =>
    `It may need an administrator's approval, so it wasn't requested with the others. Run "recalld connect ${connector}" to request it.`,
  accessInConfig: (connection: string) =>
    `config.yaml already sets the access of ${connection}. Remove it there, or choose another --name.`,
  step: (step: number, steps: number, title: string) => `${step} of ${steps}: ${title}`,
  alreadyGranted: (account: string, sources: string) => `${account} has already granted access to ${sources}.`,
  asksFor: (title: string, sources: string) => `${title} will ask for your consent to read ${sources}`,
  granted: (account: string) => `${account} granted access.`,
  asBefore: (option: string, value: string) => `Using ${option} ${value}, as before.`,
  notGranted: (account: string, scopes: string, connector: string) =>
    `${account} didn't grant ${scopes}. Run "recalld connect ${connector}" to ask again.`,
  timedOut: (minutes: number) => `No response within ${minutes} minutes. Nothing was saved. Run the command again.`,
  noDevice: (title: string) =>
    `${title} doesn't support sign-in with a code. Leave out --device. If your browser is on another machine, use --paste.`,
  enterCode: (url: string, code: string) => `Open ${url} and enter this code: ${code}\nWaiting for you ...`,
  openLink: 'Open this link in a browser:',
  linkOpened: 'Open this link in a browser (it should open automatically):',
  pasteAddress: (redirectUrl: string) =>
    `The browser ends at a page that can't be displayed, at ${redirectUrl}... Copy its full address from the address bar and paste it here.`,
  waiting: (redirectUrl: string) => `Waiting for the browser at ${redirectUrl} ...`,
  otherMachine:
    "If the browser is on another machine, it ends at a page that can't be displayed. Paste its full address here.",
  addressPrompt: 'Address: ',
  noAddress: 'No address pasted. Nothing was saved.',
  wrongAddress: (redirectUrl: string) => `That isn't the address. It starts with ${redirectUrl}`,
  earlierAddress:
    'That address belongs to an earlier attempt. Open the link above and paste the address the browser ends at.',
  portTaken: (port: number) =>
    `Another program is using port ${port}. Stop it, choose another port with --port, or use --paste.`,

  // Pages in the browser
  pageNotFound: 'Page not found',
  pageNotFoundAbout: 'recalld is waiting for a sign-in at another address.',
  pageWrong: "This link doesn't match your sign-in",
  pageWrongAbout: 'It belongs to an earlier attempt or another program. Use the link in your terminal.',
  pageConnected: 'Connected',
  pageConnectedAbout: (account: string) =>
    `${account} granted access. You can close this window and return to your terminal.`,
  pageFailed: "Couldn't connect",
  pageFailedAbout: (problem: string) => `${problem} Nothing was saved. You can close this window.`,

  // Names of connections
  taken: (connection: string, owner: string, account: string) =>
    `${connection} is already connected to ${owner}, and this is ${account}.`,
  anotherName: (account: string) => `Another name for the connections of ${account}: `,
  takenAdvice: (connector: string, account: string) =>
    `Run "recalld connect ${connector} --name NAME --account ${account}" to choose another name.`,

  // Choosing what to sync
  reaches: (count: number) => `You can sync ${counted(count, 'repository', 'repositories')}:`,
  howToChoose: ({ group, one }: { readonly group: string; readonly one: string }) =>
    `Press Enter to sync all, including those added later. Or enter some, separated by spaces: ${group} for all of an owner, ${one} for one. "list" shows all, "list TEXT" those with TEXT in their name.`,
  choicePrompt: 'What to sync: ',
  privateChoice: 'private',
  moreChoices: (count: number) => `"more" shows the other ${count}.`,
  matchesNothing: (rules: readonly string[]) => `Nothing matches ${rules.join(', ')}. Try again.`,
  chosen: (count: number, all: number) => `${count} of ${all} chosen.`,
  notListed: (problem: string) => `Couldn't list what you can sync: ${problem}`,
  stillPaused: (connection: string) =>
    `Stopped. ${connection} is saved, but paused. Choose what to sync in the app or in config.yaml, and remove "paused" there.`,

  // Results
  configUnchanged: 'Stopped. config.yaml was not changed.',
  notChecked: (problem: string) =>
    `It couldn't be checked: ${problem} It was saved anyway, and the first sync checks it again.`,
  stillInConfig: (problem: string, connection: string) =>
    `${problem} config.yaml was changed in the meantime, so ${connection} is still in it. Remove it there.`,
  connected: (connection: string, account: string) => `Connected ${connection}: ${account}`,
  notConnected: (connector: string, reason: string) => `Not connected: ${connector}. ${reason}`,
  saved: (file: string) => `Saved to ${file}. Edit it to change the schedule and more.`,
  alreadySaved: (file: string) => `Already in ${file}. Edit it to change the schedule and more.`,
  syncNow: (connections: readonly string[]) =>
    `Run "recalld sync ${connections.join(' ')}" to read ${connections.length === 1 ? 'it' : 'them'} now. A running service reads ${connections.length === 1 ? 'it' : 'them'} on schedule.`,
  syncNowNewAccess: (connections: readonly string[]) =>
    `Run "recalld sync ${connections.join(' ')}" to read ${connections.length === 1 ? 'it' : 'them'} now. A running service reads ${connections.length === 1 ? 'it' : 'them'} on schedule, with the new access.`,
  nothingConnected: 'Nothing was connected. The granted access was kept: run "recalld connect --list" to see it.',
  asksSeparately: (title: string, others: readonly string[]) => `${title} asks separately for ${others.join(', ')}.`,

  // Granted access
  noGrants: 'No access granted yet. Run "recalld connect" to see all sources.',
  withToken: 'Connected with a token',
  withoutAccess: 'Without access (run "recalld connect" with the name to grant it)',
  valid: 'valid',
  invalid: 'no longer valid',
  connections: (connections: readonly string[]) =>
    `connections: ${connections.length === 0 ? 'none' : connections.join(', ')}`,
  scopes: (scopes: readonly string[]) => `scopes: ${scopes.join(', ')}`,
  grantedAt: (ago: string, id: string) => `granted ${ago}; id ${id}`,
  grantedUntil: (ago: string, end: string, id: string) => `granted ${ago}, expires ${end}; id ${id}`,
  renew: (connector: string, options: string, account: string) =>
    `Run "recalld connect ${connector}${options} --account ${account}".`,

  // Revoked access
  confirmNeeded: "Can't ask for confirmation here. Add --yes to confirm.",
  confirmRevoke: 'Revoke it? (yes or no) ',
  nothingRevoked: 'Nothing was revoked.',
  noGrantOf: (account: string) =>
    `No access was granted by ${account}. Run "recalld connect --list" to see what was granted.`,
  severalProviders: (account: string, providers: readonly string[]) =>
    `${account} granted access at ${providers.join(' and ')}. Choose one: ${providers.map((id) => `"recalld connect ${id} --revoke ${account}"`).join(' or ')}.`,
  accessTo: (account: string, family: string, connections: readonly string[]) =>
    `Access to ${account} (${family}): ${connections.length === 0 ? 'not used by any connection' : `used by ${connections.join(', ')}`}.`,
  revoked: (account: string, family: string) => `Revoked access to ${account} (${family}).`,
  revokedHere: (account: string, family: string, provider: string) =>
    `Removed access to ${account} (${family}) from recalld, but ${provider} didn't confirm that it was revoked. Revoke it in your account settings there too.`,
  cannotRead: (connections: readonly string[]) =>
    `${connections.join(', ')} can no longer be read. Items already read stay in your memory. Run "recalld list" to see them, and "recalld forget ITEM --source-type SOURCE" to delete one.`,
  removeConnections: 'Remove these connections from config.yaml, or connect them again.',

  // Photos
  photos: 'Google photos that you pick',
  pickPhotos: "pick photos in a browser; recalld can't see any others. The next sync imports them",
  photosName: 'the photos connection, if there are several',
  photosExample: 'recalld photos pick && recalld sync photos',
  pickHere: (url: string) => `Pick photos here, then press Done:\n  ${url}`,
  pickingStopped: 'No photos were picked.',
  picked: (photos: number) =>
    `Picked ${counted(photos, 'photo', 'photos')}. Run "recalld sync photos" to import them now.`,
} as const
