import { AppError } from '../../domain/errors.ts'

// Codes of S3 (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html), of the SDK and of Node.
const REASONS: Readonly<Record<string, string>> = {
  AccessDenied: 'it allows this key too little',
  AllAccessDisabled: 'it allows this key too little',
  ExpiredToken: 'the access to it has expired',
  InvalidAccessKeyId: 'it does not know the key',
  SignatureDoesNotMatch: 'it refuses the secret of the key',
  AuthorizationHeaderMalformed: 'it expects another region',
  PermanentRedirect: 'the bucket is in another region',
  NoSuchBucket: 'there is no bucket of this name',
  RequestTimeTooSkewed: 'its clock and the one of this machine differ',
  SlowDown: 'it has too much to do',
  ServiceUnavailable: 'it has too much to do',
  InternalError: 'it reports an error of its own',
  QuotaExceeded: 'its quota is used up',
  XAmzContentSHA256Mismatch: 'bytes were changed on the way',
  BadDigest: 'bytes were changed on the way',
  CredentialsProviderError: 'no key for it is set',
  TimeoutError: 'it does not answer in time',
  AbortError: 'it does not answer in time',
  RequestTimeout: 'it does not answer in time',
  ECONNREFUSED: 'it cannot be reached',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be resolved',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
}

/** `unavailable`, with why in a few words; what the storage answered is left out, as it may repeat keys. */
export function asS3Failure(error: unknown): AppError {
  if (error instanceof AppError) return error
  const names = namesOf(error)
  const reason = names.map((name) => REASONS[name]).find((found) => found !== undefined)
  const detail = reason ?? `it answered ${names.slice(0, 2).join(' ') || 'nothing that is understood'}`
  return new AppError('unavailable', `The storage of objects cannot be used: ${detail}`, {
    cause: new Error(names.join(' ')),
  })
}

/** Whether it says that there is no such object. */
export function isAbsent(error: unknown): boolean {
  const names = namesOf(error)
  return names.includes('NoSuchKey') || (names.includes('NotFound') && !names.includes('NoSuchBucket'))
}

/** What the error is called, from the outside in, with the status of the answer. */
function namesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const names: string[] = []
  // First, because the SDK calls a connection that was lost a timeout.
  if ('code' in error && typeof error.code === 'string') names.push(error.code)
  if ('name' in error && typeof error.name === 'string' && error.name !== 'Error') names.push(error.name)
  if ('Code' in error && typeof error.Code === 'string') names.push(error.Code)
  const status = statusOf(error)
  if (status !== undefined) names.push(`status ${status}`)
  if ('cause' in error) names.push(...namesOf(error.cause))
  if (error instanceof AggregateError) names.push(...error.errors.flatMap(namesOf))
  return names
}

function statusOf(error: object): number | undefined {
  if (!('$metadata' in error) || typeof error.$metadata !== 'object' || error.$metadata === null) return undefined
  const { $metadata: metadata } = error
  return 'httpStatusCode' in metadata && typeof metadata.httpStatusCode === 'number'
    ? metadata.httpStatusCode
    : undefined
}
