// Connectors see no more of the house than this folder.
export { retryTime } from '../kit/retry-time.ts'
