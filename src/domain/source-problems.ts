/**
 * The commonest problems and warnings of sources: codes with the English sentences that are their stored form. A sentence
 * leads back to its code and parameters, so the app can show it in another language (decision 82).
 */
export const SOURCE_PROBLEMS = {
  // Access
  token_rejected: '{title} rejected the token: it is invalid, expired or revoked.',
  token_rejected_with: '{title} rejected the token ({code}): it is invalid, expired or revoked.',
  key_rejected: '{title} rejected the key: it is invalid, expired or revoked.',
  no_token: 'No token is set. Set token or token_file.',
  token_file_unreadable: "token_file {file} can't be read ({code}).",
  token_file_empty: 'token_file {file} is empty.',
  token_malformed: 'The token has characters that {title} tokens never have. Copy the whole token again.',
  token_with_spaces: 'This token has spaces or special characters. Copy it again.',
  token_without_access: 'The token has no access to {asked} (HTTP 403).',
  key_without_access: 'The key has no access to {asked}.',
  token_needs_permission: 'The token needs the permission {permission} for {asked}.',
  token_needs_scope: 'The token needs {scope} for {method}: {remedy}.',
  lacks_conversations:
    'The token is missing the scope {scope}, so those conversations are skipped. Add it to the Slack app.',
  lacks_names: 'The token is missing the scope users:read, so people appear by their IDs. Add it to the Slack app.',
  lacks_private: 'The token is missing the scope repo, so private repositories are skipped.',
  token_type: "Slack doesn't accept this type of token for {method} ({code}): {kinds}.",
  token_of_workspace: 'The token is for {team} ({id}). Remove team_id.',
  choose_team: 'The app is installed for a whole organization. Set team_id to one of {names}.',
  workspace_closed: 'The account or its workspace is closed.',
  token_expires: 'The token expires on {day}. Create a new one before then.',
  token_expires_soon: 'The token expires on {day}. Create a new one.',
  token_expired: 'The token expired on {day}. Create a new one.',
  token_rotation:
    'The token expires within 12 hours because its app uses token rotation. Use an app without token rotation, or renew the token in time.',
  sign_on: 'The organization requires single sign-on for {asked}. Authorize the token{where}.',
  no_workspaces: 'The token has no access to any workspace.',
  no_projects: 'The token has no access to the projects in include.',
  no_repositories: "The token can't list repositories.",
  password_refused: '{host} refused the user name {user} or its password. Many providers need an app password.',
  consent_expired: "The access of {account} at {title} has expired and can't be renewed. Connect again.",
  consent_refused: 'Access was refused at {title}. Nothing was saved.',
  consent_not_given: '{title} did not grant access ({reason}). Nothing was saved.',
  consent_ended: '{title} no longer accepts the access. Connect again.',
  consent_useless: 'The provider renewed the access of {account}, but its API still refuses it. Reconnect it.',
  consent_lacks: 'The access of {account} at {title} lacks {scopes}.',
  consent_lacks_asked: "The granted access doesn't include {asked}: {remedy}.",
  no_account: 'No account is connected for {what} yet.',
  which_account: 'Several accounts are connected for {what}. Set account to one of: {choices}.',
  not_this_account: "{account} isn't connected for {what}. Set account to one of: {choices}.",
  grant_removed: 'The grant was removed. Connect again.',
  other_account: 'This access is for {now}, but {name} syncs {before}. Connect this account under a different name.',
  access_expired: 'Access has expired. Connect again.',
  access_unused: 'Access expired because it was not used for 90 days. Connect again.',
  password_changed: 'The password was changed or all sessions were ended. Connect again.',
  second_factor_expired: 'The second factor has expired. Connect again.',
  second_factor_needed: 'Your organization requires a second factor. Connect again.',
  sign_in_needed: 'Microsoft requires a new sign-in. Connect again.',
  admin_consent: 'Only an administrator can consent to these permissions. Ask one to do so.',
  nobody_consented: "Nobody has consented to the app's permissions. Connect again, or ask an administrator to consent.",
  permissions_declined: 'The permissions were declined. Connect again and accept them.',
  account_disabled: 'The account is disabled.',
  account_deleted: 'The account was deleted.',
  app_in_testing:
    'Access expires on {day} because the app is in testing. Set the publishing status of the app to "In production", then connect again.',
  api_disabled: 'The API of {title} is disabled. Enable it {where}, then wait a few minutes.',
  account_unable: "{title} can't be read with this account: {why}.",
  code_expired: 'The code has expired. Nothing was saved. Start again.',

  // Limits and answers of the source
  rate_limit: 'The rate limit of {title} was reached. The sync continues when it allows it.',
  rate_limit_of: "{title}'s rate limit was reached. The sync continues when {name} allows it.",
  rate_limit_method: "{title}'s rate limit for {method} was reached. The sync continues when {name} allows it.",
  rate_limit_until: 'The rate limit of {title} was reached. The sync continues at {time}.',
  rate_limit_until_of: "{title}'s rate limit was reached. The sync continues at {time}.",
  rate_limit_next: 'The rate limit of {title} was reached (HTTP 429).',
  quota: '{provider} accepts no more requests ({api}) until {when}.',
  busy: '{host} is busy.',
  busy_with: '{host} is busy (HTTP {status}).',
  no_response_address: '{title} did not respond. If this persists, check its address.',
  no_response_check: 'the source did not respond.',
  unreachable: "Couldn't reach {host}. Check the network of this server.",
  redirected: '{host} redirected a request to another address. Check api_url.',
  cut_off: '{title} stopped answering in the middle. If this persists, check the network of this server.',
  no_server: 'No server answers at {host}. Check server.',
  no_server_port: 'No server answers at {host}. Check host and port.',
  no_server_address: 'No server answers at {title}. Check its address.',
  request_refused: '{host} refused a request.',
  no_tls: "{host} doesn't use TLS on this port. Check port and security.",
  not_a_mail_server: "{host} didn't answer as a mail server does. Check port and security.",
  not_trustworthy: 'The connection to {host} is not trustworthy ({code}). Check host, port and security.',
  error_for: '{title} returned an error for {asked} (HTTP {status}).',
  error: '{title} returned an error (HTTP {status}).',
  refused: '{title} refused the request for {asked} (HTTP {status}).',
  refused_with: '{title} refused the request for {asked} ({reason}).',
  refused_slack: 'Slack refused {concerned} ({code}).',
  not_there: '{title} has no {asked} (HTTP {status}).',
  unexpected: '{title} sent an unexpected response for {asked}. Check api_url, or update recalld.',
  unexpected_fields: '{title} sent an unexpected response for {asked} ({fields}).',
  incomplete: '{title} sent an incomplete response for {asked}.',
  web_page: '{title} returned a web page for {asked}. Check api_url and your network.',
  not_the_api: 'The response to {method} (HTTP {status}) is not from the Slack API. Check api_url and your network.',
  not_found: '{title} was not found (HTTP 404). Check its address.',
  gone: '{title} no longer exists (HTTP 410). Remove it from urls.',
  not_readable: "{title} can't be read (HTTP {status}).",
  not_a_calendar: '{title} is not a calendar. Check its address.',
  no_calendars: 'No calendars were found at {host}. Check server: it must offer CalDAV.',
  private_network: '{title} redirects to a private network ({host}), so it was not read.',
  redirect_loop: '{title} redirects in a loop.',
  feed_too_large: '{title} is larger than 10 MiB.',

  // Parts and items
  deleted_or_denied: '{title} was deleted, or the token has no access to it.',
  listing_refused:
    "The {listing} of {title} can't be listed, so their changes and deletions are not synced. Give the token more rights, or add the project to exclude.",
  channels_refused: "{title} can't be listed: ask for access, or leave them out in the settings. {reason}",
  folder_unreadable:
    "Couldn't read the folder {folder}: {reason} Deleted mail is not detected until it can be read, or until you add it to exclude_folders.",
  folder_denied: '{host} denies {user} access to it.',
  folder_missing: "The folder {folder} doesn't exist. Check folders.",
  folder_of_folders: 'The folder {folder} holds only other folders. Name those in folders.',
  folder_both: 'The folder {folder} is in folders and in exclude_folders. Remove one.',
  folder_unsearched: '{host} could not search {folder}.',
  channel_denied: '{title}: the token no longer has access.',
  archived_kept: 'The channel is archived and the token has no access. Kept as last synced.',
  plan_hides: 'The plan of the workspace now hides it. Kept as last synced.',
  calendar_gone: 'The calendar {title} no longer exists.',
  folder_gone: 'The folder no longer exists.',
  not_in_paths: '{title} is no longer in paths.',
  not_in_urls: '{title} is no longer in urls.',
  from_start: '{title} is synced from the start.',
  too_large_item: 'It is larger than {size} MB.',
  too_large: '{path} is larger than {size} MB.',
  over_limit: '{path} is {size} MB. The limit is {limit}.',
  no_text: 'It has no text.',
  not_text: '{path} is not text in UTF-8.',
  no_downloads: 'The owner of "{name}" doesn\'t allow downloads.',
  heic: "{path} can't be read: HEIC images are not supported. Export it as JPEG.",
  images_off:
    'Text in images is off. Remove "ocr: off" from config.yaml, restart recalld, and run "recalld retry" (or set images to false).',
  no_tesseract:
    'Text in images needs the program tesseract. Install it, restart recalld, and run "recalld retry" (or set images to false).',

  // Files on this machine
  no_permission: 'recalld has no permission to read {path}. {how} (the terminal, or node), then restart it.',
  unreadable_allow: "{path} can't be read ({code}). Allow recalld to read it.",
  unreadable_exclude: "{path} can't be read ({code}). Allow recalld to read it, or add it to exclude.",
  unreadable_code: "{path} can't be read ({code}).",
  folders_unreadable: "Folders can't be read: {names}. Allow recalld to read them, or add them to exclude.",
  no_folder: "{path} doesn't exist. Mount its disk, or choose another folder.",
  no_path: 'There is no folder or file {path}. Check paths.',
  no_standard_folder: 'None of the folders {paths} exists. Set paths to the folders to sync.',
  not_a_folder: '{path} is not a folder. Set paths to folders.',
  empty_folder: '{path} is empty. Mount its disk, or remove it from paths.',
  empty_other_disk: '{path} is empty and on a different disk than before. Mount its disk.',
  other_disk:
    '{path} is on a different disk than before, with nothing to sync. Mount its disk, or remove it from paths.',
  disk_missing: '{path} leads to a disk that is missing. Mount it, or remove the folder or link.',
  replaced: '{path} was replaced while it was read.',
  kept_changing: '{path} kept changing while it was copied.',
  unknown_form: "{path} is damaged, or has a form that recalld doesn't know.",
  not_sqlite: '{path} is not an SQLite database, or is damaged.',
  damaged: '{path} is damaged.',
  no_sessions: 'No {tool} sessions were found on this machine (looked in {paths}). Set path to their folder.',
  no_browsers: 'No browser history was found. Set databases to its files.',
  export_locked: '{path} has a password, so it was not read. Unpack it, and set paths to the unpacked folder.',
  export_nested: '{path} holds other ZIP files, so it was not read. Unpack it, and set paths to the unpacked folder.',
  export_incomplete: '{path} is damaged or incomplete. Download it again.',
  export_folder: '{path} is a folder, not a ZIP file, and holds no export that recalld knows. Check paths.',
  export_unknown: '{path} holds no export that recalld knows. Check paths.',
  takeout_unset: 'takeout is not set. Set it to a folder.',
  git_ignores_one:
    'Git ignores one file or folder in {folder}, so it is not synced. Set gitignore to false to sync it.',
  git_ignores:
    'Git ignores {count} files and folders in {folder}, so they are not synced. Set gitignore to false to sync them.',

  // Uploaded exports
  import_unknown: 'This file is not an export that recalld knows.',
  import_takeout:
    'This Google Takeout archive has no Gemini activity as JSON. For Photos, YouTube or Fit, put the archive in a folder on the server, and enter that as the Google Takeout folder of the source.',
  import_nested: 'This ZIP file holds other ZIP files. Unpack it, then choose the files in it.',
  import_empty: 'This file is empty.',
  import_damaged: 'This file is damaged or incomplete. Download it again.',
  import_password: 'This ZIP file has a password. Unpack it, then choose the files in it.',
  import_bomb: 'This ZIP file unpacks to far more data than an export has, so it was deleted.',
  import_too_large: 'This file is larger than {size} MB, the limit of this server.',
  import_no_room: "The server's disk has no room for this file.",
  import_ended: 'This upload has ended. Choose the file again.',

  // Runs
  run_interrupted: 'The last sync was interrupted.',
  some_failed: "Some items couldn't be read or processed.",
  yielded: 'Paused so that other sources can sync. It continues automatically.',
  stopped_here: 'Stopped in the app.',
  other_run: 'Another run is already syncing this connection.',
  taken_over: 'Another process took over this connection, so this run stopped.',
  run_account_deleted: 'The account was deleted, so this run stopped.',
  run_failed: 'Unexpected sync error ({kind}). See the log.',
  connector_failed: 'Unexpected error in the connector ({kind}). See the log.',
  gave_up: '{what}, so the sync stopped. The next sync continues. Last error: {last}',
  unchecked: 'Connection not checked yet: {reason} The first sync checks it again.',
  last_synced: 'Part of it was last synced on {day}, and {reason}.',
  // Alerts
  alert_webhook_unreachable: "Couldn't reach the webhook at {host} ({code}).",
  alert_webhook_silent: "The webhook at {host} didn't answer in time.",
  alert_webhook_lost: "Couldn't reach the webhook at {host}.",
  alert_webhook_answered: 'The webhook at {host} answered {status}.',
  alert_mail_login: 'The mail server {host} rejected the user name or password.',
  alert_mail_encryption: 'The mail server {host} offers no encryption, which a password needs.',
  alert_mail_unreachable: "Couldn't reach the mail server {host} ({code}).",
  alert_mail_silent: "The mail server {host} didn't answer in time.",
  alert_mail_lost: "Couldn't reach the mail server {host}.",
  alert_mail_answered: 'The mail server {host} answered {status}.',
} as const

