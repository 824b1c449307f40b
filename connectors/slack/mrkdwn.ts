/** Who and what the ids in messages are. */
export interface Names {
  person(id: string): string | undefined
  channel(id: string): string | undefined
}

const REFERENCE = /<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g

/** Text as people read it: mentions by name, links with their address, fences on lines of their own, no entities. */
export function plainText(mrkdwn: string, names: Names): string {
  return mrkdwn
    .replace(REFERENCE, (_, mark: string, target: string, label: string = '') => {
      if (mark === '@') return `@${names.person(target) || label || target}`
      if (mark === '#') return `#${label || names.channel(target) || target}`
      return mark === '!' ? special(target, label) : link(target, label)
    })
    .replace(/[ \t]*```\n?([\s\S]+?)\n?```[ \t]*/g, (_, code: string) => `\n\`\`\`\n${code}\n\`\`\`\n`)
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Ids of the people whom a text mentions. */
export function mentioned(mrkdwn: string): string[] {
  return [...mrkdwn.matchAll(REFERENCE)].flatMap(([, mark, target]) => (mark === '@' && target ? [target] : []))
}

/** `<!here>`, `<!subteam^S012|@designers>`, `<!date^1392734382^{date}|Feb 18, 2014>` */
function special(target: string, label: string): string {
  const [kind = '', id = ''] = target.split('^')
  if (kind === 'date') return label || id
  if (kind === 'subteam') return label || `@${id}`
  return `@${kind}`
}

function link(target: string, label: string): string {
  const address = target.replace(/^(mailto|tel):/, '')
  const shown = label.trim()
  // Slack labels what was typed as `acme.test` with just that.
  return shown === '' || address.replace(/^https?:\/\//, '').replace(/\/$/, '') === shown || address === shown
    ? address
    : `${shown} (${address})`
}
