import { counted } from '../terminal/layout.ts'

/** Messages of the commands for accounts, keys, people, plans and stored data. */
export const messages = {
  keyOnce: "It's shown only once, so store it in a safe place.",
  accountId: 'account ID',

  // Accounts
  accounts: 'manage accounts; works even when the service is stopped',
  listAccounts: 'list all accounts',
  createAccount: 'create an account with a user and a default key; the key is shown only once',
  accountName: 'name of the account',
  userName: 'name of its user',
  timeZone: 'IANA time zone of the user (default: the time_zone setting)',
  createAccountExample: 'recalld accounts create --name acme --user-name "Mary Miller" --json',
  defaultKey: (account: string) => `This is the default key of account ${account}.`,

  // Archives of accounts
  exportAccount: 'export an account to one file: items byte for byte, memories and tables as JSON lines',
  exportFile: 'file to create, such as acme.tar.gz',
  exportExample: 'recalld accounts export acct_0190 acme-$(date +%F).tar.gz',
  noFolder: (folder: string) => `The folder ${folder} doesn't exist.`,
  exportExists: (file: string) => `${file} already exists. An export never overwrites a file.`,
  fileExists: (file: string) => `${file} already exists and is never overwritten.`,
  exported: (bytes: number, file: string) =>
    `Exported ${counted(bytes, 'byte', 'bytes')} to ${file}. It contains all data of the account, so protect it like the service itself.`,
  exportedWithout: 'Exported without the content of these items, which the storage lost or damaged:',
  importAccount: 'import the items of an exported account; --into resumes an interrupted import',
  importFile: 'file created by "recalld accounts export"',
  importInto: 'existing account to import into (default: a new account, whose key is shown only once)',
  imported: (items: number, account: string) =>
    `Imported ${counted(items, 'item', 'items')} into ${account}. The running service creates their memories.`,
  importUnchanged: (items: number) => `${counted(items, 'item was', 'items were')} already there.`,
  importKept: (item: string) => `${item} already exists with different content and was left unchanged.`,
  importedGolden: (questions: number) => `Imported ${counted(questions, 'golden question', 'golden questions')}.`,
  importAccountMade: (account: string) =>
    `Created account ${account}. If the import is interrupted, resume it with --into ${account}.`,
  importKey: 'This is its default key.',

  // Deleted accounts
  deleteAccount: 'delete an account with all its data and print a receipt; resumes an interrupted deletion',
  deleteYes: 'confirm the deletion',
  deleteForce: "delete the account even if it's the one this machine uses",
  receiptJson: 'print the receipt as JSON',
  deleteExample: 'recalld accounts delete acct_0190 --yes --json > receipt.json',
  deleteWaiting:
    'Waiting for an upload to the bucket that may still be in progress. An interrupted upload is discarded after 15 minutes. If you stop this command, the running service finishes the deletion.',
  deleteHomeAccount:
    'Commands, connectors and agents on this machine use this account: its key is in credentials.json. Add --force to delete it anyway.',
  grantsLeft: (providers: readonly string[]) =>
    `recalld no longer uses the access granted at ${providers.join(' and ')}, but couldn't confirm that it was revoked. Revoke it in your account settings there too.`,
  confirmDelete: (account: string) =>
    `This permanently deletes ${account} with all its items, memories, keys and members. To keep a copy, run "recalld accounts export" first. Add --yes to delete it.`,
  accountDeleted: (name: string, account: string, at: string) => `Deleted account ${name} (${account}) on ${at}.`,
  accountHeld: (items: number, bytes: number, memories: number) =>
    `It had ${counted(items, 'item', 'items')} (${counted(bytes, 'byte', 'bytes')}) and ${counted(memories, 'memory', 'memories')}.`,
  deletionVerified: (tables: number) =>
    `Checked ${counted(tables, 'table', 'tables')} afterwards: none of its data is left.`,
  deletionHash: (hash: string) => `SHA-256 of the hashes of its items: ${hash}`,
  receipts: 'list deleted accounts: when, by whom and how much',
  commandLine: 'command line',

  // Activity
  activity: 'show what happened and who did it, newest first',
  activityAccount: 'only this account (default: all accounts, including deleted ones)',
  activitySince: 'only from this time on, such as 2026-03-04 or 2026-03-04T10:00:00Z',
  activityLimit: 'maximum number of entries',
  activityExample: 'recalld activity --since 2026-03-01 --json',
  server: 'server',

  // Keys
  keys: 'manage API keys; works even when the service is stopped',
  listKeys: 'list the keys of an account, without their values',
  agentsElsewhere: (count: number) =>
    `${count === 1 ? '1 agent is' : `${count} agents are`} connected by OAuth, without a key. Open Keys in the app to see or revoke ${count === 1 ? 'it' : 'them'}.`,
  createKey: 'create a key; its value is shown only once',
  keyName: 'what the key is for',
  keySources: 'all, none, or source types separated by commas',
  createKeyExample: 'recalld keys create --name work-agent --sources slack,github',
  regenerateKey: 'give a key a new value; the old one stops working immediately',
  deleteKey: 'delete a key; it stops working immediately',
  keyArgument: 'ID or name',
  keyDeleted: (name: string) => `Deleted key "${name}".`,
  newKey: (name: string, sources: string) => `This is key "${name}" (${sources}).`,
  isDefault: (name: string) => `${name} (default)`,
  neverUsed: 'never',
  allSources: 'all sources',
  noSources: 'no sources',

  // People
  people: 'manage who can sign in to the app; works even when the service is stopped',
  listPeople: 'list everyone who can sign in, and their accounts',
  invite: 'print an invitation link; it works once, for 7 days',
  inviteLogin: 'email address or name to sign in with',
  inviteAccount: "account to join (default: the only account, else this machine's account)",
  inviteOwner: 'as an owner, who manages keys and people',
  inviteOwnAccount: 'to a new account of their own',
  inviteExample: 'recalld people invite mary@example.org',
  resetLink: 'print a password-reset link; it works once, for one hour',
  login: 'what the person signs in with',
  removePerson: 'remove a person and sign them out immediately',
  nobodySignedUp: 'Nobody has signed up yet. Run "recalld up" to get a link for the first person.',
  chooseAccount: 'Choose an account with --account. Run "recalld accounts list" to see all accounts.',
  noPerson: (login: string) => `Nobody signs in as ${login}. Run "recalld people list" to see everyone who does.`,
  personRemoved: (name: string, login: string) => `Removed ${name} (${login}).`,
  linkTerms: (until: string) => `This link works once, until ${until}. Share it only with the person it's for.`,
  yes: 'yes',
  no: 'no',

  // Plans
  billing: 'manage the plan and billing status of an account; works even when the service is stopped',
  showBilling: 'show plan, status and quota usage',
  setBilling: 'change the plan, the status or both',
  plan: 'a plan from config/plans.yaml',
  status: 'past_due rejects every request with 402',
  setBillingExample: 'recalld billing set --plan self-hosted --status active',
  billingChangeNeeded: 'error: specify --plan, --status or both',
  billingOf: (account: string, plan: string, status: string) => `Account ${account}: plan ${plan}, ${status}`,
  unlimited: 'unlimited',

  // Retention
  retention: 'delete items past their retention period now, as the service does once a day',
  retentionDryRun: 'show what would be deleted, without deleting it',
  retentionHelp: '\nIn config.yaml:\n  retention:\n    browser: 90',
  retentionExample: 'recalld retention --dry-run',
  noRetention: 'Nothing expires: config.yaml sets no retention. Run "recalld retention --help" to see how to set one.',
  retentionPeriods: (periods: readonly string[]) => `Retention: ${periods.join(', ')}.`,
  retentionPeriod: (source: string, days: number) => `${source} ${counted(days, 'day', 'days')}`,
  nothingExpired: 'No items are past their retention period.',
  expired: 'Deleted:',
  wouldExpire: 'Would be deleted without --dry-run:',

  // Backups
  backup: 'back up the database to a file; works while the service is running',
  backupFile: 'file to create',
  backupExample: 'recalld backup recalld-$(date +%F).db',
  notInBackup:
    'Not included: config.yaml, token files and secret.key. Without secret.key you have to reconnect sources that you granted access to in a browser ("recalld connect").',
  backedUp: (bytes: number, file: string) =>
    `Wrote ${bytes} bytes to ${file}. It contains everything in your memory, so protect it like the service itself.`,
  restore: 'replace the database with a backup; stop the service first',
  restoreFile: 'file created by "recalld backup"',
  restoreExample: 'recalld restore recalld-2026-03-04.db',
  restored: (counts: readonly string[]) => `Restored and verified: ${counts.join(', ')}.`,
  restoredGrants:
    'Access that you granted in a browser needs the secret.key from the time of the backup. Restore that file too, or run "recalld connect" to grant access again.',
  replacedDatabase: (file: string) => `The replaced database is now ${file}`,

  // Another database
  migrateStore: 'move everything between SQLite and PostgreSQL, and verify that it arrived',
  migrateTo: 'sqlite, postgres, or a PostgreSQL URL',
  migrateFrom: 'the same (default: the database in the home folder; with --to sqlite, the one in the settings)',
  verifyOnly: 'compare both databases without copying anything',
  migrateHelp: `
Stop every recalld that uses either database first. The source isn't changed, and the target must be empty. If the run
is interrupted, run it again to resume. No model is called, and data in a bucket stays there.

Examples:
  $ recalld migrate-store --to postgres://user:password@host/recalld
  $ recalld migrate-store --to postgres                  to the one in RECALLD_DATABASE_URL or config.yaml
  $ recalld migrate-store --to sqlite                    back to recalld.db in the home folder
  $ recalld migrate-store --to postgres --verify-only    compare both again`,
  rows: (step: string) => `rows, ${step}`,
  same: 'same',
  different: 'DIFFERENT',
  reindexed: (chunks: number) =>
    `${counted(chunks, 'passage was', 'passages were')} indexed by an older version and can now be found with this version's word forms.`,
  bothSame: 'Both databases have the same content.',
  movedToPostgres:
    'Everything was moved. Set RECALLD_DATABASE_URL, or database_url in config.yaml, to the new database on every machine, then start recalld. recalld.db is unchanged: keep it as a backup, and never write to both.',
  movedToSqlite:
    'Everything was moved. Remove database_url from the settings, then start recalld. The PostgreSQL database is unchanged: never write to both.',
  bothDiffer: 'The two databases differ.',
  migrationDiffers: (remedy: string) =>
    `The two databases differ, so the target can't be used. Something wrote to the source after the first run: ${remedy}`,
  rerunAfterRemoval: 'the copy was removed and there is no recalld.db, so run it again.',
  emptyAndRerun: 'empty the target and run it again.',

  // Where uploads are stored
  blobs: 'manage where uploads are stored: in the database or in an S3 bucket',
  blobsHelp: `
Set the bucket with RECALLD_BLOB_URL; see docs/blob-storage.md.

Examples:
  $ recalld blobs status
  $ recalld blobs move --to s3          move uploads from before the bucket
  $ recalld blobs move --to database    move them back; stop the service first
  $ recalld blobs check                 compare bucket and database, for example after restoring one of them`,
  blobsStatus: 'show how many uploads are stored where, and what will be removed',
  blobsMove: 'move older uploads; works while the service is running and resumes after an interruption',
  blobsTo: 's3 or database',
  blobsCheck: 'find uploads without an object, and objects without an upload',
  removeStray: 'remove objects that no upload uses; nothing else may store objects under this prefix',
  noBucket: 'no bucket set',
  garbage: (objects: number) => `${counted(objects, 'object', 'objects')} of deleted uploads`,
  garbageWaits: (objects: number) => `${counted(objects, 'object', 'objects')} of deleted uploads will be removed.`,
  unfinished: (uploads: number) => `${counted(uploads, 'upload', 'uploads')} in progress or interrupted`,
  uploads: (uploads: number) => counted(uploads, 'upload', 'uploads'),
  wrongTarget: (to: string) => `--to must be s3 or database, not "${to}".`,
  database: 'the database',
  moved: (uploads: number, bytes: number, to: string) =>
    `Moved ${counted(uploads, 'upload', 'uploads')} (${bytes} bytes) to ${to}.`,
  stillInBucket: (left: readonly string[]) =>
    `Still in the bucket: ${left.join(', ')}. Keep RECALLD_BLOB_URL set and run this again until the bucket is empty. Interrupted uploads are removed after 15 minutes. Run "recalld blobs check" to see what the bucket lost.`,
  bucketHolds: (bucket: string, objects: number, bytes: number) =>
    `${bucket} has ${counted(objects, 'object', 'objects')} (${bytes} bytes).`,
  withoutBytes: 'Uploads whose bytes are missing:',
  strayRemoved: 'Removed objects that no upload uses:',
  strayKept: 'Objects that no upload uses (add --remove-stray to remove them):',
  bytesLost: (uploads: number) =>
    `The bytes of ${counted(uploads, 'upload', 'uploads')} are missing. Restore the bucket, or upload them again.`,
} as const
