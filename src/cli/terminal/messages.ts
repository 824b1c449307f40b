import type { CommandAdvice } from '../../domain/errors.ts'

/** Messages shared by all commands: common options, invalid arguments, and system errors. */
export const messages = {
  // Options
  json: 'print JSON',
  responseJson: 'print the response of the service as JSON',
  account: "account ID (default: this machine's account)",
  example: (...lines: readonly string[]) =>
    `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`,

  // Wrong arguments
  chooseOneOf: (names: readonly string[]) => `Choose one of: ${names.join(', ')}.`,
  didYouMean: (name: string) => `Did you mean ${name}?`,
  mustBeWhole: (min: number, max: number) => `It must be a whole number from ${min} to ${max}.`,
  mustBeDate: 'It must be a date such as 2026-03-04 or 2026-03-04T10:00:00Z.',
  invalidArgument: (name: string, value: string, reason: string) => `Invalid ${name} "${value}". ${reason}`,
  invalidOption: (flag: string, value: string, reason: string) => `Invalid value "${value}" for ${flag}. ${reason}`,
  noAccount: (id: string) => `Account ${id} doesn't exist. Run "recalld accounts list" to see all accounts.`,

  // Files and disks
  file: 'the file',
  isMissing: (path: string) => `${path} doesn't exist.`,
  exists: (path: string) => `${path} already exists.`,
  denied: (path: string) => `${path} can't be opened: permission denied.`,
  isFolder: (path: string) => `${path} is a folder.`,
  diskFull: 'The disk is full.',
  unexpected: (message: string) => `Unexpected error: ${message}`,

  // What to do
  connect: (source: string, options: string) => `Run "recalld connect ${source}${options}".`,
  advice: {
    accept_storage: 'Run "recalld up --accept-database" once to use it from now on.',
    change_plan: 'Run "recalld billing set --plan self-hosted --status active".',
    create_account: 'Run "recalld up" or "recalld accounts create" to create one.',
    create_key: 'Run "recalld up" once to create one, or "recalld keys regenerate default" to replace it.',
    list_accounts: 'Run "recalld accounts list" to see all accounts.',
    list_golden: 'Run "recalld golden list" to see all golden questions.',
    list_keys: 'Run "recalld keys list" to see all keys.',
    list_people: 'Run "recalld people list" to see everyone.',
    regenerate_key: 'Run "recalld keys regenerate default" to write a new key.',
    reindex: 'Run "recalld reindex" to switch.',
    restore_backup:
      'Run "recalld restore FILE" to restore a backup, or "recalld up --accept-database" once to start without one.',
    run_doctor: 'Run "recalld doctor" for details.',
    start_service: 'Start it with "recalld up".',
  } satisfies Readonly<Record<CommandAdvice['action'], string>>,
  retried: 'The next sync retries it automatically.',
  reconnect: (connector: string, name: string) => `Run "recalld connect ${connector} --name ${name}" to reconnect it.`,
  reconfigure: (connector: string, name: string) =>
    `Edit \`connectors.${connector}\` (name: ${name}) in config.yaml, or run "recalld connect ${connector} --name ${name}".`,
  skipped: (connection: string) => `It was skipped. Run "recalld retry ${connection}" to try it again.`,
  restarted: 'The next sync automatically reads everything again and compares.',

  // Progress
  left: 'left',
  done: (done: number, total: number, unit: string) => `${done} of ${total} ${unit}`,

  // Times
  never: 'never',
  ago: (span: string) => `${span} ago`,
  due: 'due',
  ahead: (span: string) => `in ${span}`,
} as const
