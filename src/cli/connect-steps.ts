/** Scopes of a user token with which everything the person sees can be read, and nothing written. */
const SLACK_SCOPES = [
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
  'channels:read',
  'groups:read',
  'im:read',
  'mpim:read',
  'users:read',
]

const SLACK_MANIFEST = `
       display_information:
         name: recalld
       oauth_config:
         scopes:
           user:
${SLACK_SCOPES.map((scope) => `             - ${scope}\n`).join('')}       settings:
         token_rotation_enabled: false
`

const STEPS: Readonly<Record<string, readonly string[]>> = {
  slack: [
    'Open https://api.slack.com/apps?new_app=1, choose "From a manifest" and your workspace.',
    `Replace the manifest (YAML) by this one, then create the app:\n${SLACK_MANIFEST}`,
    'Choose "Install App" and install it to your workspace; it may need the consent of an administrator.',
    'Copy the "User OAuth Token"; it begins with xoxp-.',
  ],
  github: [
    'Open https://github.com/settings/personal-access-tokens/new for a fine-grained token.',
    'Choose the owner of the repositories, an expiration, and which repositories recalld may read.',
    'Under "Repository permissions" give "Read-only" access to: Metadata, Issues, Pull requests, Contents, Discussions.',
    'Generate the token and copy it; it begins with github_pat_. An organization may have to approve it.',
  ],
  asana: [
    'Open https://app.asana.com/0/my-apps and choose "Create new token" under "Personal access tokens".',
    'Name it recalld, create it and copy it: it is shown this once, sees what you see, and has no end.',
  ],
}

/** The short form of docs/connect/<provider>.md. */
const CLIENT_STEPS: Readonly<Record<string, readonly string[]>> = {
  google: [
    'Open https://console.cloud.google.com and make a project, or choose one of yours.',
    'Under "APIs & Services", "Library", enable the API of each source: Gmail, Google Calendar, Google Drive, Google Docs, Google Sheets, Google Slides, Google Meet, Google Tasks, People, YouTube Data.',
    'Under "Google Auth Platform", choose "Get started": a name, your address, and "Internal" in a Workspace of your own, else "External".',
    'Under "Audience", set the publishing status to "In production". While it is "Testing", each grant ends after 7 days.',
    'Under "Clients", create a client of the type "Desktop app", and copy its id and secret or download them as JSON (--client-file).',
  ],
  microsoft: [
    'Open https://entra.microsoft.com, "App registrations", "New registration".',
    'Choose who may use it: accounts of your organization, of any organization, or personal ones too.',
    'As redirect URI choose "Public client/native (mobile & desktop)" and write http://localhost',
    'For --device, set "Allow public client flows" to "Yes" under "Authentication".',
    'Copy the "Application (client) ID". It needs no secret.',
  ],
  slack: [
    'Open https://api.slack.com/apps?new_app=1 and make an app in your workspace.',
    'Under "OAuth & Permissions", add the redirect URL https://localhost/recalld and the user token scopes of docs/connect/slack.md.',
    'Under "Basic Information", copy "Client ID" and "Client Secret".',
  ],
  github: [
    'Open https://github.com/settings/applications/new for an OAuth app.',
    'As "Authorization callback URL" write http://127.0.0.1/ and tick "Enable Device Flow" for --device.',
    'Copy the client id, and generate a client secret.',
  ],
  asana: [
    'Open https://app.asana.com/0/my-apps and create an app.',
    'Under "OAuth", add the redirect URL of docs/connect/asana.md, and choose the scopes named there.',
    'Copy "Client ID" and "Client secret".',
  ],
}

/** How the person gets a token of a connector, step by step; none where no way is known. */
export function tokenSteps(connector: string): readonly string[] {
  return STEPS[connector] ?? []
}

/** How the person makes an OAuth client of a provider, step by step; none where no way is known. */
export function oauthClientSteps(provider: string): readonly string[] {
  return CLIENT_STEPS[provider] ?? []
}

/** How the person makes an OAuth client, as numbered lines. */
export function clientSteps(provider: string): string {
  const known = CLIENT_STEPS[provider]
  const steps = known === undefined ? [] : [...known, `More, and why: docs/connect/${provider}.md`]
  return numbered(steps.length > 0 ? steps : ['Register an OAuth client at the provider.'])
}

/** Whether a token of the person, which lasts, is the simpler way for a connector. */
export function hasTokenSteps(connector: string): boolean {
  return Object.hasOwn(STEPS, connector)
}

/** How the person gets a token, as numbered lines. @param needs of the connector, where no steps are known */
export function connectSteps(connector: string, needs: string): string {
  const steps = STEPS[connector] ?? [`Get what this connector needs: ${needs}`]
  return numbered(steps)
}

function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')
}
