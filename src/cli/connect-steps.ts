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
}

/** How the person gets a token, as numbered lines. @param needs of the connector, where no steps are known */
export function connectSteps(connector: string, needs: string): string {
  const steps = STEPS[connector] ?? [`Get what this connector needs: ${needs}`]
  return steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')
}