export type SourceProblemCode = keyof typeof SOURCE_PROBLEMS

/** The parameters that are named in a sentence. */
type ParametersOf<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never

/** The stored form of a problem. */
export function problemSentence<Code extends SourceProblemCode>(
  code: Code,
  parameters: Readonly<Record<ParametersOf<(typeof SOURCE_PROBLEMS)[Code]>, string | number>>,
): string {
  return fillSentence(SOURCE_PROBLEMS[code], parameters)
}

/** Replaces `{name}` by its value. */
export function fillSentence(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

export interface SourceProblem {
  readonly code: SourceProblemCode
  readonly parameters: Readonly<Record<string, string>>
}

const readSource = sentenceReader(SOURCE_PROBLEMS)

/** The problem that a stored sentence states. @returns `undefined` for sentences without a code */
export function sourceProblem(sentence: string): SourceProblem | undefined {
  return readSource(sentence)
}

/** Reads sentences of a catalog backwards: to their codes and parameters. The first that fits wins. */
export function sentenceReader<Code extends string>(catalog: Readonly<Record<Code, string>>) {
  let patterns: readonly (readonly [Code, RegExp])[] | undefined
  return (
    sentence: string,
  ): { readonly code: Code; readonly parameters: Readonly<Record<string, string>> } | undefined => {
    patterns ??= Object.entries<string>(catalog).map(([code, text]) => [code as Code, patternOf(text)] as const)
    for (const [code, pattern] of patterns) {
      const found = pattern.exec(sentence)
      if (found !== null) return { code, parameters: { ...found.groups } }
    }
    return undefined
  }
}

function patternOf(text: string): RegExp {
  const escaped = text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>.+?)')}$`, 's')
}

/** `/notes-old` is not `/notes`. */
const CONTINUED_NAME = /^[\p{L}\p{N}_-]/u

/** Whether a problem names a part already. Folders have their path from the home folder as a title, and their whole path in errors. */
export function isNamedIn(problem: string, title: string): boolean {
  if (problem.startsWith(title)) return true
  const path = title.slice(1)
  const at = title.startsWith('~/') ? problem.indexOf(path) : -1
  return at >= 0 && !CONTINUED_NAME.test(problem.slice(at + path.length))
}
