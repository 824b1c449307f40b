// Connectors see no more of the house than this folder.
export { retryTime } from '../lib/retry-time.ts'
