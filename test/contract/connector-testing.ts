/** The package export `recalld/connector/testing`: what the tests of a connector in a package of its own need. */
export {
  type ContextOptions,
  connectorContext,
  type RecordedRequests,
  type TestContext,
} from '../lib/connector-context.ts'
export { type ConnectorUnderTest, describeConnectorContract } from './connector-contract.ts'
