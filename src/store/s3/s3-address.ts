import { AppError } from '../../domain/errors.ts'

/** What `RECALLD_BLOB_URL` says. */
export interface S3Address {
  readonly bucket: string
  /** Empty, or ends with `/`. */
  readonly prefix: string
  /** Absent: Amazon's own. */
  readonly endpoint: string | undefined
  /** Absent: as the environment says. */
  readonly region: string | undefined
  /** `https://host/bucket/key` instead of `https://bucket.host/key`. */
  readonly pathStyle: boolean
  /** Absent: by the standard chain of AWS. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

const OPTIONS = ['endpoint', 'region', 'path_style']

/**
 * Reads `s3://[key:secret@]bucket[/prefix][?endpoint=...&region=...&path_style=true]`.
 *
 * @throws AppError `invalid`, naming the part at fault and none of the secrets
 */
export function parseS3Address(address: string): S3Address {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 's3:' || url.hostname === '') {
    throw wrong('must be an address such as s3://bucket/prefix?endpoint=https://s3.example.org')
  }
  for (const name of url.searchParams.keys()) {
    if (!OPTIONS.includes(name)) throw wrong(`has the unknown option "${name}"; there are ${OPTIONS.join(', ')}`)
  }
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:\/\/[^/\s]+\/?$/.test(endpoint)) {
    throw wrong('must name its endpoint as in endpoint=https://s3.example.org')
  }
  const style = url.searchParams.get('path_style')
  if (style !== null && style !== 'true' && style !== 'false')
    throw wrong('must say path_style=true or path_style=false')
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region: url.searchParams.get('region') ?? undefined,
    // Servers of one's own seldom have a name for every bucket.
    pathStyle: style === null ? endpoint !== undefined : style === 'true',
    credentials: credentialsOf(url),
  }
}

function credentialsOf(url: URL): S3Address['credentials'] {
  if (url.username === '' && url.password === '') return undefined
  if (url.username === '' || url.password === '')
    throw wrong('must hold both the key and the secret, as in s3://key:secret@bucket')
  return { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) }
}

function wrong(what: string): AppError {
  return new AppError('invalid', `RECALLD_BLOB_URL ${what}`, { field: 'blob_url' })
}
