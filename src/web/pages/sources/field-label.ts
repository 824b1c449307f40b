const LABELS: Readonly<Record<string, string>> = {
  since: 'From this day on',
  include: 'Only these',
  exclude: 'Leave out',
  paths: 'Folders',
  path: 'Folder',
  urls: 'Addresses of the feeds',
  api_url: 'Address of the API',
  max_mb: 'Largest file, in MB',
  tool_output_kb: 'Output of tools, in KB',
  takeout: 'Folder of Google Takeout',
  service_account_file: 'File of a service account',
  subject: 'Person that a service account reads for',
  relist_days: 'Days that are compared at each run',
}

/** A setting or one of its choices, for people: `Private channels` for `private_channels`. */
export function fieldLabel(name: string): string {
  const known = LABELS[name]
  if (known !== undefined) return known
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
