/** The package export `recalld/connector`: everything that a connector in a package of its own needs. */
export { z } from 'zod'
export {
  apiUrlField,
  configuredToken,
  connectionFields,
  sinceField,
  tokenFields,
} from './connection-fields.ts'
export type {
  Body,
  Change,
  CheckContext,
  Choice,
  Choosing,
  Clock,
  ConnectionConfig,
  Connector,
  ConnectorIcon,
  Context,
  ItemRef,
  Log,
  Manifest,
  MemorizedItem,
  Partition,
  PushedRef,
  Requests,
  SourceAccount,
  SourceItem,
  SourceMachine,
  SourceType,
  StoredRef,
} from './connector.ts'
export { CONTRACT_VERSION } from './contract-module.ts'
export { type JsonApi, type JsonRequest, type JsonResponse, requestJson } from './json-requests.ts'
export { mapInOrder } from './map-in-order.ts'
export { RECENT_DAYS, recentStart } from './recent-window.ts'
export { type Remedy, SourceError, type SourceErrorOptions } from './source-error.ts'
export { accountPart, digest, sourceItemId } from './source-item-id.ts'
export { collapseWhitespace, htmlToMarkdown, trimMail } from './source-text.ts'
export type { TokenAccess } from './token-access.ts'
