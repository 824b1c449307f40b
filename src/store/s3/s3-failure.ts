import { AppError } from '../../domain/errors.ts'

// Codes of S3 (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html), of the SDK and of Node.
const REASONS: Readonly<Record<string, string>> = {
  AccessDenied: 'this key lacks permissions',
  AllAccessDisabled: 'this key lacks permissions',
  ExpiredToken: 'the access to it has expired',
  InvalidAccessKeyId: "it doesn't know the key",
  SignatureDoesNotMatch: 'it rejected the secret of the key',
  AuthorizationHeaderMalformed: 'it expects another region',
  PermanentRedirect: 'the bucket is in another region',
  NoSuchBucket: 'there is no bucket with this name',
  RequestTimeTooSkewed: 'its clock and the clock of this machine differ',
  SlowDown: 'it is overloaded',
  ServiceUnavailable: 'it is overloaded',
  InternalError: 'it reports an internal error',
  QuotaExceeded: 'its quota is used up',
  XAmzContentSHA256Mismatch: 'bytes were changed on the way',
  BadDigest: 'bytes were changed on the way',
  CredentialsProviderError: 'no key for it is set',
  TimeoutError: "it didn't respond in time",
  AbortError: "it didn't respond in time",
  RequestTimeout: "it didn't respond in time",
  ECONNREFUSED: "it can't be reached",
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  EHOSTUNREACH: "it can't be reached",
  ENETUNREACH: "it can't be reached",
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: "its host name can't be resolved",
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
}

/** Converts an error to `unavailable` with a short reason. Leaves out the response, because it may repeat keys. */
export function asS3Failure(error: unknown): AppError {
  if (error instanceof AppError) return error
  const names = namesOf(error)
  const reason = names.map((name) => REASONS[name]).find((found) => found !== undefined)
  const detail = reason ?? `it responded with ${names.slice(0, 2).join(' ') || 'an unexpected error'}`
  return new AppError('unavailable', `The object storage can't be used: ${detail}`, {
    cause: new Error(names.join(' ')),
  })
}

/** Whether the object doesn't exist. */
export function isAbsent(error: unknown): boolean {
  const names = namesOf(error)
  return names.includes('NoSuchKey') || (names.includes('NotFound') && !names.includes('NoSuchBucket'))
}

/** The names and codes of an error and its causes, outermost first, and the status of the response. */
function namesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const names: string[] = []
  // The code comes first, because the SDK reports a lost connection as a timeout.
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
